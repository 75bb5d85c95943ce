internal import Secrets

/// Reads the words of netrc: `machine`, `login`, `password` and `account` have a value; `default` has none.
enum NetrcValues {
    static func read(_ text: Span<UInt8>) -> [PlainTextValue] {
        var values: [PlainTextValue] = []
        var machine = ""
        var key: String?
        var isInMacro = false
        // The first value and the bytes of the current entry.
        var first = 0
        var entry = 0..<0
        func endEntry() {
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
        var scanner = LineScanner()
        while let line = scanner.next(in: text) {
            let content = text.trimmed(line.range)
            guard !isInMacro else {
                isInMacro = !content.isEmpty
                continue
            }
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
                                path: [machine, known], range: text.unquoted(range),
                                line: line.number, parent: entry.lowerBound,
                                isVerbatim: !word.contains(UInt8(ascii: "\\")), removal: range))
                    }
                } else if word.starts(with: "#") {
                    break
                } else if word.equals("macdef") {
                    endEntry()
                    isInMacro = true
                    break
                } else if word.equals("default") {
                    endEntry()
                    entry = range
                    machine = ""
                } else {
                    if word.equals("machine") {
                        endEntry()
                        entry = range
                    }
                    key = word.name
                }
            }
        }
        endEntry()
        return values
    }
}
