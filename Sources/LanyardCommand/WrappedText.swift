extension String {
    /// The text with lines that are too long for a terminal broken between words, what follows indented
    /// by two blanks. A word that is too long by itself stays whole, so that it can be copied.
    ///
    /// - Parameter columns: How many columns the terminal has.
    func wrapped(to columns: Int) -> String {
        split(separator: "\n", omittingEmptySubsequences: false)
            .map { String.wrapped($0, to: columns) }.joined(separator: "\n")
    }

    private static let indentation = "  "

    private static func wrapped(_ line: Substring, to columns: Int) -> String {
        guard DisplayWidth.of(line) > columns else {
            return String(line)
        }
        let words = line.split(separator: " ").map(String.init)
        var lines = [words.first ?? ""]
        for word in words.dropFirst() {
            let longer = "\(lines[lines.count - 1]) \(word)"
            if DisplayWidth.of(longer) > columns {
                lines.append(indentation + word)
            } else {
                lines[lines.count - 1] = longer
            }
        }
        return lines.joined(separator: "\n")
    }
}
