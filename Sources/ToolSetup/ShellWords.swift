/// Splits a shell command into words by quotes and backslashes, without expansions.
enum ShellWords {
    static func split(_ command: String) -> [String] {
        var words: [String] = []
        var word: String?
        var quote: Character?
        var isEscaped = false
        for character in command {
            if isEscaped {
                word = (word ?? "") + String(character)
                isEscaped = false
            } else if character == "\\", quote != "'" {
                isEscaped = true
            } else if character == quote {
                quote = nil
            } else if quote == nil, character == "'" || character == "\"" {
                quote = character
                word = word ?? ""
            } else if quote == nil, character.isWhitespace {
                words += [word].compactMap(\.self)
                word = nil
            } else {
                word = (word ?? "") + String(character)
            }
        }
        return words + [word].compactMap(\.self)
    }

    /// Returns a word with special bytes escaped by backslashes. Quotes don't work: git takes a helper for
    /// a path only if it starts with `/`.
    static func escaped(_ word: String) -> String {
        var escaped = ""
        for scalar in word.unicodeScalars {
            let isPlain = scalar.value > 0x7F || isPlain(UInt8(truncatingIfNeeded: scalar.value))
            escaped += isPlain ? String(scalar) : "\\\(scalar)"
        }
        return escaped
    }

    /// Whether a byte has no special meaning in a shell.
    static func isPlain(_ byte: UInt8) -> Bool {
        byte > 0x7F || (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
            || "/._+-".utf8.contains(byte)
    }
}
