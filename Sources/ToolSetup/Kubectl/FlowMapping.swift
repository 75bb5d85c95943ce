internal import KeychainServices

/// A YAML mapping in braces on one line, which people write and kubectl does not. It can be read, but not changed.
struct FlowMapping {
    private(set) var values: [String: YAMLBlocks.Node] = [:]

    /// Parses the text with its braces; nil for keys and values that are neither plain, in quotes without escapes,
    /// nor a collection themselves.
    init?(_ flow: YAMLScalar) {
        let values = flow.withBytes { text in FlowMapping.values(of: flow, text) }
        guard let values else {
            return nil
        }
        self.values = values
    }

    private static func values(
        of flow: YAMLScalar, _ text: Span<UInt8>
    ) -> [String: YAMLBlocks.Node]? {
        guard text.count > 1, text[0] == UInt8(ascii: "{"),
            text[text.count - 1] == UInt8(ascii: "}"),
            let parts = parts(1..<text.count - 1, text)
        else {
            return nil
        }
        var values: [String: YAMLBlocks.Node] = [:]
        for part in parts {
            let colon = part.dropLast().first { index in
                text[index] == UInt8(ascii: ":") && text[index + 1] == space
            }
            guard let colon,
                case .value(let key) = node(part.lowerBound..<colon, of: flow, text),
                let value = node(colon + 1..<part.upperBound, of: flow, text),
                values.updateValue(value, forKey: key.name) == nil
            else {
                return nil
            }
        }
        return values
    }

    /// Splits at the commas that are in no quotes and in no further braces; nil without the second of a pair.
    private static func parts(_ range: Range<Int>, _ text: Span<UInt8>) -> [Range<Int>]? {
        var parts: [Range<Int>] = []
        var depth = 0
        var quote: UInt8?
        var start = range.lowerBound
        for index in range {
            switch text[index] {
            case let byte where quote != nil: quote = byte == quote ? nil : quote
            case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = text[index]
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: ",") where depth == 0:
                parts.append(start..<index)
                start = index + 1
            default: break
            }
            guard depth >= 0 else {
                return nil
            }
        }
        parts.append(start..<range.upperBound)
        guard depth == 0, quote == nil else {
            return nil
        }
        return parts.filter { part in !part.allSatisfy { text[$0] == space } }
    }

    private static func node(
        _ range: Range<Int>, of flow: YAMLScalar, _ text: Span<UInt8>
    ) -> YAMLBlocks.Node? {
        guard let start = range.first(where: { text[$0] != space }),
            let last = range.last(where: { text[$0] != space })
        else {
            return nil
        }
        func isFree(_ range: Range<Int>, of bytes: String) -> Bool {
            !range.contains { bytes.utf8.contains(text[$0]) }
        }
        let trimmed = start..<last + 1
        switch text[start] {
        case UInt8(ascii: "{"), UInt8(ascii: "["): return .flow(flow.part(trimmed))
        case UInt8(ascii: "\""), UInt8(ascii: "'"):
            let isPlain =
                last > start && text[last] == text[start] && isFree(start + 1..<last, of: "\"'\\")
            return isPlain ? .value(flow.part(start + 1..<last)) : nil
        default:
            return isFree(trimmed, of: "\"'\\#&*!|>%`?") ? .value(flow.part(trimmed)) : nil
        }
    }

    private static let space = UInt8(ascii: " ")
}
