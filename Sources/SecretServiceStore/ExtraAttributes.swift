#if SecretService
internal import KeychainServices

/// The attributes `lanyard:NAME` beside those of a schema: what the schema does not express,
/// written only where it is there. Other programs don't know them and leave them alone.
enum ExtraAttributes {
    private static let prefix = Array("lanyard:".utf8)

    /// What stands for an attribute that is gone, where the service keeps every attribute that an item
    /// ever had. No attribute has this value otherwise.
    static let gone: ByteString = "-"

    static func isOwn(_ key: ByteString) -> Bool { key.bytes.starts(with: prefix) }

    static func key(_ name: String) -> ByteString { ByteString(prefix + Array(name.utf8)) }

    /// Marks as gone what an item would otherwise keep.
    static func markGone(
        _ keys: some Sequence<ByteString>, in written: inout [ByteString: ByteString]
    ) {
        for key in keys where isOwn(key) && written[key] == nil {
            written[key] = gone
        }
    }

    // MARK: Texts

    /// Writes a text: as it is under its name where every service keeps it so and it means nothing
    /// else, otherwise in hexadecimal under `NAME.hex`.
    static func write(
        _ text: ByteString, _ name: String, in written: inout [ByteString: ByteString]
    ) {
        if text.isPlain, text != gone {
            written[key(name)] = text
        } else {
            written[key(name + ".hex")] = text.hexadecimal
        }
    }

    static func text(_ name: String, in attributes: [ByteString: ByteString]) -> ByteString? {
        attributes[key(name)]
            ?? attributes[key(name + ".hex")].flatMap(ByteString.init(hexadecimal:))
    }

    // MARK: Numbers of the identity

    /// Writes the authentication type and the port; 0 is none.
    static func writeNumbers(
        of attributes: ItemAttributes, in written: inout [ByteString: ByteString]
    ) {
        if let type = attributes.authenticationType, type.rawValue.rawValue != 0 {
            written[key("authenticationType")] = type.rawValue.text.hexadecimal
        }
        if let port = attributes.port, port != 0 {
            written[key("port")] = ByteString(String(port))
        }
    }

    static func code(
        _ name: String, in attributes: [ByteString: ByteString]
    ) -> FourCharacterCode? {
        attributes[key(name)].flatMap(ByteString.init(hexadecimal:))
            .flatMap { FourCharacterCode($0) }
    }

    // MARK: All that is no part of the identity

    static func write(
        _ attributes: ItemAttributes, in written: inout [ByteString: ByteString]
    ) {
        var attributes = attributes
        attributes.visitFreeTexts { name, value in
            if let text = value {
                write(text, name, in: &written)
            }
        }
        if let label = attributes.label, label.isEmpty || !label.isPlain {
            write(label, "label", in: &written)
        }
        for (name, code) in [("creator", attributes.creator), ("type", attributes.type)] {
            written[key(name)] = code?.text.hexadecimal
        }
        for (name, flag) in [
            ("isInvisible", attributes.isInvisible), ("isNegative", attributes.isNegative),
        ] {
            written[key(name)] = flag.map { $0 ? "1" : "0" }
        }
        if let accessible = attributes.accessible, accessible != .whenUnlocked {
            written[key("accessible")] = ByteString(accessible.code)
        }
        written[key("accessControl")] = attributes.accessControl.map {
            ByteString($0.accessible.code)
        }
    }

    static func read(_ item: RemoteItem, into attributes: inout ItemAttributes) {
        let written = item.attributes
        attributes.visitFreeTexts { name, value in value = text(name, in: written) }
        attributes.label = text("label", in: written) ?? (item.label.isEmpty ? nil : item.label)
        attributes.creator = code("creator", in: written)
        attributes.type = code("type", in: written)
        attributes.isInvisible = written[key("isInvisible")].map { $0 == "1" }
        attributes.isNegative = written[key("isNegative")].map { $0 == "1" }
        attributes.accessible = accessibility("accessible", in: written) ?? .whenUnlocked
        attributes.accessControl = accessibility("accessControl", in: written).map {
            AccessControl(accessible: $0)
        }
    }

    private static func accessibility(
        _ name: String, in written: [ByteString: ByteString]
    ) -> Accessibility? {
        written[key(name)].flatMap { Accessibility(code: $0.description) }
    }
}

extension ByteString {
    /// Two small hexadecimal digits for each byte.
    var hexadecimal: ByteString { ByteString(Hexadecimal.encode(bytes)) }

    /// The bytes that these digits stand for, nil if they stand for none.
    init?(hexadecimal text: ByteString) {
        guard let bytes = Hexadecimal.decode(text.bytes) else {
            return nil
        }
        self.init(bytes)
    }
}
#endif
