/// Helps parsers read a span of bytes without copying.
extension Span where Element == UInt8 {
    /// Whether it contains a byte that git's protocol forbids in values: LF, CR or NUL.
    var hasLineBreakOrNUL: Bool {
        for index in indices {
            let byte = self[index]
            if byte == Byte.lineFeed || byte == Byte.carriageReturn || byte == Byte.null {
                return true
            }
        }
        return false
    }
}

/// The bytes with a meaning in git's protocol.
enum Byte {
    static let null: UInt8 = 0x00
    static let lineFeed: UInt8 = 0x0A
    static let carriageReturn: UInt8 = 0x0D
    static let equalsSign = UInt8(ascii: "=")
    static let colon = UInt8(ascii: ":")
}
