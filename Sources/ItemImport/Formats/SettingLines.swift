internal import KeychainServices

/// A line `key = value` of INI, TOML and their like.
struct SettingLine {
    /// The name in brackets above it, without quotes; nil before the first one.
    let section: ByteString?
    let key: ByteString
    /// The value without white space.
    let value: Range<Int>
    /// Whether the value has escapes in quotes, which are not read.
    let hasEscapes: Bool
    let line: Line
}

/// A text's lines `key = value`, in order, and where its sections are.
struct SettingLines {
    /// A section: its name and its lines with the header.
    struct Section {
        let name: ByteString
        let number: Int
        var range: Range<Int>
    }

    private(set) var lines: [SettingLine] = []
    private(set) var sections: [Section] = []

    /// Reads a text; other lines are left out.
    ///
    /// - Parameter isQuoted: Whether quotes around a value don't belong to it, and a comment may follow.
    init(_ text: Span<UInt8>, isQuoted: Bool = false) {
        var scanner = LineScanner()
        while let line = scanner.next(in: text) {
            let own = text.extracting(line.range)
            let range = own.trimmedRange
            guard let first = range.first, ![.numberSign, UInt8(ascii: ";")].contains(own[first])
            else {
                extend(line)
                continue
            }
            if own[first] == UInt8(ascii: "[") {
                let name = own.extracting(range)
                let end = name.firstIndex(of: UInt8(ascii: "]"), from: 1) ?? name.count
                let inner = name.extracting(1..<end)
                sections.append(
                    Section(
                        name: inner.extracting(inner.withoutQuotes(inner.trimmedRange)).copied,
                        number: line.number, range: line.whole))
                continue
            }
            extend(line)
            guard let equals = own.firstIndex(of: UInt8(ascii: "="), from: first) else {
                continue
            }
            let key = own.extracting(first..<equals)
            let rest = equals + 1..<own.count
            let trimmed = own.extracting(rest).trimmedRange
            let start = rest.lowerBound + trimmed.lowerBound
            var value = start..<rest.lowerBound + trimmed.upperBound
            if isQuoted, !value.isEmpty, own[start].isQuote,
                let end = own.firstIndex(of: own[start], from: start + 1)
            {
                value = start + 1..<end
            }
            lines.append(
                SettingLine(
                    section: sections.last?.name,
                    key: key.extracting(key.withoutQuotes(key.trimmedRange)).copied,
                    value: value.lowerBound + line.range.lowerBound..<value.upperBound
                        + line.range.lowerBound,
                    hasEscapes: value.lowerBound > start
                        && own.extracting(value).firstIndex(of: .backslash, from: 0) != nil,
                    line: line))
        }
    }

    private mutating func extend(_ line: Line) {
        guard let last = sections.indices.last else {
            return
        }
        sections[last].range = sections[last].range.lowerBound..<line.whole.upperBound
    }

    /// Returns the last line of a section with a key, which counts.
    func line(_ section: ByteString?, _ key: ByteString) -> SettingLine? {
        lines.last { $0.section == section && $0.key == key }
    }
}

extension Span where Element == UInt8 {
    fileprivate var copied: ByteString { ByteString(copying: self) }

    /// Returns a range of text without one pair of quotes around it.
    fileprivate func withoutQuotes(_ range: Range<Int>) -> Range<Int> {
        guard range.count >= 2, self[range.lowerBound].isQuote,
            self[range.lowerBound] == self[range.upperBound - 1]
        else {
            return range
        }
        return range.lowerBound + 1..<range.upperBound - 1
    }
}

extension UInt8 {
    fileprivate var isQuote: Bool { self == .quotationMark || self == UInt8(ascii: "'") }
}
