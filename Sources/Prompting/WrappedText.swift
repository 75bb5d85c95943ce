extension String {
    /// Returns the text with lines that are too long for a terminal broken between words. Continuation
    /// lines get the indentation of their line, or a given number of spaces if it has none.
    ///
    /// A word that is too long stays whole, and so does a command at the end of a line: both can be copied.
    ///
    /// - Parameters:
    ///   - columns: How many columns the terminal has.
    ///   - indentation: How many spaces start a continuation of an unindented line.
    public func wrapped(to columns: Int, indentation: Int = 2) -> String {
        split(separator: "\n", omittingEmptySubsequences: false)
            .map { String.wrapped($0, to: columns, indentation) }.joined(separator: "\n")
    }

    private static func wrapped(_ line: Substring, to columns: Int, _ indentation: Int) -> String {
        guard DisplayWidth.of(line) > columns else {
            return String(line)
        }
        let words = words(of: line)
        let blanks = words.first?.blanks ?? 0
        let indentation = String(repeating: " ", count: blanks > 0 ? blanks : indentation)
        var text = ""
        var width = 0
        for (index, word) in words.enumerated() {
            let wordWidth = DisplayWidth.of(word.text)
            // A question keeps the spaces at its end.
            if index > 0, !word.text.isEmpty, width + word.blanks + wordWidth > columns {
                text += "\n\(indentation)\(word.text)"
                width = indentation.utf8.count + wordWidth
            } else {
                text += String(repeating: " ", count: word.blanks) + word.text
                width += word.blanks + wordWidth
            }
        }
        return text
    }

    /// An unbreakable piece of text, and the number of spaces before it.
    private struct Word {
        let blanks: Int
        var text: Substring
    }

    /// Splits a line into words, with a command at its end as one.
    private static func words(of line: Substring) -> [Word] {
        var words: [Word] = []
        var rest = line
        while !rest.isEmpty {
            let blanks = rest.prefix { $0 == " " }
            rest = rest[blanks.endIndex...]
            let text = rest.prefix { $0 != " " }
            if commands.contains(text), let before = words.last?.text.last, ":;".contains(before) {
                words.append(Word(blanks: blanks.count, text: rest))
                return words
            }
            words.append(Word(blanks: blanks.count, text: text))
            rest = rest[text.endIndex...]
        }
        return words
    }

    /// The programs that hints and remedies name.
    private static let commands: Set<Substring> = [
        "chmod", "chown", "docker", "git", "lanyard", "mkdir", "mv", "podman", "rm", "sudo",
        "systemctl", "unset",
    ]
}
