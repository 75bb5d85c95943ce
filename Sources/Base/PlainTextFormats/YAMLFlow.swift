internal import LanyardSecrets

/// A mapping of YAML in braces on one line, such as `{token: abc, "user": ada}`, without others in it.
struct YAMLFlow {
    struct Member {
        let name: String
        /// The value without quotation marks.
        let value: Range<Int>
        /// Whether the bytes are the value.
        let isVerbatim: Bool
    }

    private(set) var members: [Member] = []

    /// Reads a mapping; nil for another form.
    init?(_ text: Span<UInt8>, _ range: Range<Int>) {
        var place = range.lowerBound
        func next() -> UInt8? { place < range.upperBound ? text[place] : nil }
        func skipBlanks() {
            while next() == UInt8(ascii: " ") {
                place += 1
            }
        }
        /// Returns a text in quotation marks or without, nil for one without an end.
        func scalar(endsBefore isEnd: (UInt8) -> Bool) -> (Range<Int>, isVerbatim: Bool)? {
            let start = place
            guard let quote = next(), quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'")
            else {
                while let byte = next(), !isEnd(byte) {
                    place += 1
                }
                let value = text.withoutBlanks(start..<place)
                guard text.extracting(value).comment == nil else {
                    return nil
                }
                let isPlain = !value.isEmpty && !"|>&*!{[@%`".utf8.contains(text[value.lowerBound])
                return (value, isPlain)
            }
            place += 1
            while let byte = next(), byte != quote {
                place += byte == UInt8(ascii: "\\") && quote == UInt8(ascii: "\"") ? 2 : 1
            }
            guard next() == quote else {
                return nil
            }
            place += 1
            let value = start + 1..<place - 1
            return (value, !text.extracting(value).contains(UInt8(ascii: "\\")))
        }
        guard next() == UInt8(ascii: "{") else {
            return nil
        }
        place += 1
        while true {
            skipBlanks()
            if next() == UInt8(ascii: "}") {
                break
            }
            guard let (name, _) = scalar(endsBefore: { ":,{}[]".utf8.contains($0) }),
                next() == UInt8(ascii: ":")
            else {
                return nil
            }
            place += 1
            skipBlanks()
            guard let first = next(), first != UInt8(ascii: "{"), first != UInt8(ascii: "["),
                let (value, isVerbatim) = scalar(endsBefore: { ",{}[]".utf8.contains($0) })
            else {
                return nil
            }
            members.append(
                Member(
                    name: text.extracting(name).name, value: value, isVerbatim: isVerbatim))
            skipBlanks()
            guard next() == UInt8(ascii: ",") else {
                break
            }
            place += 1
        }
        guard next() == UInt8(ascii: "}") else {
            return nil
        }
        let rest = text.extracting(text.withoutBlanks(place + 1..<range.upperBound))
        guard rest.isEmpty || rest.starts(with: "#") else {
            return nil
        }
    }
}
