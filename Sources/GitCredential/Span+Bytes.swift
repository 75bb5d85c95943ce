internal import KeychainServices

/// What the parsers ask of a span of bytes. Nothing is copied.
extension Span where Element == UInt8 {
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
