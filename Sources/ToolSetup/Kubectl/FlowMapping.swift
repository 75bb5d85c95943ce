/// A YAML mapping in braces on one line, which people write and kubectl does not. It can be read, but not changed.
struct FlowMapping {
    private(set) var values: [String: YAMLBlocks.Node] = [:]

    /// Parses the text with its braces; nil for keys and values that are neither plain, in quotes without escapes,
    /// nor a collection themselves.
    init?(_ text: String) {
        guard text.hasPrefix("{"), text.hasSuffix("}"),
            let parts = FlowMapping.parts(text.dropFirst().dropLast())
        else {
            return nil
        }
        for part in parts {
            guard let colon = part.firstRange(of: ": "),
                case .value(let key) = FlowMapping.node(part[..<colon.lowerBound]),
                let value = FlowMapping.node(part[colon.upperBound...]),
                values.updateValue(value, forKey: key) == nil
            else {
                return nil
            }
        }
    }

    /// Splits at the commas that are in no quotes and in no further braces; nil without the second of a pair.
    private static func parts(_ text: Substring) -> [Substring]? {
        var parts: [Substring] = []
        var depth = 0
        var quote: Character?
        var start = text.startIndex
        for index in text.indices {
            switch (text[index], quote) {
            case (let character, .some(let open)): quote = character == open ? nil : open
            case ("\"", _), ("'", _): quote = text[index]
            case ("{", _), ("[", _): depth += 1
            case ("}", _), ("]", _): depth -= 1
            case (",", _) where depth == 0:
                parts.append(text[start..<index])
                start = text.index(after: index)
            default: break
            }
            guard depth >= 0 else {
                return nil
            }
        }
        parts.append(text[start...])
        return depth == 0 && quote == nil ? parts.filter { !$0.allSatisfy { $0 == " " } } : nil
    }

    private static func node(_ text: Substring) -> YAMLBlocks.Node? {
        let text = text.drop { $0 == " " }
        let end = text.lastIndex { $0 != " " }.map { text.index(after: $0) } ?? text.startIndex
        let trimmed = text[..<end]
        let inner = trimmed.dropFirst().dropLast()
        switch trimmed.first {
        case "{", "[": return .flow(String(trimmed))
        case "\"", "'":
            let isPlain =
                trimmed.count > 1 && trimmed.last == trimmed.first
                && !inner.contains { "\"'\\".contains($0) }
            return isPlain ? .value(String(inner)) : nil
        default:
            let isPlain = !trimmed.isEmpty && !trimmed.contains { "\"'\\#&*!|>%`?".contains($0) }
            return isPlain ? .value(String(trimmed)) : nil
        }
    }
}
