/// The parser's help, whose USAGE is one line however long it is.
enum HelpText {
    /// Returns a help text with a USAGE that fits 80 columns: broken between options, never inside of one.
    static func wrappingUsage(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.hasPrefix("USAGE: ") ? wrapped($0) : String($0) }
            .joined(separator: "\n")
    }

    private static func wrapped(_ usage: Substring) -> String {
        var lines = [""]
        for part in parts(of: usage) {
            let line = lines[lines.count - 1]
            if line.isEmpty {
                lines[lines.count - 1] = part
            } else if line.count + 1 + part.count <= 80 {
                lines[lines.count - 1] += " \(part)"
            } else {
                lines.append("         \(part)")
            }
        }
        return lines.joined(separator: "\n")
    }

    /// Splits a line at its spaces outside of brackets, and not between an option and its value.
    private static func parts(of usage: Substring) -> [String] {
        var parts: [String] = []
        var depth = 0
        for word in usage.split(separator: " ").map(String.init) {
            let isValue = word.hasPrefix("<") && parts.last?.hasPrefix("--") == true
            if depth > 0 || isValue {
                parts[parts.count - 1] += " \(word)"
            } else {
                parts.append(word)
            }
            depth += word.count { $0 == "[" } - word.count { $0 == "]" }
        }
        return parts
    }
}
