internal import LanyardSecrets

/// Reads the values of block mappings and lists of YAML, and of mappings in braces on one line; the names of a list's elements are empty.
/// The values of a further document, which programs ignore, are below the name `---`.
package struct YAMLValues {
    /// The name above the values of a further document.
    package static let furtherDocument = "---"

    private struct Level {
        let indentation: Int
        let name: String
        let isElement: Bool
        let number: Int
    }

    private var values: [PlainTextValue] = []
    private var levels: [Level] = []
    private var count = 0
    /// How far the name of the last value is indented.
    private var lastColumn: Int?

    /// Adds the values.
    ///
    /// - Throws: ``Status/decode`` for too many nested mappings and lists.
    static func read(
        _ text: Span<UInt8>, to values: inout [PlainTextValue]
    ) throws(KeychainError) {
        var reader = YAMLValues()
        defer { values += reader.values }
        var scanner = LineScanner()
        while let line = scanner.next(in: text) {
            try reader.read(line, text)
        }
    }

    private mutating func read(
        _ position: Line, _ text: Span<UInt8>
    ) throws(KeychainError) {
        let line = text.extracting(position.range)
        var column = 0
        while column < line.count, line[column] == UInt8(ascii: " ") {
            column += 1
        }
        guard column < line.withoutBlanks.upperBound, line[column] != UInt8(ascii: "#"),
            line[0] != UInt8(ascii: "%")
        else {
            return
        }
        guard !line.extracting(line.withoutBlanks).equals("---") else {
            lastColumn = nil
            levels = []
            if !values.isEmpty {
                try enter(-1, YAMLValues.furtherDocument, isElement: false, position)
            }
            return
        }
        let begin = column
        if let last = lastColumn, column > last {
            // The value of the line before goes on here.
            values[values.count - 1].isVerbatim = false
        }
        lastColumn = nil
        // An element may be as far to the left as the name of its list.
        while YAMLValues.isElement(line, column) {
            while let last = levels.last,
                last.indentation > column || last.indentation == column && last.isElement
            {
                levels.removeLast()
            }
            try enter(column, "", isElement: true, position)
            column += 1
            while column < line.count, line[column] == UInt8(ascii: " ") {
                column += 1
            }
        }
        while let last = levels.last, last.indentation >= column {
            levels.removeLast()
        }
        let rest = line.extracting(droppingFirst: column)
        let isFlow = !rest.isEmpty && rest[0] == UInt8(ascii: "{")
        let colon = isFlow ? nil : YAMLValues.colon(in: rest)
        let name = colon.map { rest.extracting(rest.unquoted(0..<$0)).name }
        if let colon, let name, YAMLValues.value(rest, from: colon + 1).isEmpty {
            try enter(column, name, isElement: false, position)
        } else {
            add(name, rest, from: colon.map { $0 + 1 } ?? 0, position, column, begin)
        }
    }

    private mutating func enter(
        _ indentation: Int, _ name: String, isElement: Bool, _ line: Line
    ) throws(KeychainError) {
        try PlainTextValues.checkDepth(levels.count, line: line.number)
        count += 1
        levels.append(
            Level(indentation: indentation, name: name, isElement: isElement, number: count))
    }

    /// Adds the value that begins in the rest of a line.
    private mutating func add(
        _ name: String?, _ rest: Span<UInt8>, from begin: Int, _ line: Line,
        _ column: Int, _ firstColumn: Int
    ) {
        let start = line.range.lowerBound + column
        lastColumn = column
        if add(YAMLFlow(rest, rest.withoutBlanks(begin..<rest.count)), of: name, line, start) {
            return
        }
        let value = YAMLValues.value(rest, from: begin)
        let isWholeLine = firstColumn == column && begin > 0
        values.append(
            PlainTextValue(
                path: levels.map(\.name) + [name].compactMap(\.self),
                range: start + value.lowerBound..<start + value.upperBound, line: line.number,
                parent: levels.last?.number ?? 0,
                isVerbatim: YAMLValues.isVerbatim(rest, value, from: begin),
                removal: isWholeLine
                    ? line.whole : start + begin..<start + rest.withoutBlanks.upperBound))
    }

    /// Adds the members of a mapping in braces, which has a name or is an element.
    ///
    /// - Returns: Whether it has any.
    private mutating func add(
        _ flow: YAMLFlow?, of name: String?, _ line: Line, _ start: Int
    ) -> Bool {
        guard let members = flow?.members, !members.isEmpty else {
            return false
        }
        count += 1
        let path = levels.map(\.name) + [name].compactMap(\.self)
        for member in members {
            let range = start + member.value.lowerBound..<start + member.value.upperBound
            values.append(
                PlainTextValue(
                    path: path + [member.name], range: range, line: line.number, parent: count,
                    isVerbatim: member.isVerbatim, removal: range))
        }
        return true
    }

    private static func isElement(_ line: Span<UInt8>, _ column: Int) -> Bool {
        column < line.count && line[column] == UInt8(ascii: "-")
            && (column + 1 == line.count || line[column + 1] == UInt8(ascii: " "))
    }

    /// Returns the colon after a name: at the line's end, or before a blank.
    private static func colon(in text: Span<UInt8>) -> Int? {
        let end = text.withoutBlanks.upperBound
        var quote: UInt8?
        for index in text.indices {
            let byte = text[index]
            if let open = quote {
                quote = byte == open ? nil : open
            } else if index == 0, byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: ":"),
                index + 1 == end || text[index + 1].isBlank
            {
                return index
            }
        }
        return nil
    }

    /// Returns a value without quotation marks or a comment.
    private static func value(_ text: Span<UInt8>, from start: Int) -> Range<Int> {
        let value = text.withoutBlanks(start..<text.count)
        guard let first = value.first.map({ text[$0] }), first != UInt8(ascii: "#") else {
            return 0..<0
        }
        let unquoted = text.unquoted(value)
        guard unquoted.lowerBound == value.lowerBound,
            let comment = text.extracting(value).comment
        else {
            return unquoted
        }
        return text.withoutBlanks(value.lowerBound..<value.lowerBound + comment)
    }

    /// Whether the bytes of a value are the value: a string without escapes on one line.
    private static func isVerbatim(
        _ text: Span<UInt8>, _ value: Range<Int>, from start: Int
    ) -> Bool {
        let whole = text.withoutBlanks(start..<text.count)
        guard value.lowerBound > whole.lowerBound else {
            return !value.isEmpty && !"|>&*!{[@%`".utf8.contains(text[value.lowerBound])
        }
        let after = text.extracting(
            text.withoutBlanks(min(value.upperBound + 1, whole.upperBound)..<whole.upperBound))
        return value.upperBound < whole.upperBound
            && (after.isEmpty || after.starts(with: "#"))
            && !(text[whole.lowerBound] == UInt8(ascii: "\"")
                && text.extracting(value).contains(UInt8(ascii: "\\")))
    }
}
