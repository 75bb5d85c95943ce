internal import LanyardSecrets

/// Bytes as letters and the digits from 2 to 7: RFC 4648, section 6.
enum Base32 {
    /// Returns the bytes of a key as services show it: in either letter case, with or without padding, and
    /// with spaces or hyphens between groups. Nil for other characters, and for fewer than 5 bytes, which
    /// are a part of a key.
    static func decode(_ text: Span<UInt8>) -> Secret? {
        var bytes = SecretBuilder(capacity: text.count)
        var bits: UInt32 = 0
        var count = 0
        var isPadded = false
        for index in text.indices {
            let digit = text[index]
            switch digit {
            case UInt8(ascii: " "), UInt8(ascii: "-"): continue
            case UInt8(ascii: "="):
                isPadded = true
                continue
            default: break
            }
            guard let value = value(of: digit), !isPadded else {
                return nil
            }
            bits = bits << 5 | value
            count += 5
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
            }
        }
        return bytes.count >= 5 ? bytes.finish() : nil
    }

    private static func value(of digit: UInt8) -> UInt32? {
        switch digit {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(digit - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(digit - UInt8(ascii: "a"))
        case UInt8(ascii: "2")...UInt8(ascii: "7"): UInt32(digit - UInt8(ascii: "2")) + 26
        default: nil
        }
    }
}
