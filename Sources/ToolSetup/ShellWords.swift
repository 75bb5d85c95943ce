/// The words of a shell's command, as far as quotes and backslashes tell them apart: no expansions.
enum ShellWords {
    /// The words of a command.
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

    /// A word with a backslash before each byte that means something to a shell: git takes a helper for a
    /// path only if it begins with `/`, so that quotes can't stand around it.
    static func escaped(_ word: String) -> String {
        var escaped = ""
        for scalar in word.unicodeScalars {
            let isPlain = scalar.value > 0x7F || isPlain(UInt8(truncatingIfNeeded: scalar.value))
            escaped += isPlain ? String(scalar) : "\\\(scalar)"
        }
        return escaped
    }

    /// Whether a byte means nothing to a shell.
    static func isPlain(_ byte: UInt8) -> Bool {
        byte > 0x7F || (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
            || "/._+-".utf8.contains(byte)
    }
}
