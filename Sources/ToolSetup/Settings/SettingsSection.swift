/// Lines of a tool's text file that name lanyard, and the section that they belong to.
struct SettingsSection: Hashable, Sendable {
    /// The line that begins the section, such as `[registry]`; nil for the lines before the first section.
    let header: String?
    /// The lines.
    let lines: [String]

    /// Whether a text has the lines in the section.
    func isIn(_ text: SettingsText) -> Bool {
        let own = text.lines(of: header)
        return lines.allSatisfy { line in own.contains(String(line.drop { $0 == " " })) }
    }

    /// Returns the first line of a text that sets the same as one of the lines, but something else.
    func conflict(in text: SettingsText) -> String? {
        text.lines(of: header).first { other in
            !lines.contains(other)
                && lines.contains { SettingsSection.key($0) == SettingsSection.key(other) }
        }
    }

    /// Returns the name of what a line sets: the text before its first equals sign, else its first word.
    static func key(_ line: String) -> String {
        let end = line.firstIndex(of: "=") ?? line.firstIndex(of: " ") ?? line.endIndex
        let key = line[..<end].filter { $0 != " " }
        // Python's files may have a colon there.
        return key.hasSuffix(":") ? String(key.dropLast()) : key
    }
}
