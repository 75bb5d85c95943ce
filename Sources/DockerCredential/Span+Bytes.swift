/// Reads a span of bytes without copying.
extension Span where Element == UInt8 {
    /// The part without ASCII white space at both ends.
    var trimmedRange: Range<Int> {
        var end = count
        while end > 0, Byte.isWhitespace(self[end - 1]) {
            end -= 1
        }
        var start = 0
        while start < end, Byte.isWhitespace(self[start]) {
            start += 1
        }
        return start..<end
    }
}

private enum Byte {
    static func isWhitespace(_ byte: UInt8) -> Bool {
        byte == 0x20 || (0x09...0x0D).contains(byte)
    }
}
