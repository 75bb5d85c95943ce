/// The value of an attribute.
package enum AttributeValue: Hashable, Sendable {
    /// Text, a protocol's code or scheme, or data.
    case text(ByteString)
    case code(FourCharacterCode)
    case flag(Bool)
    /// A port, a type or a size.
    case number(UInt32)
    case date(Timestamp)
    case accessibility(Accessibility)
    case accessControl(AccessControl)

    package var text: ByteString? { if case .text(let text) = self { text } else { nil } }
    package var code: FourCharacterCode? { if case .code(let code) = self { code } else { nil } }
    package var flag: Bool? { if case .flag(let flag) = self { flag } else { nil } }
    package var number: UInt32? { if case .number(let number) = self { number } else { nil } }
    package var date: Timestamp? { if case .date(let date) = self { date } else { nil } }
    package var accessibility: Accessibility? {
        if case .accessibility(let accessibility) = self { accessibility } else { nil }
    }
    package var accessControl: AccessControl? {
        if case .accessControl(let accessControl) = self { accessControl } else { nil }
    }
}

extension AttributeValue {
    /// The number of bytes that ``append(to:)`` appends.
    package var byteCount: Int {
        switch self {
        case .text(let text): text.bytes.count
        case .flag, .accessibility: 1
        case .number(let number): number <= UInt16.max ? 2 : 4
        case .code, .accessControl: 4
        case .date: 8
        }
    }

    /// Appends the value's bytes, most significant first: part of the file format. An access
    /// control appends its flags, and a number over 65535 four bytes instead of two.
    package func append(to bytes: inout OutputSpan<UInt8>) {
        switch self {
        case .text(let text): bytes.append(copying: text.bytes)
        case .code(let code): bytes.append(bigEndian: code.rawValue)
        case .flag(let flag): bytes.append(flag ? 1 : 0)
        case .number(let number):
            if let short = UInt16(exactly: number) {
                bytes.append(bigEndian: short)
            } else {
                bytes.append(bigEndian: number)
            }
        case .date(let date): bytes.append(bigEndian: date.secondsSinceEpoch)
        case .accessibility(let accessible): bytes.append(accessible.rawValue)
        case .accessControl(let control): bytes.append(bigEndian: control.flags.rawValue)
        }
    }

    /// Returns the value from which ``append(to:)`` made these bytes, nil if there is none.
    ///
    /// - Parameter accessible: The accessibility to which an access control's flags are added.
    package init?(_ bytes: Span<UInt8>, _ form: Attribute.Form, accessible: Accessibility) {
        let value: AttributeValue?
        switch form {
        case .text, .server, .data, .protocolType: value = .text(ByteString(copying: bytes))
        case .code:
            value = bytes.number().map { .code(FourCharacterCode(rawValue: $0)) }
        case .flag:
            value = bytes.number().flatMap { (number: UInt8) in
                number > 1 ? nil : .flag(number == 1)
            }
        case .port: value = bytes.number(UInt16.self).map { .number(UInt32($0)) }
        case .number:
            value =
                bytes.number(UInt16.self).map { .number(UInt32($0)) }
                ?? bytes.number(UInt32.self).flatMap { $0 > UInt16.max ? .number($0) : nil }
        case .date: value = bytes.number().map { .date(Timestamp(secondsSinceEpoch: $0)) }
        case .accessibility:
            value = bytes.number().flatMap(Accessibility.init(rawValue:)).map { .accessibility($0) }
        case .accessControl:
            value = bytes.number().map {
                let flags = AccessControl.Flags(rawValue: $0)
                return .accessControl(AccessControl(accessible: accessible, flags: flags))
            }
        }
        guard let value else {
            return nil
        }
        self = value
    }
}

extension Span where Element == UInt8 {
    /// Returns the number with these bytes, most significant first; nil if their count differs from
    /// its size.
    @inlinable package func number<Number: FixedWidthInteger>(
        _: Number.Type = Number.self
    ) -> Number? {
        guard count == MemoryLayout<Number>.size else {
            return nil
        }
        var number: Number = 0
        for index in indices {
            number = number << 8 | Number(truncatingIfNeeded: self[index])
        }
        return number
    }
}
