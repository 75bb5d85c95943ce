internal import Secrets

/// Reads the words of netrc: `machine`, `login`, `password` and `account` have a value; `default` has none.
enum NetrcValues {
    static func read(_ text: Span<UInt8>) -> [PlainTextValue] {
        var values: [PlainTextValue] = []
        var machine = ""
        var key: String?
        var isInMacro = false
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
                    if known == "machine" {
                        machine = word.name
                    } else {
                        values.append(
                            PlainTextValue(
                                path: [machine, known], range: text.unquoted(range),
                                line: line.number))
                    }
                } else if word.starts(with: "#") {
                    break
                } else if word.equals("macdef") {
                    isInMacro = true
                    break
                } else if word.equals("default") {
                    machine = ""
                } else {
                    key = word.name
                }
            }
        }
        return values
    }
}
