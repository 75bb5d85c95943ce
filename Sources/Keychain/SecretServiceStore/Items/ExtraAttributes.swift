package import KeychainServices

/// The attributes `lanyard:NAME` for what a schema does not express, written only if present. Other
/// programs ignore and preserve them.
package enum ExtraAttributes {
    private static let prefix = Array("lanyard:".utf8)

    /// The value of a deleted attribute, because the service keeps every attribute that an item
    /// ever had. It has no other meaning.
    package static let gone: ByteString = "-"

    package static func isOwn(_ key: ByteString) -> Bool { key.bytes.starts(with: prefix) }

    package static func key(_ name: String) -> ByteString { ByteString(prefix + Array(name.utf8)) }

    /// Marks as gone the attributes that an item would otherwise keep.
    package static func markGone(
        _ keys: some Sequence<ByteString>, in written: inout [ByteString: ByteString]
    ) {
        for key in keys where isOwn(key) && written[key] == nil {
            written[key] = gone
        }
    }

    // MARK: Texts

    /// Writes a text under its name if every service preserves it and it has no other meaning;
    /// otherwise in hexadecimal under `NAME.hex`.
    package static func write(
        _ text: ByteString, _ name: String, in written: inout [ByteString: ByteString]
    ) {
        if text.isPlain, text != gone {
            written[key(name)] = text
        } else {
            written[key(name + ".hex")] = text.hexadecimal
        }
    }

    package static func text(_ name: String, in attributes: [ByteString: ByteString]) -> ByteString?
    {
        attributes[key(name)]
            ?? attributes[key(name + ".hex")].flatMap(ByteString.init(hexadecimal:))
    }

    // MARK: Attributes

    /// Writes a value under its attribute's name.
    package static func write(
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
            written[key(name)] = ByteString(control.written)
        case .date(let date): written[key(name)] = ByteString(String(date.secondsSinceEpoch))
        }
    }

    package static func read(
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
        case .number: return UInt32(text.description).map { .number($0) }
        case .port: return UInt16(text.description).map { .number(UInt32($0)) }
        case .accessibility:
            return Accessibility(code: text.description).map { .accessibility($0) }
        case .accessControl:
            return AccessControl(written: text.description).map { .accessControl($0) }
        case .date:
            return Int64(text.description).map { .date(Timestamp(secondsSinceEpoch: $0)) }
        }
    }

    /// Writes everything outside the identity. The item's own label serves as the label if it can
    /// express it.
    package static func write(
        _ itemClass: ItemClass, _ attributes: ItemAttributes,
        in written: inout [ByteString: ByteString]
    ) {
        for entry in attributes.entries where isOutsideIdentity(entry.attribute, itemClass) {
            switch (entry.attribute, entry.value) {
            case (.label, .text(let label)) where !label.isEmpty && label.isPlain: break
            case (.accessible, .accessibility(.whenUnlocked)): break
            default: write(entry.value, of: entry.attribute, in: &written)
            }
        }
        let marked = attributes.entries.filter(\.isData).map { "\($0.attribute.row.name)" }
        if !marked.isEmpty {
            written[dataKey] = ByteString(marked.joined(separator: " "))
        }
    }

    /// The names of the texts that were given as data.
    private static let dataKey = key("data")

    package static func read(
        _ itemClass: ItemClass, _ item: RemoteItem, into attributes: inout ItemAttributes
    ) {
        for row in Attribute.table where isOutsideIdentity(row.attribute, itemClass) {
            attributes[row.attribute] = read(row.attribute, in: item.attributes)
        }
        attributes.accessible = attributes.accessible ?? .whenUnlocked
        attributes.label = attributes.label ?? (item.label.isEmpty ? nil : item.label)
        let marked = item.attributes[dataKey]?.description ?? ""
        for name in marked.split(separator: " ") {
            if let attribute = Attribute(named: ByteString(String(name))) {
                attributes.markAsData(attribute)
            }
        }
    }

    /// Whether an item of a class can have the attribute, apart from its identity and its own dates, which
    /// are elsewhere.
    private static func isOutsideIdentity(_ attribute: Attribute, _ itemClass: ItemClass) -> Bool {
        attribute.row.classes.contains(itemClass) && !itemClass.primaryKey.contains(attribute)
            && attribute != .creationDate && attribute != .modificationDate
    }
}

extension AccessControl {
    /// The code of the accessibility and, if there are flags, a space and their number.
    fileprivate var written: String {
        flags.isEmpty ? accessible.code : "\(accessible.code) \(flags.rawValue)"
    }

    /// Creates the access control of a text, nil if it is invalid.
    fileprivate init?(written text: String) {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count <= 2, let accessible = Accessibility(code: String(parts[0])),
            let flags = UInt32(parts.count == 2 ? parts[1] : "0")
        else {
            return nil
        }
        self.init(accessible: accessible, flags: Flags(rawValue: flags))
    }
}

extension ByteString {
    /// Two lower-case hexadecimal digits for each byte.
    package var hexadecimal: ByteString { ByteString(Hexadecimal.encode(bytes)) }

    /// Creates the bytes of hexadecimal digits, nil if they are invalid.
    package init?(hexadecimal text: ByteString) {
        guard let bytes = Hexadecimal.decode(text.bytes) else {
            return nil
        }
        self.init(bytes)
    }
}
