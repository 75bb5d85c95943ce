internal import LanyardSecrets

/// Reads the strings and numbers in JSON, also with comments and trailing commas, and their lines, which
/// StrictJSON's reader does not know.
enum JSONValues {
    /// An open object or list.
    private struct Level {
        let isObject: Bool
        let number: Int
        /// The last name of an object; empty for a list.
        var name = ""
        /// Whether the next string of an object is a name.
        var expectsName = true
    }

    /// Adds the values.
    ///
    /// - Throws: ``Status/decode`` for a file that ends within a string, an object or a list, for a bracket that
    ///   closes nothing, and for too many nested ones.
    static func read(
        _ text: Span<UInt8>, to values: inout [PlainTextValue]
    ) throws(KeychainError) {
        var levels: [Level] = []
        var line = 1
        var index = 0
        var count = 0
        func enter(isObject: Bool) throws(KeychainError) {
            try PlainTextValues.checkDepth(levels.count, line: line)
            count += 1
            levels.append(Level(isObject: isObject, number: count))
        }
        while index < text.count {
            let byte = text[index]
            index += 1
            switch byte {
            case 0x0A: line += 1
            case UInt8(ascii: "{"): try enter(isObject: true)
            case UInt8(ascii: "["): try enter(isObject: false)
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                guard levels.popLast()?.isObject == (byte == UInt8(ascii: "}")) else {
                    throw KeychainError(.decode, "a bracket is out of place in line \(line)")
                }
            case UInt8(ascii: ","):
                if let last = levels.indices.last {
                    levels[last].expectsName = true
                }
            case UInt8(ascii: "/") where index < text.count && text[index] == UInt8(ascii: "/"):
                while index < text.count, text[index] != 0x0A {
                    index += 1
                }
            case UInt8(ascii: "/") where index < text.count && text[index] == UInt8(ascii: "*"):
                let start = index + 1
                let length = text.extracting(droppingFirst: start).firstIndex(of: "*/")
                index = length.map { start + $0 + 2 } ?? text.count
                line += (start..<index).count { text[$0] == 0x0A }
            case UInt8(ascii: "\""):
                let start = index
                while index < text.count, text[index] != UInt8(ascii: "\"") {
                    line += text[index] == 0x0A ? 1 : 0
                    index += text[index] == UInt8(ascii: "\\") ? 2 : 1
                }
                let range = start..<min(index, text.count)
                index += 1
                if let last = levels.indices.last, levels[last].isObject, levels[last].expectsName {
                    levels[last].name = text.extracting(range).name
                    levels[last].expectsName = false
                } else {
                    values.append(
                        PlainTextValue(
                            path: levels.map(\.name), range: range, line: line,
                            parent: levels.last?.number ?? 0,
                            isVerbatim: !text.extracting(range).contains(UInt8(ascii: "\\")),
                            removal: range))
                }
            case _ where byte.isDigit || byte == UInt8(ascii: "-"):
                let start = index - 1
                while index < text.count,
                    text[index].isLetterOrDigit || "+-.".utf8.contains(text[index])
                {
                    index += 1
                }
                // A program that writes a text there would read no number.
                values.append(
                    PlainTextValue(
                        path: levels.map(\.name), range: start..<index, line: line,
                        parent: levels.last?.number ?? 0, isVerbatim: false,
                        removal: start..<index))
            default: break
            }
        }
        guard levels.isEmpty, index == text.count else {
            throw PlainTextValues.endsTooEarly(line: line)
        }
    }
}
