/// Douglas Crockford's base32: bits in groups of five, most significant first. Its characters are
/// hard to confuse with each other.
package enum CrockfordBase32 {
    private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

    /// Returns the character of a value from 0 to 31.
    package static func character(_ value: UInt8) -> UInt8 {
        alphabet[Int(value)]
    }

    /// Returns the values of a text's characters, ignoring blanks and dashes; nil if it has an
    /// invalid character.
    package static func digits(of text: borrowing Secret) -> Secret? {
        var digits = SecretBuilder(capacity: text.count)
        let isWhole = text.withBytes { text in
            for index in text.indices where !isSeparator(text[index]) {
                guard let value = value(text[index]) else {
                    return false
                }
                digits.append(value)
            }
            return true
        }
        return isWhole ? digits.finish() : nil
    }

    /// Appends the values of the first digits of some bytes.
    package static func append(_ bytes: Span<UInt8>, _ count: Int, to digits: inout SecretBuilder) {
        for index in 0..<count {
            let (first, offset) = (index * 5).quotientAndRemainder(dividingBy: 8)
            let second = first + 1 < bytes.count ? bytes[first + 1] : 0
            let window = UInt16(bytes[first]) << 8 | UInt16(second)
            digits.append(UInt8(truncatingIfNeeded: window >> (11 - UInt16(offset)) & 31))
        }
    }

    /// Returns the bytes of some digits; bits that don't fill a byte are dropped.
    package static func bytes(of digits: Span<UInt8>) -> Secret {
        var bytes = SecretBuilder(capacity: digits.count * 5 / 8)
        var window: UInt16 = 0
        var bitCount: UInt16 = 0
        for index in digits.indices {
            window = window << 5 | UInt16(digits[index])
            bitCount += 5
            if bitCount >= 8 {
                bitCount -= 8
                bytes.append(UInt8(truncatingIfNeeded: window >> bitCount))
            }
        }
        return bytes.finish()
    }

    private static func isSeparator(_ byte: UInt8) -> Bool {
        [UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "-")].contains(byte)
    }

    private static func value(_ byte: UInt8) -> UInt8? {
        let isLowerCase = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
        switch isLowerCase ? byte - 32 : byte {
        case UInt8(ascii: "O"): return 0
        case UInt8(ascii: "I"), UInt8(ascii: "L"): return 1
        case let character: return alphabet.firstIndex(of: character).map(UInt8.init)
        }
    }
}
