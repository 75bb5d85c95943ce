internal import KeychainServices
internal import PlainTextFormats
internal import ToolCatalog

/// A text file of lines with sections that begin with a line in brackets: INI, TOML and their like. Bytes that are not
/// UTF-8 remain.
struct SettingsText {
    /// The byte order mark that some editors put before the first line.
    private let mark: FileBytes
    private var lines: [FileBytes]

    init(_ bytes: FileBytes) {
        mark = bytes.starts(with: "\u{FEFF}".utf8) ? bytes.prefix(3) : ""
        lines = bytes.dropFirst(mark.count).split(
            separator: 0x0A, omittingEmptySubsequences: false)
        if lines.last?.isEmpty == true {
            lines.removeLast()
        }
    }

    /// The bytes, whose last line is complete.
    var bytes: FileBytes { FileBytes(joining: [mark] + lines.flatMap { [$0, "\n"] }) }

    /// Returns the lines of a section without its header and without white space at their ends.
    func lines(of header: String?, isTOML: Bool = false) -> [FileBytes] {
        lines[range(of: header, isTOML) ?? 0..<0].map(\.trimmed)
    }

    /// Whether there is a section.
    func has(_ header: String) -> Bool { range(of: header, false) != nil }

    /// Adds the missing lines at the end of a section, which is made if it is missing.
    mutating func add(_ section: SettingsSection) {
        let range = range(of: section.header, section.isTOML)
        let present = lines[range ?? 0..<0].map(\.trimmed)
        let missing = section.lines.map { FileBytes($0) }.filter { !present.contains($0) }
        if let header = section.header, range == nil {
            let isSeparate = lines.last?.allSatisfy(\.isWhitespace) ?? true
            lines += (isSeparate ? [] : [""]) + [FileBytes(header)] + missing
        } else {
            var end = range?.upperBound ?? 0
            while end > 0, lines[end - 1].allSatisfy(\.isWhitespace) {
                end -= 1
            }
            lines.insert(contentsOf: missing, at: end)
        }
    }

    /// Removes the lines of a section, and its header if nothing else follows that. A list that the user made of a line
    /// loses the helper.
    mutating func remove(_ section: SettingsSection) {
        guard let range = range(of: section.header, section.isTOML) else {
            return
        }
        let removed = section.lines.map { FileBytes($0) }
        let listed = section.lines.compactMap(SettingsSection.listedHelper)
        let rest = lines[range].filter { !removed.contains($0.trimmed) }.compactMap { line in
            listed.reduce(into: Optional(line)) { line, helper in
                line = line.flatMap { SettingsText.removing(helper, from: $0) }
            }
        }
        let isHeaderOurs =
            section.header.map {
                lines[range.lowerBound - 1].trimmed == FileBytes($0)
            }
            ?? false
        let isEmpty = isHeaderOurs && rest.joined().allSatisfy(\.isWhitespace)
        lines.replaceSubrange(
            isEmpty ? range.lowerBound - 1..<range.upperBound : range,
            with: isEmpty ? [] : rest)
    }

    /// Returns a line without a text of a list and the comma next to it; nil if the line has nothing else.
    private static func removing(_ text: FileBytes, from line: FileBytes) -> FileBytes? {
        guard let place = line.firstRange(of: text), line.trimmed.first != UInt8(ascii: "#") else {
            return line
        }
        let comma = UInt8(ascii: ",")
        var before = line[..<place.lowerBound]
        var after = line[place.upperBound...].drop(while: \.isWhitespace)
        if after.first == comma {
            after = after.dropFirst().drop(while: \.isWhitespace)
        } else if before.trimmingSuffix(\.isWhitespace).last == comma {
            before = before.trimmingSuffix(\.isWhitespace).dropLast()
        }
        let rest = FileBytes(joining: [before, after])
        return rest.allSatisfy(\.isWhitespace) || rest.trimmed.hasSuffix("[]") ? nil : rest
    }

    /// Returns the lines of a section without its header, or of what is before all sections; nil if there is no such section.
    private func range(of header: String?, _ isTOML: Bool) -> Range<Int>? {
        let text = FileBytes(joining: lines.flatMap { [$0, "\n"] })
        let sections = text.withBytes { PlainTextValues.sections($0, isTOML: isTOML) }
        guard let header else {
            return 0..<(sections.first.map { $0.line - 1 } ?? lines.count)
        }
        let name = SettingsText.name(FileBytes(header).dropFirst().dropLast(), isTOML)
        let found = sections.firstIndex { SettingsText.name(text[$0.brackets], isTOML) == name }
        guard let found else {
            return nil
        }
        let end = sections[(found + 1)...].first.map { $0.line - 1 }
        return sections[found].line..<(end ?? lines.count)
    }

    /// Returns what tells a section from others, of what its brackets have between them.
    private static func name(_ name: FileBytes, _ isTOML: Bool) -> [FileBytes] {
        // TOML has quotation marks and blanks where it wants. To Python, " global " is another section than "global".
        guard !isTOML else {
            return [FileBytes(name.lazy.filter { !" \t\"'".utf8.contains($0) })]
        }
        // aws splits it as a shell does.
        return name.starts(with: "profile".utf8) ? words(name) : [name]
    }

    /// Returns a header's words, without blanks between them and quotation marks around them.
    private static func words(_ name: FileBytes) -> [FileBytes] {
        var words: [FileBytes] = []
        var word: [UInt8]?
        var quote: UInt8?
        for byte in name {
            switch byte {
            case quote: quote = nil
            case _ where quote != nil: word = (word ?? []) + [byte]
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                quote = byte
                word = word ?? []
            case _ where byte.isWhitespace:
                words += [word].compactMap(\.self).map { FileBytes($0) }
                word = nil
            default: word = (word ?? []) + [byte]
            }
        }
        return words + [word].compactMap(\.self).map { FileBytes($0) }
    }
}
