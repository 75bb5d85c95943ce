internal import LanyardSecrets

/// Reads the texts of XML's elements without others in them. The empty element `<add key="NAME" value="TEXT"/>`, as
/// .NET's files have it, is a value called `NAME`; every attribute of another element is a value of its own.
///
/// The bytes to remove with a value are those of the element around it: an entry without its password is none.
enum XMLValues {
    private struct Level {
        let name: String
        let number: Int
        let start: Int
        let line: Int
        /// The first value in it.
        let first: Int
        /// Its texts, comments left out; their bytes between the first and the last.
        var texts = 0
        var text = 0..<0
        var isVerbatim = false
        var hasElements = false
    }

    /// Adds the values.
    ///
    /// - Throws: As ``XMLReader/next(in:)``.
    static func read(
        _ text: Span<UInt8>, to values: inout [PlainTextValue]
    ) throws(KeychainError) {
        guard !text.isWhiteSpace else {
            return
        }
        var reader = XMLReader()
        var levels: [Level] = []
        var count = 0
        var line = 1
        var counted = 0
        while let event = try reader.next(in: text) {
            switch event {
            case .start(let start):
                while counted < start {
                    line += text[counted] == 0x0A ? 1 : 0
                    counted += 1
                }
                count += 1
                if let last = levels.indices.last {
                    levels[last].hasElements = true
                }
                levels.append(
                    Level(
                        name: text.extracting(reader.name).name, number: count, start: start,
                        line: line, first: values.count))
                if let (name, value) = pair(reader.attributes, text) {
                    values.append(
                        PlainTextValue(
                            path: levels.dropLast().map(\.name) + [name], range: value, line: line,
                            parent: levels.dropLast().last?.number ?? 0,
                            isVerbatim: isVerbatim(text.extracting(value)), removal: value))
                } else {
                    for attribute in reader.attributes {
                        values.append(
                            PlainTextValue(
                                path: levels.map(\.name) + [text.extracting(attribute.name).name],
                                range: attribute.value, line: line, parent: count,
                                isVerbatim: isVerbatim(text.extracting(attribute.value)),
                                removal: attribute.value))
                    }
                }
            case .text(let range, let isVerbatim):
                guard let last = levels.indices.last,
                    isVerbatim || !text.extracting(range).isWhiteSpace
                else {
                    break
                }
                levels[last].texts += 1
                levels[last].text = levels[last].texts == 1 ? range : 0..<0
                levels[last].isVerbatim =
                    isVerbatim || XMLValues.isVerbatim(text.extracting(range))
            case .end(let content, let after):
                if let level = levels.popLast() {
                    end(level, content, after, in: levels, &values, text)
                }
            }
        }
    }

    /// Adds the value of an element that has ended at `after`, and makes those in it end there.
    private static func end(
        _ level: Level, _ content: Range<Int>, _ after: Int, in levels: [Level],
        _ values: inout [PlainTextValue], _ text: Span<UInt8>
    ) {
        if !level.hasElements, level.texts > 0 {
            let isWhole = level.texts == 1
            values.append(
                PlainTextValue(
                    path: levels.map(\.name) + [level.name],
                    range: isWhole ? level.text : content, line: level.line,
                    parent: levels.last?.number ?? 0, isVerbatim: isWhole && level.isVerbatim,
                    removal: level.start..<after))
        }
        // Those of this element's own are removed with it.
        let removal = lines(level.start..<after, text)
        for index in level.first..<values.count where values[index].parent == level.number {
            values[index].removal = removal
        }
    }

    /// Returns the name and the value of `key` and `value`.
    private static func pair(
        _ attributes: [XMLReader.Attribute], _ text: Span<UInt8>
    ) -> (String, Range<Int>)? {
        let key = attributes.first { text.extracting($0.name).equals("key") }
        let value = attributes.first { text.extracting($0.name).equals("value") }
        guard let key, let value else {
            return nil
        }
        return (text.extracting(key.value).name, value.value)
    }

    private static func isVerbatim(_ text: Span<UInt8>) -> Bool {
        !text.contains(UInt8(ascii: "&")) && !text.contains(0x0D)
    }

    /// Returns a range with the rest of its lines, if nothing else is on them.
    private static func lines(_ range: Range<Int>, _ text: Span<UInt8>) -> Range<Int> {
        var start = range.lowerBound
        while start > 0, text[start - 1].isBlank {
            start -= 1
        }
        var end = range.upperBound
        while end < text.count, text[end].isBlank || text[end] == 0x0D {
            end += 1
        }
        guard start == 0 || text[start - 1] == 0x0A, end < text.count, text[end] == 0x0A else {
            return range
        }
        return start..<end + 1
    }
}
