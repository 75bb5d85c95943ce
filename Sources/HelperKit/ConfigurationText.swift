internal import Keychain

/// The bytes of a configuration file, in which single entries are changed and all else, comments and
/// spacing included, stays as it is.
struct ConfigurationText {
    private(set) var bytes: [UInt8]
    private var entries: [ConfigurationSyntax.Entry]

    init(_ bytes: [UInt8]) throws(KeychainError) {
        self.bytes = bytes
        entries = try ConfigurationSyntax.parse(bytes)
    }

    /// Gives an entry a value: the last one of its name, or a new one at the end of its section.
    mutating func set(
        _ section: String, _ subsection: String?, _ key: String, _ value: String
    ) throws(KeychainError) {
        let line = "\(key) = \(ConfigurationText.quoted(value))"
        if let entry = entries.last(where: { isEntry($0, section, subsection, key) }) {
            guard entry.value != value else {
                return
            }
            try replace(entry.range, with: line)
        } else if let last = entries.last(where: {
            $0.section == section && $0.subsection == subsection
        }) {
            try replace(last.range.upperBound..<last.range.upperBound, with: "\n\t\(line)")
        } else {
            let header = subsection.map {
                "[\(section) \(ConfigurationText.quoted($0, always: true))]"
            }
            let separator = bytes.isEmpty || bytes.last == UInt8(ascii: "\n") ? "" : "\n"
            try replace(
                bytes.count..<bytes.count,
                with: "\(separator)\(header ?? "[\(section)]")\n\t\(line)\n")
        }
    }

    /// Takes every entry of a name with a value out.
    mutating func remove(
        _ section: String, _ subsection: String?, _ key: String, value: String
    ) throws(KeychainError) {
        while let entry = entries.last(where: {
            isEntry($0, section, subsection, key) && $0.value == value
        }) {
            try replace(lines(of: entry.range), with: "")
        }
    }

    /// Takes every entry of a section out, and the section's header where nothing else follows it.
    mutating func removeSection(
        _ section: String, _ subsection: String
    ) throws(KeychainError) {
        while let entry = entries.last(where: {
            $0.section == section && $0.subsection == subsection
        }) {
            let isOnly = entries.count { $0.header == entry.header } == 1
            let header = lines(of: entry.header)
            let line = lines(of: entry.range)
            try replace(line, with: "")
            if isOnly, header.upperBound <= line.lowerBound {
                try replace(header, with: "")
            }
        }
    }

    private func isEntry(
        _ entry: ConfigurationSyntax.Entry, _ section: String, _ subsection: String?, _ key: String
    ) -> Bool {
        entry.section == section && entry.subsection == subsection && entry.key == key
    }

    private mutating func replace(
        _ range: Range<Int>, with text: String
    ) throws(KeychainError) {
        bytes.replaceSubrange(range, with: Array(text.utf8))
        entries = try ConfigurationSyntax.parse(bytes)
    }

    /// The whole lines that a range touches, with the line feed at their end.
    private func lines(of range: Range<Int>) -> Range<Int> {
        var start = range.lowerBound
        while start > 0, bytes[start - 1] != UInt8(ascii: "\n") {
            start -= 1
        }
        var end = range.upperBound
        while end < bytes.count, bytes[end] != UInt8(ascii: "\n") {
            end += 1
        }
        return start..<min(end + 1, bytes.count)
    }

    /// A value as it is read back whole.
    private static func quoted(_ value: String, always: Bool = false) -> String {
        let isPlain = value.utf8.allSatisfy { byte in
            byte > 0x20 && !["\"", "\\", "#", ";"].contains(Character(UnicodeScalar(byte)))
        }
        guard always || !isPlain || value.isEmpty else {
            return value
        }
        var text = "\""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"", "\\": text += "\\\(scalar)"
            case "\n": text += "\\n"
            case "\t": text += "\\t"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text + "\""
    }
}
