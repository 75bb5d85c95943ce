internal import KeychainServices

extension String {
    /// Returns an option of a command with the text as its value. One that begins with a hyphen needs the sign.
    package func asValue(of option: String) -> String {
        "\(option)\(hasPrefix("-") ? "=" : " ")\(shellWord)"
    }
}

/// Splits a shell command into words by quotes and backslashes, without expansions.
enum ShellWords {
    /// Returns the first words of a command.
    static func split(_ command: some Sequence<UInt8>, atMost limit: Int = .max) -> [String] {
        var words: [[UInt8]] = []
        var word: [UInt8]?
        var quote: UInt8?
        var isEscaped = false
        for byte in command {
            if isEscaped {
                word = (word ?? []) + [byte]
                isEscaped = false
            } else if byte == UInt8(ascii: "\\"), quote != UInt8(ascii: "'") {
                isEscaped = true
            } else if byte == quote {
                quote = nil
            } else if quote == nil, byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") {
                quote = byte
                word = word ?? []
            } else if quote == nil, byte.isWhitespace {
                words += [word].compactMap(\.self)
                word = nil
                if words.count == limit {
                    break
                }
            } else {
                word = (word ?? []) + [byte]
            }
        }
        words += [word].compactMap(\.self)
        return words.map { String(decoding: $0, as: UTF8.self) }
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
        byte > 0x7F || byte.isLetterOrDigit || "/._+-".utf8.contains(byte)
    }
}
