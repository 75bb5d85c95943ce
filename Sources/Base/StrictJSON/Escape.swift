internal import LanyardSecrets

/// A decoded escape in a JSON string: a backslash and a letter, `\u` and four digits, or two of
/// those for a surrogate pair.
///
/// The corresponding section of RFC 8259 is 7, "Strings".
struct Escape {
    /// The character it represents.
    let utf8: UTF8.EncodedScalar
    /// Its length in the text, in bytes.
    let length: Int

    /// Creates the escape whose backslash is at an index, nil if it is invalid or half of a pair.
    init?(in bytes: Span<UInt8>, at index: Int) {
        guard index + 1 < bytes.count else {
            return nil
        }
        let scalar: Unicode.Scalar?
        switch bytes[index + 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"):
            scalar = Unicode.Scalar(bytes[index + 1])
        case UInt8(ascii: "b"): scalar = "\u{08}"
        case UInt8(ascii: "f"): scalar = "\u{0C}"
        case UInt8(ascii: "n"): scalar = "\n"
        case UInt8(ascii: "r"): scalar = "\r"
        case UInt8(ascii: "t"): scalar = "\t"
        case UInt8(ascii: "u"):
            self.init(codeUnitsIn: bytes, at: index)
            return
        default: scalar = nil
        }
        self.init(scalar, length: 2)
    }

    private init?(_ scalar: Unicode.Scalar?, length: Int) {
        guard let scalar, let utf8 = UTF8.encode(scalar) else {
            return nil
        }
        self.utf8 = utf8
        self.length = length
    }

    private init?(codeUnitsIn bytes: Span<UInt8>, at index: Int) {
        guard let first = Escape.codeUnit(in: bytes, at: index) else {
            return nil
        }
        var value = UInt32(first)
        var length = 6
        if UTF16.isLeadSurrogate(first) {
            guard let second = Escape.codeUnit(in: bytes, at: index + 6),
                UTF16.isTrailSurrogate(second)
            else {
                return nil
            }
            value = 0x1_0000 + ((value & 0x3FF) << 10 | UInt32(second & 0x3FF))
            length = 12
        }
        // A lone trail surrogate is not a scalar.
        self.init(Unicode.Scalar(value), length: length)
    }

    /// Returns the number in `\u` and four digits.
    private static func codeUnit(in bytes: Span<UInt8>, at index: Int) -> UInt16? {
        guard index + 6 <= bytes.count, bytes[index] == UInt8(ascii: "\\"),
            bytes[index + 1] == UInt8(ascii: "u")
        else {
            return nil
        }
        var unit: UInt16 = 0
        for position in index + 2..<index + 6 {
            guard let digit = Hexadecimal.value(of: bytes[position]) else {
                return nil
            }
            unit = unit << 4 | UInt16(digit)
        }
        return unit
    }
}
