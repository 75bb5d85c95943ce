internal import KeychainServices
internal import PlainTextFormats

/// The positions of a dumped item's parts.
struct KeychainDumpBlock {
    /// The number of its first line.
    let line: Int
    /// The start of its first line.
    let start: Int

    private var itemClass: Range<Int>?
    /// The positions of attribute values that an item can have.
    private var values: [FourCharacterCode: Range<Int>] = [:]
    private var data: Range<Int>?
    private var isDataNext = false
    /// Whether the lines are about who may use the item.
    private var isAccess = false
    /// The attributes that no item has: Apple's numbers for the system, and who may use the item.
    let unread = UnreadParts(besides: ["cusi", "prot", "scrp", "alis", "cenc", "ctyp"])

    init(_ line: Line) {
        self.line = line.number
        start = line.range.lowerBound
    }

    /// Reads a line of the item.
    mutating func take(_ line: Line, in text: Span<UInt8>) {
        let bytes = text.extracting(line.range)
        if isDataNext {
            data = line.range
            isDataNext = false
        } else if bytes.starts(with: "class:") {
            itemClass = itemClass ?? line.range.lowerBound + 6..<line.range.upperBound
        } else if bytes.starts(with: "data:") {
            isDataNext = data == nil
        } else if bytes.starts(with: "access:") {
            isAccess = true
        } else if isAccess || bytes.isBlank || bytes.starts(with: "version:")
            || bytes.starts(with: "attributes:")
        {
            return
        } else if let (name, equalsSign) = bytes.dumpAttribute {
            let value = line.range.lowerBound + equalsSign + 1..<line.range.upperBound
            guard !text.extracting(value).isNoDumpValue else {
                return
            }
            if let code = FourCharacterCode(name), values[code] == nil {
                values[code] = value
            } else {
                unread.note(name)
            }
        } else {
            unread.note(ByteString("line \(line.number)"))
        }
    }

    /// Whether it has data other than a certificate or a public key.
    ///
    /// The corresponding constants of Apple's are kSecCertificateItemClass and kSecPublicKeyItemClass.
    func isPrivate(in text: Span<UInt8>) -> Bool {
        data != nil && ![0x8000_1000, 0x0000_000F].contains(classCode(in: text)?.rawValue)
    }

    private func classCode(in text: Span<UInt8>) -> FourCharacterCode? {
        itemClass.flatMap { text.extracting($0).dumpValue.code }
    }

    /// Returns the class, nil unless it is a class of passwords.
    func itemClass(in text: Span<UInt8>) -> ItemClass? {
        guard let code = classCode(in: text) else {
            return nil
        }
        switch ItemClass(rawValue: code) {
        case .genericPassword: return .genericPassword
        case .internetPassword: return .internetPassword
        default: return nil
        }
    }

    /// Returns the password, nil without one.
    func secret(in text: Span<UInt8>) -> Secret? {
        guard let data else {
            return nil
        }
        return text.extracting(data).dumpValue
    }

    /// Returns the attributes of an item of a class.
    func attributes(of itemClass: ItemClass, in text: Span<UInt8>) -> ItemAttributes {
        var attributes = ItemAttributes()
        var unread = values
        for row in Attribute.table
        where row.classes.contains(itemClass) && row.attribute != .accessGroup
            && row.attribute != .synchronizable
        {
            let value = value(row, in: text)
            attributes[row.attribute] = value
            if let code = row.code, value != nil || hasNoContent(code, in: text) {
                unread[code] = nil
            }
        }
        for code in unread.keys.sorted(by: { $0.rawValue < $1.rawValue }) {
            self.unread.note(code.text)
        }
        attributes.accessGroup = "login"
        return attributes
    }

    /// Returns a value; nil if it is absent, counts as absent or can't be in a dump.
    private func value(_ row: Attribute.Row, in text: Span<UInt8>) -> AttributeValue? {
        guard let code = row.code else {
            return nil
        }
        return switch row.form {
        case .text, .server, .data: self.text(code, in: text).map { .text($0) }
        case .protocolType: self.code(code, in: text).map { .text($0.text) }
        case .code: self.code(code, in: text).map { .code($0) }
        case .flag: number(code, in: text) == 1 ? .flag(true) : nil
        case .number: number(code, in: text).flatMap { UInt32(exactly: $0) }.map { .number($0) }
        case .port:
            number(code, in: text).flatMap { UInt16(exactly: $0) }.map { .number(UInt32($0)) }
        case .date: date(code, in: text).map { .date($0) }
        case .accessibility, .accessControl: nil
        }
    }

    private func value(_ name: FourCharacterCode, in text: Span<UInt8>) -> Secret? {
        guard let range = values[name] else {
            return nil
        }
        return text.extracting(range).dumpValue
    }

    /// Whether a value is only zeros, or empty.
    private func hasNoContent(_ name: FourCharacterCode, in text: Span<UInt8>) -> Bool {
        guard let value = value(name, in: text) else {
            return false
        }
        return value.withBytes { bytes in bytes.indices.allSatisfy { bytes[$0] == 0 } }
    }

    /// Returns a text; nil if absent or empty.
    private func text(_ name: FourCharacterCode, in text: Span<UInt8>) -> ByteString? {
        let text = value(name, in: text).text
        return text?.isEmpty == true ? nil : text
    }

    /// Returns a code; nil if absent, 0, or not of four bytes.
    private func code(_ name: FourCharacterCode, in text: Span<UInt8>) -> FourCharacterCode? {
        value(name, in: text).code
    }

    /// Returns a date; nil if absent or invalid.
    private func date(_ name: FourCharacterCode, in text: Span<UInt8>) -> Timestamp? {
        switch value(name, in: text) {
        case .some(let date): date.withBytes { $0.date }
        case .none: nil
        }
    }

    /// Returns a number; nil if absent, 0, or not of four bytes.
    private func number(_ name: FourCharacterCode, in text: Span<UInt8>) -> UInt32? {
        code(name, in: text)?.rawValue
    }
}

extension Optional where Wrapped == Secret {
    /// Four bytes as a code, nil for 0 and for any other number of bytes.
    fileprivate var code: FourCharacterCode? {
        let code = text.flatMap { FourCharacterCode($0) }
        return code?.rawValue == 0 ? nil : code
    }
}
