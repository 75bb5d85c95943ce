internal import LanyardSecrets

extension JSONWriter {
    /// Writes a string in quotation marks.
    mutating func appendString(_ text: Span<UInt8>) throws(KeychainError) {
        piece.append(UInt8(ascii: "\""))
        var plain = 0  // where the bytes begin that are written as they are
        var index = 0
        while index < text.count {
            if text[index].isPlainASCII {
                index += 1
                continue
            }
            let length = text.lengthOfScalar(at: index)
            if let length, !text.hasToBeEscaped(at: index) {
                index += length
                continue
            }
            piece.append(text.extracting(plain..<index))
            if let length {
                appendEscape(text, at: index, length: length)
            } else {
                try appendReplacement()
            }
            index += length ?? 1
            plain = index
        }
        piece.append(text.extracting(plain..<index))
        piece.append(UInt8(ascii: "\""))
    }

    private mutating func appendReplacement() throws(KeychainError) {
        guard invalidText == .replace else {
            throw KeychainError(
                .decode, "text that is not UTF-8 can't be written as JSON")
        }
        piece.append("\u{FFFD}" as StaticString)
    }

    private mutating func appendEscape(_ text: Span<UInt8>, at index: Int, length: Int) {
        // Control characters from U+0080 on have two bytes: the second one is the number.
        let byte = text[index + length - 1]
        piece.append(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): piece.append(byte)
        case 0x08: piece.append(UInt8(ascii: "b"))
        case 0x09: piece.append(UInt8(ascii: "t"))
        case 0x0A: piece.append(UInt8(ascii: "n"))
        case 0x0C: piece.append(UInt8(ascii: "f"))
        case 0x0D: piece.append(UInt8(ascii: "r"))
        default:
            piece.append("u00" as StaticString)
            piece.append(Hexadecimal.digit(byte >> 4))
            piece.append(Hexadecimal.digit(byte & 0x0F))
        }
    }
}

extension UInt8 {
    /// Whether this is an ASCII character that needs no escape.
    fileprivate var isPlainASCII: Bool {
        (0x20..<0x7F).contains(self) && self != UInt8(ascii: "\"") && self != UInt8(ascii: "\\")
    }
}

extension Span where Element == UInt8 {
    /// Whether the character at an index must be escaped: a quotation mark, a backslash, or any
    /// control character. These include U+007F to U+009F, which a terminal would obey.
    fileprivate func hasToBeEscaped(at index: Int) -> Bool {
        switch self[index] {
        case 0x00..<0x20, UInt8(ascii: "\""), UInt8(ascii: "\\"), 0x7F: true
        case 0xC2: self[index + 1] < 0xA0
        default: false
        }
    }
}
