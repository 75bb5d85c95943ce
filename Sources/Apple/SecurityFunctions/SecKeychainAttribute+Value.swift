internal import KeychainServices

extension Attribute {
    /// Creates the attribute with a tag of Keychain Services: its code, or 7 for the label.
    ///
    /// - Throws: ``Status/noSuchAttribute`` for an unknown one.
    init(tag: UInt32) throws(KeychainError) {
        guard let row = Attribute.table.first(where: { $0.code?.rawValue == tag }) else {
            guard tag == 7 else {
                throw KeychainError(.noSuchAttribute)
            }
            self = .label
            return
        }
        self = row.attribute
    }
}

extension SecKeychainAttribute {
    /// Returns the attribute that a caller wants to set, and its value.
    ///
    /// - Throws: ``Status/noSuchAttribute`` for one that can't be set; ``Status/param`` for a value
    ///   of another size.
    @unsafe  // Safe: callers pass memory as they got it.
    func value() throws(KeychainError) -> (name: Attribute, value: AttributeValue) {
        // Safe: the memory of a caller, with the size that the caller gives.
        let attribute = try Attribute(tag: unsafe tag)
        // Safe: the caller says how long it is, and it is copied.
        let bytes = unsafe Array(
            UnsafeRawBufferPointer(start: data, count: data == nil ? 0 : Int(length)))
        let value: AttributeValue?
        switch attribute.form {
        case .text, .server, .data: value = .text(ByteString(bytes))
        case .protocolType:
            value = bytes.machineNumber.map { .text(FourCharacterCode(rawValue: $0).text) }
        case .code: value = bytes.machineNumber.map { .code(FourCharacterCode(rawValue: $0)) }
        case .flag: value = bytes.isEmpty ? nil : .flag(bytes.contains { $0 != 0 })
        case .number: value = bytes.machineNumber.map { .number($0) }
        case .port:
            value = bytes.machineNumber.flatMap { $0 <= UInt16.max ? .number($0) : nil }
        case .date, .accessibility, .accessControl: throw KeychainError(.noSuchAttribute)
        }
        guard let value else {
            throw KeychainError(.param)
        }
        return (attribute, value)
    }
}

extension AttributeValue {
    /// Returns the bytes as a caller gets them: numbers in the machine's byte order, dates as text.
    func attributeBytes(_ form: Attribute.Form) -> [UInt8]? {
        switch self {
        case .text(let text) where form == .protocolType:
            FourCharacterCode(text)?.rawValue.machineBytes ?? text.bytes
        case .text(let text): text.bytes
        case .code(let code): code.rawValue.machineBytes
        case .flag(let flag): [flag ? 1 : 0]
        case .number(let number): number.machineBytes
        // As "YYYYMMDDhhmmssZ" with a NUL.
        case .date(let date): date.text.utf8.filter { !"-:T".utf8.contains($0) } + [0]
        case .accessibility(let accessibility): Array(accessibility.code.utf8)
        case .accessControl: nil
        }
    }
}

extension [UInt8] {
    /// The number of two or four bytes in the machine's order, nil for another count.
    fileprivate var machineNumber: UInt32? {
        guard count == 2 || count == 4 else {
            return nil
        }
        #if _endian(little)
        let inOrder = Array(reversed())
        #else
        let inOrder = self
        #endif
        return inOrder.reduce(0) { $0 << 8 | UInt32($1) }
    }
}

extension UInt32 {
    /// The four bytes in the machine's order.
    fileprivate var machineBytes: [UInt8] {
        let bytes = bigEndianBytes
        #if _endian(little)
        return bytes.reversed()
        #else
        return bytes
        #endif
    }
}
