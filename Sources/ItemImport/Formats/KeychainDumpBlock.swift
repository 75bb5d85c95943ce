internal import KeychainServices

/// An item of a dump, by the places of its parts.
struct KeychainDumpBlock {
    /// The number of its first line.
    let line: Int
    /// Where that begins.
    let start: Int

    private var itemClass: Range<Int>?
    /// Where the values of the attributes are that an item can have.
    private var values: [FourCharacterCode: Range<Int>] = [:]
    private var data: Range<Int>?
    private var isDataNext = false

    init(_ line: Line) {
        self.line = line.number
        start = line.range.lowerBound
    }

    /// Takes a line of the item.
    mutating func take(_ line: Line, in text: Span<UInt8>) {
        let bytes = text.extracting(line.range)
        if isDataNext {
            data = line.range
            isDataNext = false
        } else if bytes.starts(with: "class:") {
            itemClass = itemClass ?? line.range.lowerBound + 6..<line.range.upperBound
        } else if bytes.starts(with: "data:") {
            isDataNext = data == nil
        } else if let name = bytes.dumpAttribute, let equalsSign = bytes.firstIndex(of: 0x3D),
            values[name] == nil
        {
            values[name] = line.range.lowerBound + equalsSign + 1..<line.range.upperBound
        }
    }

    /// The class, nil if it is none of passwords.
    func itemClass(in text: Span<UInt8>) -> ItemClass? {
        guard let itemClass, let code = text.extracting(itemClass).dumpValue.code else {
            return nil
        }
        switch ItemClass(rawValue: code) {
        case .genericPassword: return .genericPassword
        case .internetPassword: return .internetPassword
        default: return nil
        }
    }

    /// The password, nil if there is none.
    func secret(in text: Span<UInt8>) -> Secret? {
        guard let data else {
            return nil
        }
        return text.extracting(data).dumpValue
    }

    /// The attributes that an item of a class gets.
    func attributes(of itemClass: ItemClass, in text: Span<UInt8>) -> ItemAttributes {
        var attributes = ItemAttributes()
        for row in Attribute.table where row.classes.contains(itemClass) {
            attributes[row.attribute] = value(row, in: text)
        }
        attributes.accessGroup = "login"
        attributes.synchronizable = nil
        return attributes
    }

    /// Nil for one that is absent or counts as that, and for one that a dump does not have.
    private func value(_ row: Attribute.Row, in text: Span<UInt8>) -> AttributeValue? {
        switch row.form {
        case .text, .server, .data: self.text(row.code, in: text).map { .text($0) }
        case .protocolType: code(row.code, in: text).map { .text($0.text) }
        case .code: code(row.code, in: text).map { .code($0) }
        case .flag: number(row.code, in: text) == 1 ? .flag(true) : nil
        case .number: number(row.code, in: text).flatMap { UInt16(exactly: $0) }.map { .number($0) }
        case .date: date(row.code, in: text).map { .date($0) }
        case .accessibility, .accessControl: nil
        }
    }

    private func value(_ name: FourCharacterCode, in text: Span<UInt8>) -> Secret? {
        guard let range = values[name] else {
            return nil
        }
        return text.extracting(range).dumpValue
    }

    /// Nil for one that is absent or empty.
    private func text(_ name: FourCharacterCode, in text: Span<UInt8>) -> ByteString? {
        let text = value(name, in: text).text
        return text?.isEmpty == true ? nil : text
    }

    /// Nil for one that is absent, 0, or not of four bytes.
    private func code(_ name: FourCharacterCode, in text: Span<UInt8>) -> FourCharacterCode? {
        value(name, in: text).code
    }

    /// Nil for one that is absent or no date.
    private func date(_ name: FourCharacterCode, in text: Span<UInt8>) -> Timestamp? {
        switch value(name, in: text) {
        case .some(let date): date.withBytes { $0.date }
        case .none: nil
        }
    }

    /// Nil for one that is absent, 0, or not of four bytes.
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
