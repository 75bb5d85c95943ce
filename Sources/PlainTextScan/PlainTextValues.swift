internal import Secrets
internal import ToolProfiles

/// Reads the values of plain-text files, as much of each format as tools write: it looks for secrets, and
/// does not check the form.
enum PlainTextValues {
    /// Gets the names that lead to a value, the value and its line.
    typealias Body = (_ path: [String], _ value: Span<UInt8>, _ line: Int) -> Void

    /// Passes each value to a closure.
    static func forEach(in text: Span<UInt8>, _ format: PlainTextFormat, _ body: Body) {
        switch format {
        case .json: JSONValues.forEach(in: text, body)
        case .yaml: YAMLValues.forEach(in: text, body)
        case .ini: forEachOfSections(in: text, splitsNames: false, body)
        case .toml: forEachOfSections(in: text, splitsNames: true, body)
        case .netrc: forEachOfNetrc(in: text, body)
        case .singleLine:
            var isFirst = true
            TextLines.forEach(in: text) { line, number in
                if isFirst, !line.trimmed.isEmpty {
                    isFirst = false
                    body([], line, number)
                }
            }
        }
    }

    /// Reads sections in brackets, and lines of a key and a value.
    ///
    /// - Parameter splitsNames: Whether a dot separates names, as in TOML.
    private static func forEachOfSections(
        in text: Span<UInt8>, splitsNames: Bool, _ body: Body
    ) {
        var section: [String] = []
        func names(_ text: Span<UInt8>) -> [String] {
            guard splitsNames else {
                return [text.name]
            }
            var names: [String] = []
            var name: [UInt8] = []
            var quote: UInt8?
            for index in text.indices {
                let byte = text[index]
                switch byte {
                case UInt8(ascii: "\""), UInt8(ascii: "'"):
                    if quote == nil || quote == byte {
                        quote = quote == nil ? byte : nil
                    } else {
                        name.append(byte)
                    }
                case UInt8(ascii: ".") where quote == nil:
                    names.append(String(decoding: name, as: UTF8.self))
                    name = []
                case _ where byte.isBlank && quote == nil: break
                default: name.append(byte)
                }
            }
            return names + [String(decoding: name, as: UTF8.self)]
        }
        TextLines.forEach(in: text) { line, number in
            var line = line.extracting(line.trimmed)
            if line.starts(with: "export ") {
                line = line.extracting(line.trimmed(7..<line.count))
            }
            guard line.count > 0, line[0] != UInt8(ascii: "#"), line[0] != UInt8(ascii: ";") else {
                return
            }
            if line[0] == UInt8(ascii: "[") {
                var start = 0
                var end = line.count
                while start < end, line[start] == UInt8(ascii: "[") {
                    start += 1
                }
                for index in line.indices
                where line[index] == UInt8(ascii: "]") && end == line.count {
                    end = index
                }
                section = names(line.extracting(line.trimmed(start..<max(start, end))))
                return
            }
            guard let sign = line.first("=") ?? line.first(":") else {
                return
            }
            let path = section + names(line.extracting(line.trimmed(0..<sign)))
            body(path, line.extracting(line.unquoted(sign + 1..<line.count)), number)
        }
    }

    /// Reads words: `machine`, `login`, `password` and `account` have a value; `default` has none.
    private static func forEachOfNetrc(in text: Span<UInt8>, _ body: Body) {
        var machine = ""
        var key: String?
        var isInMacro = false
        TextLines.forEach(in: text) { line, number in
            let line = line.extracting(line.trimmed)
            guard !isInMacro else {
                isInMacro = line.count > 0
                return
            }
            var index = 0
            while index < line.count {
                var end = index
                while end < line.count, !line[end].isBlank {
                    end += 1
                }
                let word = line.extracting(index..<end)
                index = end
                while index < line.count, line[index].isBlank {
                    index += 1
                }
                if let known = key {
                    key = nil
                    if known == "machine" {
                        machine = word.name
                    } else {
                        body(
                            [machine, known], word.extracting(word.unquoted(word.indices)), number)
                    }
                } else if word.starts(with: "#") {
                    return
                } else if word.equals("macdef") {
                    isInMacro = true
                    return
                } else if word.equals("default") {
                    machine = ""
                } else {
                    key = word.name
                }
            }
        }
    }
}
