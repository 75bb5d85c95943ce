/// Bytes as letters, digits, `+` and `/`, padded with `=`: RFC 4648, section 4.
package enum Base64 {
    private static let digits: StaticString =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    private static let padding = UInt8(ascii: "=")

    /// Returns the Base64 form of bytes.
    package static func encode(_ bytes: Span<UInt8>) -> Secret {
        var text = SecretBuilder(capacity: (bytes.count + 2) / 3 * 4)
        var position = 0
        while position < bytes.count {
            let count = min(3, bytes.count - position)
            var group: UInt32 = 0
            for index in 0..<3 {
                group = group << 8 | (index < count ? UInt32(bytes[position + index]) : 0)
            }
            for index in 0..<4 {
                let digit = digits.byte(at: Int(group >> UInt32(18 - 6 * index) & 63))
                text.append(index <= count ? digit : padding)
            }
            position += count
        }
        return text.finish()
    }

    /// Returns the bytes of a Base64 form, nil if ``encode(_:)`` never makes it. It requires the
    /// padding, and allows no other characters and no leftover bits.
    package static func decode(_ text: Span<UInt8>) -> Secret? {
        guard text.count % 4 == 0 else {
            return nil
        }
        var bytes = SecretBuilder(capacity: text.count / 4 * 3)
        var position = 0
        while position < text.count {
            let isLast = position + 4 == text.count
            var length = 4
            while isLast, length > 2, text[position + length - 1] == padding {
                length -= 1
            }
            var group: UInt32 = 0
            for index in 0..<4 {
                guard let value = index < length ? value(of: text[position + index]) : 0 else {
                    return nil
                }
                group = group << 6 | value
            }
            // The last digit's bits that belong to no byte.
            guard group & (1 << UInt32(8 * (4 - length)) - 1) == 0 else {
                return nil
            }
            for index in 0..<length - 1 {
                bytes.append(UInt8(truncatingIfNeeded: group >> UInt32(16 - 8 * index)))
            }
            position += 4
        }
        return bytes.finish()
    }

    private static func value(of digit: UInt8) -> UInt32? {
        switch digit {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(digit - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(digit - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(digit - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
