extension Span where Element == UInt8 {
    /// Returns the length in bytes of the scalar at an index, nil if it is not well-formed UTF-8.
    ///
    /// The corresponding table of the Unicode standard is 3-7, "Well-Formed UTF-8 Byte Sequences".
    func lengthOfScalar(at index: Int) -> Int? {
        let first = self[index]
        let length: Int
        // The second byte reveals overlong forms, surrogates and scalars beyond U+10FFFF.
        var second: ClosedRange<UInt8> = 0x80...0xBF
        switch first {
        case 0x00...0x7F: return 1
        case 0xC2...0xDF: length = 2
        case 0xE0...0xEF:
            length = 3
            second = first == 0xE0 ? 0xA0...0xBF : first == 0xED ? 0x80...0x9F : second
        case 0xF0...0xF4:
            length = 4
            second = first == 0xF0 ? 0x90...0xBF : first == 0xF4 ? 0x80...0x8F : second
        default: return nil
        }
        guard index + length <= count, second.contains(self[index + 1]) else {
            return nil
        }
        for offset in 2..<max(length, 2) where self[index + offset] & 0xC0 != 0x80 {
            return nil
        }
        return length
    }
}
