extension String {
    /// Returns the text with lines that are too long for a terminal broken between words. Continuation
    /// lines get the indentation of their line, or a given number of spaces if it has none.
    ///
    /// A word that is too long breaks after slashes. A command after a colon or a semicolon stays whole if a line of its own
    /// has room for it; else it breaks between its arguments, after a backslash: it can be copied. It ends with the line, or
    /// with a comma or a semicolon.
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
        let all = words(of: line)
        let blanks = all.first?.blanks ?? 0
        let indentation = String(repeating: " ", count: blanks > 0 ? blanks : indentation)
        let words = all.flatMap { $0.pieces(of: columns - indentation.utf8.count) }
        var text = ""
        var width = 0
        for (index, word) in words.enumerated() {
            let wordWidth = DisplayWidth.of(word.text)
            // Another argument needs room for its own backslash.
            let isFollowed = index + 1 < words.count && words[index + 1].isArgument
            let needed = word.blanks + wordWidth + (isFollowed ? 2 : 0)
            // A question keeps the spaces at its end.
            if index > 0, !word.text.isEmpty, width + needed > columns {
                text += "\(word.isArgument ? " \\" : "")\n\(indentation)\(word.text)"
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
        /// Whether it is a command with its arguments.
        var isCommand = false
        /// Whether it is an argument of the command before it.
        var isArgument = false

        /// Returns the word in pieces that fit a width, as far as it can be broken.
        func pieces(of width: Int) -> [Word] {
            guard DisplayWidth.of(text) > width else {
                return [self]
            }
            return isCommand ? arguments : parts(of: width)
        }

        /// A command's arguments: quoted blanks separate none.
        private var arguments: [Word] {
            var arguments: [Word] = []
            var rest = text
            while !rest.isEmpty {
                let blanks = rest.prefix { $0 == " " }
                rest = rest[blanks.endIndex...]
                var isQuoted = false
                let argument = rest.prefix { character in
                    isQuoted = isQuoted != (character == "'")
                    return isQuoted || character != " "
                }
                rest = rest[argument.endIndex...]
                arguments.append(
                    Word(
                        blanks: arguments.isEmpty ? self.blanks : blanks.count, text: argument,
                        isArgument: !arguments.isEmpty))
            }
            return arguments
        }

        /// A path's parts, as long as the width permits.
        private func parts(of width: Int) -> [Word] {
            var parts: [Word] = []
            for name in text.split(separator: "/", omittingEmptySubsequences: false) {
                let part = text[
                    name
                        .startIndex..<(name.endIndex < text.endIndex
                        ? text.index(after: name.endIndex) : name.endIndex)]
                if let last = parts.last,
                    DisplayWidth.of(last.text) + DisplayWidth.of(part) <= width
                {
                    parts[parts.count - 1].text = text[last.text.startIndex..<part.endIndex]
                } else if !part.isEmpty {
                    parts.append(Word(blanks: parts.isEmpty ? blanks : 0, text: part))
                }
            }
            return parts
        }
    }

    /// Splits a line into words, with each command as one.
    private static func words(of line: Substring) -> [Word] {
        var words: [Word] = []
        var rest = line
        while !rest.isEmpty {
            let blanks = rest.prefix { $0 == " " }
            rest = rest[blanks.endIndex...]
            let text = rest.prefix { $0 != " " }
            // A column may begin with one.
            let isColumn = words.count < 2 && blanks.count > 1 && text == "lanyard"
            let isAfterSign = words.last?.text.last.map { ":;".contains($0) } ?? false
            if isColumn || isAfterSign && (commands.contains(text) || isOfShell(rest)) {
                let command = isOfShell(rest) ? rest : command(in: rest)
                words.append(Word(blanks: blanks.count, text: command, isCommand: true))
                rest = rest[command.endIndex...]
                continue
            }
            words.append(Word(blanks: blanks.count, text: text))
            rest = rest[text.endIndex...]
        }
        return words
    }

    /// Returns the command that starts a text: its sentence goes on after an unquoted comma or semicolon, and another column
    /// after two blanks.
    private static func command(in text: Substring) -> Substring {
        var isQuoted = false
        var last: Character = " "
        var rest = text
        while let character = rest.first {
            if character == " ", !isQuoted, ",;".contains(last) || rest.hasPrefix("  ") {
                return text[..<rest.startIndex]
            }
            isQuoted = isQuoted != (character == "'")
            last = character
            rest = rest.dropFirst()
        }
        return text
    }

    /// Whether a text is a command of the shell itself, whose names are also words of sentences.
    private static func isOfShell(_ text: Substring) -> Bool {
        let words = text.split(separator: " ", maxSplits: 2)
        guard words.count > 1 else {
            return false
        }
        return words[0] == "set" && words[1].hasPrefix("-")
            || words[0] == "export" && words[1].contains("=")
    }

    /// The programs that hints and remedies name.
    private static let commands: Set<Substring> = [
        "chmod", "chown", "docker", "git", "gpgconf", "lanyard", "mkdir", "mv", "podman", "rm",
        "sudo",
        "systemctl", "unset",
    ]
}
