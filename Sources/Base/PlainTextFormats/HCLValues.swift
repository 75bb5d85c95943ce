internal import LanyardSecrets

/// Reads HCL, HashiCorp's language of configurations: blocks, which begin with words and a brace, and lines
/// `key = "text"`. A path has the words of the blocks, then the key. A list and a text of several lines is a value as a
/// whole, and not verbatim; other values are left out.
///
/// The bytes to remove with a value are those of the outermost block around it: a block of credentials without its token
/// is none.
struct HCLValues {
    private struct Level {
        let names: [String]
        let number: Int
        /// Where its words begin, with the blanks before them.
        let start: Int
        /// The first value in it.
        let first: Int
    }

    private var index = 0
    private var line = 1
    private var levels: [Level] = []
    private var count = 0
    /// The words since the last end of a line, a block or a value.
    private var words: [String] = []
    private var start = 0

    /// Adds the values.
    ///
    /// - Throws: ``Status/decode`` for values that are nested too deep.
    static func read(
        _ text: Span<UInt8>, to values: inout [PlainTextValue]
    ) throws(KeychainError) {
        var reader = HCLValues()
        while reader.index < text.count {
            try reader.step(text, &values)
        }
    }

    private mutating func step(
        _ text: Span<UInt8>, _ values: inout [PlainTextValue]
    ) throws(KeychainError) {
        let byte = text[index]
        switch byte {
        case 0x0A:
            line += 1
            index += 1
            (words, start) = ([], index)
        case UInt8(ascii: "#"): skipLine(text)
        case UInt8(ascii: "/") where text.extracting(index..<text.count).starts(with: "//"):
            skipLine(text)
        case UInt8(ascii: "/") where text.extracting(index..<text.count).starts(with: "/*"):
            let end = text.extracting(index + 2..<text.count).firstIndex(of: "*/")
            skip(to: end.map { index + $0 + 4 }, text)
        case UInt8(ascii: "{"): try begin(values.count)
        case UInt8(ascii: "}"): end(text, &values)
        case UInt8(ascii: "\""):
            let range = text.unquoted(index..<text.count)
            words.append(text.extracting(range).name)
            skip(to: min(range.upperBound + 1, text.count), text)
        case UInt8(ascii: "="): value(text, &values)
        case _ where byte.isWordOfHCL:
            let first = index
            while index < text.count, text[index].isWordOfHCL {
                index += 1
            }
            words.append(text.extracting(first..<index).name)
        default: index += 1
        }
    }

    private mutating func skipLine(_ text: Span<UInt8>) {
        index = text.firstIndex(of: 0x0A, from: index) ?? text.count
    }

    private mutating func skip(to end: Int?, _ text: Span<UInt8>) {
        let end = end ?? text.count
        for position in index..<end where text[position] == 0x0A {
            line += 1
        }
        index = end
    }

    private mutating func begin(_ first: Int) throws(KeychainError) {
        try PlainTextValues.checkDepth(levels.count, line: line)
        count += 1
        levels.append(Level(names: words, number: count, start: start, first: first))
        index += 1
        (words, start) = ([], index)
    }

    private mutating func end(_ text: Span<UInt8>, _ values: inout [PlainTextValue]) {
        index += 1
        (words, start) = ([], index)
        guard let level = levels.popLast(), levels.isEmpty else {
            return
        }
        // With the end of the line, if nothing else is there.
        let feed = text.firstIndex(of: 0x0A, from: index) ?? text.count
        let isFirst = level.start == 0 || text[level.start - 1] == 0x0A
        let isLast = text.extracting(text.withoutBlanks(index..<feed)).isEmpty
        let end = isFirst && isLast ? min(feed + 1, text.count) : index
        for number in level.first..<values.count {
            values[number].removal = level.start..<end
        }
    }

    /// Reads the value after an equals sign, if it is a text or a list.
    private mutating func value(_ text: Span<UInt8>, _ values: inout [PlainTextValue]) {
        index += 1
        while index < text.count, text[index].isBlank {
            index += 1
        }
        guard index < text.count, let key = words.last else {
            return
        }
        guard text[index] == UInt8(ascii: "\"") else {
            let rest = text.extracting(index..<text.count)
            guard let end = rest.endOfList ?? rest.endOfHeredoc else {
                return
            }
            let range = index..<index + end
            values.append(
                PlainTextValue(
                    path: levels.flatMap(\.names) + [key], range: range, line: line,
                    parent: levels.last?.number ?? 0, isVerbatim: false, removal: range))
            skip(to: range.upperBound, text)
            (words, start) = ([], index)
            return
        }
        let range = text.unquoted(index..<text.count)
        // Without its end it is a part of a text.
        guard range.upperBound < text.count else {
            index = text.count
            return
        }
        let content = text.extracting(range)
        values.append(
            PlainTextValue(
                path: levels.flatMap(\.names) + [key], range: range, line: line,
                parent: levels.last?.number ?? 0,
                isVerbatim: !content.contains(UInt8(ascii: "\\"))
                    && content.firstIndex(of: "${") == nil,
                removal: range))
        skip(to: min(range.upperBound + 1, text.count), text)
        (words, start) = ([], index)
    }
}

extension Span where Element == UInt8 {
    /// The end of the list that it begins with, nil if it begins with none or has no end.
    fileprivate var endOfList: Int? {
        var depth = 0
        var position = 0
        while position < count {
            switch self[position] {
            case UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: "\""): position = unquoted(position..<count).upperBound
            default: break
            }
            guard depth > 0 else {
                return position == 0 ? nil : position + 1
            }
            position += 1
        }
        return nil
    }

    /// The end of the text between `<<WORD` and a line with `WORD` that it begins with; nil without one.
    fileprivate var endOfHeredoc: Int? {
        guard starts(with: "<<"), let first = firstIndex(of: 0x0A, from: 0) else {
            return nil
        }
        let word = extracting(withoutBlanks(2..<first)).name.drop { $0 == "-" }
        var start = first + 1
        while start < count {
            let end = firstIndex(of: 0x0A, from: start) ?? count
            if extracting(withoutBlanks(start..<end)).name == word {
                return end
            }
            start = end + 1
        }
        return nil
    }
}

extension UInt8 {
    fileprivate var isWordOfHCL: Bool {
        isLetterOrDigit || "_-.".utf8.contains(self) || self >= 0x80
    }
}
