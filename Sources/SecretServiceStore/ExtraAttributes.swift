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

    // MARK: Attributes

    /// Writes a value under its attribute's name; the dates stand elsewhere.
    static func write(
        _ value: AttributeValue, of attribute: Attribute, in written: inout [ByteString: ByteString]
    ) {
        let name = "\(attribute.row.name)"
        switch value {
        case .text(let text): write(text, name, in: &written)
        case .code(let code): written[key(name)] = code.text.hexadecimal
        case .flag(let flag): written[key(name)] = flag ? "1" : "0"
        case .number(let number): written[key(name)] = ByteString(String(number))
        case .accessibility(let accessible): written[key(name)] = ByteString(accessible.code)
        case .accessControl(let control):
            written[key(name)] = ByteString(control.accessible.code)
        case .date: break
        }
    }

    static func read(
        _ attribute: Attribute, in written: [ByteString: ByteString]
    ) -> AttributeValue? {
        let row = attribute.row
        guard let text = text("\(row.name)", in: written) else {
            return nil
        }
        switch row.form {
        case .text, .server, .data, .protocolType: return .text(text)
        case .code:
            return ByteString(hexadecimal: text).flatMap { FourCharacterCode($0) }.map { .code($0) }
        case .flag: return .flag(text == "1")
        case .number: return UInt16(text.description).map { .number($0) }
        case .accessibility:
            return Accessibility(code: text.description).map { .accessibility($0) }
        case .accessControl:
            return Accessibility(code: text.description).map {
                .accessControl(AccessControl(accessible: $0))
            }
        case .date: return nil
        }
    }

    /// Writes all that is no part of the identity. The label is the item's own, as far as that can say it.
    static func write(
        _ attributes: ItemAttributes, in written: inout [ByteString: ByteString]
    ) {
        for entry in attributes.entries where isOutsideIdentity(entry.attribute) {
            switch (entry.attribute, entry.value) {
            case (.label, .text(let label)) where !label.isEmpty && label.isPlain: break
            case (.accessible, .accessibility(.whenUnlocked)): break
            default: write(entry.value, of: entry.attribute, in: &written)
            }
        }
    }

    static func read(_ item: RemoteItem, into attributes: inout ItemAttributes) {
        for row in Attribute.table where isOutsideIdentity(row.attribute) {
            attributes[row.attribute] = read(row.attribute, in: item.attributes)
        }
        attributes.accessible = attributes.accessible ?? .whenUnlocked
        attributes.label = attributes.label ?? (item.label.isEmpty ? nil : item.label)
    }

    private static func isOutsideIdentity(_ attribute: Attribute) -> Bool {
        attribute.row.form != .date
            && !ItemClass.genericPassword.primaryKey.contains(attribute)
            && !ItemClass.internetPassword.primaryKey.contains(attribute)
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
