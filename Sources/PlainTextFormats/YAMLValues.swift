internal import Secrets

/// Reads the values of block mappings and lists of YAML; the names of a list's elements are empty.
enum YAMLValues {
    private struct Level {
        let indentation: Int
        let name: String
        let isElement: Bool
    }

    static func read(_ text: Span<UInt8>) -> [PlainTextValue] {
        var values: [PlainTextValue] = []
        var levels: [Level] = []
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
            // An element may be as far to the left as the name of its list.
            while isElement(line, column) {
                while let last = levels.last,
                    last.indentation > column || last.indentation == column && last.isElement
                {
                    levels.removeLast()
                }
                levels.append(Level(indentation: column, name: "", isElement: true))
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
            func add(_ path: [String], _ value: Range<Int>) {
                values.append(
                    PlainTextValue(
                        path: path, range: start + value.lowerBound..<start + value.upperBound,
                        line: position.number))
            }
            guard let colon = colon(in: rest) else {
                add(levels.map(\.name), value(rest, from: 0))
                continue
            }
            let name = rest.extracting(rest.unquoted(0..<colon)).name
            let value = value(rest, from: colon + 1)
            if value.isEmpty {
                levels.append(Level(indentation: column, name: name, isElement: false))
            } else {
                add(levels.map(\.name) + [name], value)
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
        let isComment = value.first.map { text[$0] == UInt8(ascii: "#") } ?? false
        return isComment ? 0..<0 : text.unquoted(value)
    }
}
