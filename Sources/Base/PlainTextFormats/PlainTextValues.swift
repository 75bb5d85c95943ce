package import LanyardSecrets
internal import StrictJSON

/// Reads the values of plain-text files, as much of each format as tools write: it looks for secrets, and
/// checks little of the form.
package enum PlainTextValues {
    /// Limits how deep values may be nested: each value has the names that lead to it.
    static let depthLimit = 64

    /// Returns the values of a file, in their order.
    ///
    /// - Throws: ``Status/decode`` with the number of the line for JSON and XML that end too early, for other
    ///   XML than ``XMLReader`` reads, for netrc with text outside of its entries, and for values that are nested too deep.
    package static func read(
        _ text: Span<UInt8>, _ format: PlainTextFormat
    ) throws(KeychainError) -> [PlainTextValue] {
        var values: [PlainTextValue] = []
        try add(text, format, to: &values)
        for index in values.indices where !values[index].isVerbatim {
            values[index].content =
                values[index].content ?? content(of: values[index].range, text, format)
        }
        return values
    }

    /// Returns what the bytes of a value mean that has escapes, nil if that is not read.
    private static func content(
        of range: Range<Int>, _ text: Span<UInt8>, _ format: PlainTextFormat
    ) -> FileBytes? {
        let content: Secret? =
            switch format {
            case .json: text.string(range)
            case .pgpass: text.extracting(range).pgpassCharacters
            case .xml: text.extracting(range).xmlCharacters
            default: nil
            }
        return switch consume content {
        case .some(let content): FileBytes(content)
        case .none: nil
        }
    }

    /// Returns the sections of INI as Python's configparser has them, or the tables of TOML that have a header; of a file that
    /// is no TOML all lines that look like one.
    package static func sections(
        _ text: Span<UInt8>, isTOML: Bool
    ) -> [PlainTextSection] {
        let found = isTOML ? TOMLValues.sections(text) : nil
        return found ?? SettingLines(text, signs: isTOML ? .equalsSign : .firstSign).sections
    }

    /// Returns the values of a file, of a damaged one those before the damage.
    package static func search(
        _ text: Span<UInt8>, _ format: PlainTextFormat
    ) -> [PlainTextValue] {
        var values: [PlainTextValue] = []
        try? add(text, format, to: &values)
        return values
    }

    private static func add(
        _ text: Span<UInt8>, _ format: PlainTextFormat, to values: inout [PlainTextValue]
    ) throws(KeychainError) {
        // Some editors put this mark before the text.
        if text.starts(with: "\u{FEFF}") {
            defer { values = values.map { $0.moved(by: 3) } }
            return try add(text.extracting(droppingFirst: 3), format, to: &values)
        }
        switch format {
        case .json: try JSONValues.read(text, to: &values)
        case .yaml: try YAMLValues.read(text, to: &values)
        case .ini, .properties: values = settings(text, format)
        case .toml: try TOMLValues.read(text, to: &values)
        case .netrc: try NetrcValues.read(text, to: &values)
        case .pgpass: values = PgpassValues.read(text)
        case .hcl: try HCLValues.read(text, to: &values)
        case .xml: try XMLValues.read(text, to: &values)
        case .singleLine: values = firstLine(text)
        }
    }

    /// Returns the error for a file without its end.
    static func endsTooEarly(line: Int) -> KeychainError {
        KeychainError(.decode, "it ends too early, in line \(line)")
    }

    /// - Throws: ``Status/decode`` if nothing may be nested deeper than so many levels.
    static func checkDepth(_ levels: Int, line: Int) throws(KeychainError) {
        guard levels < depthLimit else {
            throw KeychainError(.decode, "line \(line) is nested too deep")
        }
    }

    private static func settings(
        _ text: Span<UInt8>, _ format: PlainTextFormat
    ) -> [PlainTextValue] {
        let isProperties = format == .properties
        let settings = SettingLines(
            text, isQuoted: !isProperties, signs: isProperties ? .ofProperties : .ofAnyTool)
        let sections = settings.sections.map { text.extracting($0.nameRange).name }
        var values = settings.lines.map { line in
            let value = text.extracting(line.value)
            // INI's tools differ about escapes, comments and further lines.
            let isVerbatim =
                line.isQuoted
                ? line.isWhole && !line.hasEscapes && !line.isContinued
                : !line.isContinued && !value.contains(UInt8(ascii: "\\"))
                    && (isProperties
                        || !value.contains(UInt8(ascii: "#"))
                            && !value.contains(UInt8(ascii: ";")))
            return PlainTextValue(
                path: [line.section.map { sections[$0] }, text.extracting(line.keyRange).name]
                    .compactMap(\.self),
                range: line.value, line: line.line.number, parent: (line.section ?? -1) + 1,
                isVerbatim: isVerbatim, removal: line.line.whole)
        }
        guard format == .ini else {
            return values
        }
        for other in settings.others {
            // A value that goes on is none for its first line.
            if let index = other.continued, !settings.lines[index].value.isEmpty {
                continue
            }
            let range = text.withoutBlanks(other.line.range)
            let name = other.continued.map { text.extracting(settings.lines[$0].keyRange).name }
            let word = name == nil ? text.firstWord(of: range) : nil
            values.append(
                PlainTextValue(
                    path: [
                        other.section.map { sections[$0] },
                        name ?? word.map { text.extracting($0).name } ?? "",
                    ].compactMap(\.self),
                    range: word.map { text.withoutBlanks($0.upperBound..<range.upperBound) }
                        ?? range, line: other.line.number, parent: (other.section ?? -1) + 1,
                    isVerbatim: name == nil && word == nil, removal: other.line.whole))
        }
        return values
    }

    private static func firstLine(_ text: Span<UInt8>) -> [PlainTextValue] {
        var scanner = LineScanner()
        while let line = scanner.next(in: text) {
            let value = text.withoutBlanks(line.range)
            if !value.isEmpty {
                return [
                    PlainTextValue(
                        path: [], range: value, line: line.number, removal: line.whole)
                ]
            }
        }
        return []
    }
}

extension Span where Element == UInt8 {
    /// Returns the string of JSON whose bytes between the quotation marks these are.
    fileprivate func string(_ range: Range<Int>) -> Secret? {
        guard range.lowerBound > 0, range.upperBound < count else {
            return nil
        }
        let string = extracting(range.lowerBound - 1..<range.upperBound + 1)
        return try? JSONReader.read(string, limit: string.count) {
            reader throws(KeychainError) in try reader.readSecret()
        }
    }

    /// Returns the word before the first blank of a range, nil for a single word.
    fileprivate func firstWord(of range: Range<Int>) -> Range<Int>? {
        range.first { self[$0].isBlank }.map { range.lowerBound..<$0 }
    }
}
