internal import KeychainServices

/// A YAML mapping in braces on one line, which people write and kubectl does not. It can be read, but not changed.
struct FlowMapping {
    private(set) var values: [String: YAMLBlocks.Node] = [:]

    /// Parses the text with its braces; nil for keys and values that are neither plain, in quotes without escapes,
    /// nor a collection themselves.
    init?(_ flow: FileBytes) {
        guard flow.count > 1, flow.first == UInt8(ascii: "{"), flow.last == UInt8(ascii: "}"),
            let parts = FlowMapping.parts(flow.dropFirst().dropLast())
        else {
            return nil
        }
        for part in parts {
            let colon = part.firstRange(of: ": ".utf8)
            guard let colon, case .value(let key) = FlowMapping.node(part[..<colon.lowerBound]),
                let value = FlowMapping.node(part[colon.upperBound...]),
                values.updateValue(value, forKey: key.name) == nil
            else {
                return nil
            }
        }
    }

    /// Splits at the commas that are in no quotes and in no further braces; nil without the second of a pair.
    private static func parts(_ text: FileBytes) -> [FileBytes]? {
        var parts: [FileBytes] = []
        var depth = 0
        var quote: UInt8?
        var start = text.startIndex
        for index in text.indices {
            switch text[index] {
            case let byte where quote != nil: quote = byte == quote ? nil : quote
            case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = text[index]
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: ",") where depth == 0:
                parts.append(text[start..<index])
                start = index + 1
            default: break
            }
            guard depth >= 0 else {
                return nil
            }
        }
        parts.append(text[start...])
        guard depth == 0, quote == nil else {
            return nil
        }
        return parts.filter { part in !part.allSatisfy { $0 == space } }
    }

    private static func node(_ text: FileBytes) -> YAMLBlocks.Node? {
        func isFree(_ text: FileBytes, of bytes: String) -> Bool {
            !text.contains { bytes.utf8.contains($0) }
        }
        let text = text.drop { $0 == space }.trimmingSuffix { $0 == space }
        switch text.first {
        case nil: return nil
        case UInt8(ascii: "{"), UInt8(ascii: "["): return .flow(text)
        case UInt8(ascii: "\""), UInt8(ascii: "'"):
            let inner = text.dropFirst().dropLast()
            let isPlain =
                text.count > 1 && text.last == text.first && isFree(inner, of: "\"'\\")
            return isPlain ? .value(inner) : nil
        default: return isFree(text, of: "\"'\\#&*!|>%`?") ? .value(text) : nil
        }
    }

    private static let space = UInt8(ascii: " ")
}
