internal import Secrets

/// Reads the values of block mappings and lists of YAML; the names of a list's elements are empty.
enum YAMLValues {
    private struct Level {
        let indentation: Int
        let name: String
        let isElement: Bool
        let number: Int
    }

    static func read(_ text: Span<UInt8>) -> [PlainTextValue] {
        var values: [PlainTextValue] = []
        var levels: [Level] = []
        var count = 0
        func level(_ indentation: Int, _ name: String, isElement: Bool) -> Level {
            count += 1
            return Level(
                indentation: indentation, name: name, isElement: isElement, number: count)
        }
        // How far the name of the last value is indented.
        var lastColumn: Int?
        var scanner = LineScanner()
        while let position = scanner.next(in: text) {
            let line = text.extracting(position.range)
            var column = 0
            while column < line.count, line[column] == UInt8(ascii: " ") {
                column += 1
            }
            guard column < line.trimmed.upperBound, line[column] != UInt8(ascii: "#") else {
                continue
            }
            let begin = column
            if let last = lastColumn, column > last {
                // The value of the line before goes on here.
                values[values.count - 1].isVerbatim = false
            }
            lastColumn = nil
            // An element may be as far to the left as the name of its list.
            while isElement(line, column) {
                while let last = levels.last,
                    last.indentation > column || last.indentation == column && last.isElement
                {
                    levels.removeLast()
                }
                levels.append(level(column, "", isElement: true))
                column += 1
                while column < line.count, line[column] == UInt8(ascii: " ") {
                    column += 1
                }
            }
            while let last = levels.last, last.indentation >= column {
                levels.removeLast()
            }
            let start = position.range.lowerBound + column
            let rest = line.extracting(droppingFirst: column)
            func add(_ path: [String], after colon: Int) {
                let value = value(rest, from: colon)
                let isVerbatim = isVerbatim(rest, value, from: colon)
                let isWholeLine = begin == column && colon > 0
                values.append(
                    PlainTextValue(
                        path: path, range: start + value.lowerBound..<start + value.upperBound,
                        line: position.number, parent: levels.last?.number ?? 0,
                        isVerbatim: isVerbatim,
                        removal: isWholeLine
                            ? position.whole : start + colon..<start + rest.trimmed.upperBound))
                lastColumn = column
            }
            guard let colon = colon(in: rest) else {
                add(levels.map(\.name), after: 0)
                continue
            }
            let name = rest.extracting(rest.unquoted(0..<colon)).name
            if value(rest, from: colon + 1).isEmpty {
                levels.append(level(column, name, isElement: false))
            } else {
                add(levels.map(\.name) + [name], after: colon + 1)
            }
        }
        return values
    }

    private static func isElement(_ line: Span<UInt8>, _ column: Int) -> Bool {
        column < line.count && line[column] == UInt8(ascii: "-")
            && (column + 1 == line.count || line[column + 1] == UInt8(ascii: " "))
    }

    /// Returns the colon after a name: at the line's end, or before a space.
    private static func colon(in text: Span<UInt8>) -> Int? {
        var quote: UInt8?
        for index in text.indices {
            let byte = text[index]
            if let open = quote {
                quote = byte == open ? nil : open
            } else if index == 0, byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: ":"),
                index + 1 == text.trimmed.upperBound || text[index + 1] == UInt8(ascii: " ")
            {
                return index
            }
        }
        return nil
    }

    /// Returns a value without quotation marks or a comment.
    private static func value(_ text: Span<UInt8>, from start: Int) -> Range<Int> {
        let value = text.trimmed(start..<text.count)
        guard let first = value.first.map({ text[$0] }), first != UInt8(ascii: "#") else {
            return 0..<0
        }
        let unquoted = text.unquoted(value)
        guard unquoted.lowerBound == value.lowerBound,
            let comment = text.extracting(value).first(" #")
        else {
            return unquoted
        }
        return text.trimmed(value.lowerBound..<value.lowerBound + comment)
    }

    /// Whether the bytes of a value are the value: a string without escapes on one line.
    private static func isVerbatim(
        _ text: Span<UInt8>, _ value: Range<Int>, from start: Int
    ) -> Bool {
        let whole = text.trimmed(start..<text.count)
        guard value.lowerBound > whole.lowerBound else {
            return !value.isEmpty && !"|>&*!{[@%`".utf8.contains(text[value.lowerBound])
        }
        let after = text.extracting(
            text.trimmed(min(value.upperBound + 1, whole.upperBound)..<whole.upperBound))
        return value.upperBound < whole.upperBound
            && (after.isEmpty || after.starts(with: "#"))
            && !(text[whole.lowerBound] == UInt8(ascii: "\"")
                && text.extracting(value).contains(UInt8(ascii: "\\")))
    }
}
