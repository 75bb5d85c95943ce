internal import Keychain

/// What the parsers ask of a span of bytes. Nothing is copied.
extension Span where Element == UInt8 {
    func firstIndex(of byte: UInt8, from start: Int = 0) -> Int? {
        var index = start
        while index < count {
            if self[index] == byte {
                return index
            }
            index += 1
        }
        return nil
    }

    func lastIndex(of byte: UInt8) -> Int? {
        var index = count
        while index > 0 {
            index -= 1
            if self[index] == byte {
                return index
            }
        }
        return nil
    }

    func contains(_ byte: UInt8) -> Bool {
        firstIndex(of: byte) != nil
    }

    func starts(with text: StaticString) -> Bool {
        guard count >= text.utf8CodeUnitCount else {
            return false
        }
        for index in 0..<text.utf8CodeUnitCount where self[index] != text.byte(at: index) {
            return false
        }
        return true
    }

    func equals(_ text: StaticString) -> Bool {
        count == text.utf8CodeUnitCount && starts(with: text)
    }

    /// Like ``equals(_:)``, letter case set aside, for a text that is small letters alone: no byte
    /// but a letter becomes one by the bit that makes letters small.
    func equalsIgnoringCase(_ letters: StaticString) -> Bool {
        guard count == letters.utf8CodeUnitCount else {
            return false
        }
        for index in indices where self[index] | 0x20 != letters.byte(at: index) {
            return false
        }
        return true
    }

    /// Whether there is a byte in it that no value of git's protocol may have: LF, CR or NUL.
    var hasLineBreakOrNUL: Bool {
        for index in indices {
            let byte = self[index]
            if byte == Byte.lineFeed || byte == Byte.carriageReturn || byte == Byte.null {
                return true
            }
        }
        return false
    }

    /// The number that these digits are, nil if there are none, others than digits, or too many.
    var decimalNumber: Int64? {
        guard count > 0 else {
            return nil
        }
        var number: Int64 = 0
        for index in indices {
            guard Byte.digits.contains(self[index]) else {
                return nil
            }
            let (tens, overflow) = number.multipliedReportingOverflow(by: 10)
            let (sum, carry) = tens.addingReportingOverflow(Int64(self[index] & 0x0F))
            guard !overflow, !carry else {
                return nil
            }
            number = sum
        }
        return number
    }
}

/// The bytes that git's protocol gives a meaning.
enum Byte {
    static let null: UInt8 = 0x00
    static let lineFeed: UInt8 = 0x0A
    static let carriageReturn: UInt8 = 0x0D
    static let equalsSign = UInt8(ascii: "=")
    static let colon = UInt8(ascii: ":")
    static let zero = UInt8(ascii: "0")
    static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
}
