extension String {
    /// The text with lines that are too long for a terminal broken between words. What follows is indented as
    /// the line is, or by some blanks if that is not.
    ///
    /// A word that is too long by itself stays whole, and so does a command at the end of a line, so that
    /// both can be copied.
    ///
    /// - Parameters:
    ///   - columns: How many columns the terminal has.
    ///   - indentation: How many blanks stand before what follows a line without any.
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
            // The blanks at the end of a question stay in its line.
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

    /// What is not to be broken, and how many blanks stand before it.
    private struct Word {
        let blanks: Int
        var text: Substring
    }

    /// A line's words, a command at its end as one.
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
