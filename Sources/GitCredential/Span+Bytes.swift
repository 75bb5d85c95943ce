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
}

/// The bytes that git's protocol gives a meaning.
enum Byte {
    static let null: UInt8 = 0x00
    static let lineFeed: UInt8 = 0x0A
    static let carriageReturn: UInt8 = 0x0D
    static let equalsSign = UInt8(ascii: "=")
    static let colon = UInt8(ascii: ":")
    static let zero = UInt8(ascii: "0")
}
