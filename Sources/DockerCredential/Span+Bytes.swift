/// What is asked of a span of bytes. Nothing is copied.
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

    func lastIndex(of byte: UInt8, in range: Range<Int>) -> Int? {
        var index = range.upperBound
        while index > range.lowerBound {
            index -= 1
            if self[index] == byte {
                return index
            }
        }
        return nil
    }

    /// The part without the white space of ASCII at both ends.
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

/// The bytes that have a meaning in a URL.
enum Byte {
    static let slash = UInt8(ascii: "/")
    static let colon = UInt8(ascii: ":")
    static let openingBracket = UInt8(ascii: "[")
    static let closingBracket = UInt8(ascii: "]")
    static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")

    static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        isLetter(byte) || digits.contains(byte)
    }

    static func isHexadecimalDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20) || digits.contains(byte)
    }

    static func isWhitespace(_ byte: UInt8) -> Bool {
        byte == 0x20 || (0x09...0x0D).contains(byte)
    }
}
