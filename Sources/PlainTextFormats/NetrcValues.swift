internal import Secrets

/// Reads the words of netrc: `machine`, `login`, `password` and `account` have a value; `default` has none.
struct NetrcValues {
    private var values: [PlainTextValue] = []
    private var machine = ""
    private var key: String?
    private var isInMacro = false
    /// The first value and the bytes of the current entry.
    private var first = 0
    private var entry = 0..<0

    static func read(_ text: Span<UInt8>) -> [PlainTextValue] {
        var reader = NetrcValues()
        var scanner = LineScanner()
        while let line = scanner.next(in: text) {
            let content = text.withoutBlanks(line.range)
            if reader.isInMacro {
                reader.isInMacro = !content.isEmpty
            } else {
                reader.read(content, line.number, text)
            }
        }
        reader.endEntry(text)
        return reader.values
    }

    /// Reads the words of a line.
    private mutating func read(_ content: Range<Int>, _ line: Int, _ text: Span<UInt8>) {
        var index = content.lowerBound
        while index < content.upperBound {
            var end = index
            while end < content.upperBound, !text[end].isBlank {
                end += 1
            }
            let range = index..<end
            let word = text.extracting(range)
            index = end
            while index < content.upperBound, text[index].isBlank {
                index += 1
            }
            if let known = key {
                key = nil
                entry = entry.lowerBound..<range.upperBound
                if known == "machine" {
                    machine = word.name
                } else {
                    values.append(
                        PlainTextValue(
                            path: [machine, known], range: text.unquoted(range), line: line,
                            parent: entry.lowerBound,
                            isVerbatim: !word.contains(UInt8(ascii: "\\")), removal: range))
                }
            } else if word.starts(with: "#") {
                return
            } else if word.equals("macdef") {
                endEntry(text)
                isInMacro = true
                return
            } else if word.equals("default") {
                endEntry(text)
                entry = range
                machine = ""
            } else {
                if word.equals("machine") {
                    endEntry(text)
                    entry = range
                }
                key = word.name
            }
        }
    }

    private mutating func endEntry(_ text: Span<UInt8>) {
        // With the rest of its line, if nothing else is there.
        var end = entry.upperBound
        while end < text.count, text[end].isBlank || text[end] == 0x0D {
            end += 1
        }
        if end < text.count, text[end] == 0x0A {
            end += 1
        } else if end < text.count {
            end = entry.upperBound
        }
        for index in first..<values.count {
            values[index].removal = entry.lowerBound..<end
        }
        first = values.count
    }
}
