internal import KeychainServices

/// The bytes of a configuration file. Changing an entry leaves all others alone, including comments
/// and spacing.
struct ConfigurationText {
    private(set) var bytes: [UInt8]
    private var syntax: ConfigurationSyntax

    init(_ bytes: [UInt8]) throws(KeychainError) {
        self.bytes = bytes
        syntax = try ConfigurationSyntax(bytes)
    }

    /// Returns an entry's value, nil if it is missing; the last entry of a name counts, as in git.
    func value(_ section: String, _ subsection: String?, _ key: String) -> String? {
        let entry = syntax.entries.last {
            $0.section == section && $0.subsection == subsection
                && $0.key == key.lowercased()
        }
        return entry.map { $0.value ?? "" }
    }

    /// Sets an entry's value: the last one of its name, or a new one at the end of its section.
    mutating func set(
        _ section: String, _ subsection: String?, _ key: String, _ value: String
    ) throws(KeychainError) {
        let quoted = ConfigurationText.quoted(value)
        let ofSection = syntax.entries.filter {
            $0.section == section && $0.subsection == subsection
        }
        if let entry = ofSection.last(where: { $0.key == key.lowercased() }) {
            if entry.value != value {
                try change(entry, to: quoted)
            }
        } else if let end = endOfLine(behind: ofSection.last?.range)
            ?? endOfLastHeader(
                section, subsection)
        {
            try replace(end..<end, with: "\(lineBreak(at: end))\t\(key) = \(quoted)")
        } else {
            let name = subsection.map { " \(ConfigurationText.quoted($0, always: true))" } ?? ""
            let endsLine = bytes.isEmpty || bytes.last == UInt8(ascii: "\n")
            let separator = endsLine && !syntax.isUnfinished ? "" : lineBreak(at: bytes.count)
            let newline = newline
            try replace(
                bytes.count..<bytes.count,
                with:
                    "\(separator)[\(section)\(name)]\(newline)\t\(key) = \(quoted)\(newline)")
        }
    }

    /// Removes every entry of a name, or every one with a value.
    mutating func remove(
        _ section: String, _ subsection: String?, _ key: String, value: String? = nil
    ) throws(KeychainError) {
        while let entry = syntax.entries.last(where: {
            $0.section == section && $0.subsection == subsection
                && $0.key == key.lowercased()
                && (value == nil || $0.value == value)
        }) {
            try remove(entry.range)
        }
    }

    /// Removes a section: its entries, then its headers.
    mutating func removeSection(
        _ section: String, _ subsection: String
    ) throws(KeychainError) {
        while let entry = syntax.entries.last(where: {
            $0.section == section && $0.subsection == subsection
        }) {
            try remove(entry.range)
        }
        while let header = syntax.headers.last(where: {
            $0.section == section && $0.subsection == subsection
        }) {
            try remove(header.range)
        }
    }

    private mutating func change(
        _ entry: ConfigurationSyntax.Entry, to quoted: String
    ) throws(KeychainError) {
        guard let range = entry.valueRange else {
            let end = entry.range.upperBound..<entry.range.upperBound
            return try replace(end, with: " = \(quoted)")
        }
        // Keeps a comment apart from the text before it, which was empty.
        let isBlankMissing =
            range.isEmpty && range.upperBound < bytes.count
            && "#;".utf8.contains(bytes[range.upperBound])
        try replace(range, with: isBlankMissing ? "\(quoted) " : quoted)
    }

    /// Removes a range. If nothing else is in its line, the whole line and its comment go, too.
    private mutating func remove(_ range: Range<Int>) throws(KeychainError) {
        var start = range.lowerBound
        while start > 0, ConfigurationReader.isSpace(bytes[start - 1]) {
            start -= 1
        }
        let startsLine = start == 0 || bytes[start - 1] == UInt8(ascii: "\n")
        guard startsLine, let end = endOfLine(behind: range) else {
            return try replace(range, with: "")
        }
        var next = end
        while next < bytes.count, bytes[next] != UInt8(ascii: "\n") {
            next += 1
        }
        try replace(start..<min(next + 1, bytes.count), with: "")
    }

    private mutating func replace(
        _ range: Range<Int>, with text: String
    ) throws(KeychainError) {
        bytes.replaceSubrange(range, with: Array(text.utf8))
        syntax = try ConfigurationSyntax(bytes)
    }

    private func endOfLastHeader(_ section: String, _ subsection: String?) -> Int? {
        endOfLine(
            behind: syntax.headers.last {
                $0.section == section && $0.subsection == subsection
            }?.range)
    }

    /// Returns the end of the line, before its newline; nil if more than a comment follows the
    /// range.
    private func endOfLine(behind range: Range<Int>?) -> Int? {
        guard var end = range?.upperBound else {
            return nil
        }
        while end < bytes.count, ConfigurationReader.isSpace(bytes[end]) {
            end += 1
        }
        if end < bytes.count, "#;".utf8.contains(bytes[end]) {
            while end < bytes.count, bytes[end] != UInt8(ascii: "\n") {
                end += 1
            }
        } else if end < bytes.count, bytes[end] != UInt8(ascii: "\n") {
            return nil
        }
        let isWindows = end < bytes.count && end > 0 && bytes[end - 1] == UInt8(ascii: "\r")
        return isWindows ? end - 1 : end
    }

    /// Returns the text that begins a new line at a position, and ends a continued line first.
    private func lineBreak(at position: Int) -> String {
        let goesOn = syntax.isUnfinished && position == bytes.count
        return goesOn && bytes.last != UInt8(ascii: "\n") ? "\(newline)\(newline)" : newline
    }

    /// The newline that the file uses.
    private var newline: String {
        guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")), end > 0 else {
            return "\n"
        }
        return bytes[end - 1] == UInt8(ascii: "\r") ? "\r\n" : "\n"
    }

    /// Returns a value in the form that reads back unchanged.
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
