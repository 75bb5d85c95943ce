import LanyardSecrets

@testable import PlainTextFormats

/// YAML, with the places of its values.
enum YAMLTarget: FuzzTarget {
    static let name = "yaml"

    static func run(_ input: [UInt8]) {
        let (documents, _) = YAMLReader.read(FileBytes(input))
        let lines = 0..<input.count { $0 == 0x0A } + 1
        for document in documents {
            checkPlace(document, in: 0..<input.count, lines, input)
        }
    }

    /// What belongs to a key is in its lines, and in the bytes of its collection.
    private static func checkPlace(
        _ node: YAMLNode, in range: Range<Int>, _ lines: Range<Int>, _ input: [UInt8]
    ) {
        check(
            range.lowerBound <= node.whole.lowerBound && node.whole.upperBound <= range.upperBound
                && node.whole.lowerBound <= node.range.lowerBound
                && node.range.upperBound <= node.whole.upperBound, "a value is outside of another")
        if case .scalar(let value, isVerbatim: true) = node.content {
            check(value.elementsEqual(input[node.range]), "a value has other bytes than the file")
        }
        for entry in node.entries {
            check(
                entry.lines.lowerBound >= lines.lowerBound
                    && entry.lines.upperBound <= lines.upperBound, "an entry is outside of its key")
            checkPlace(entry.node, in: node.whole, entry.lines, input)
        }
        for item in node.items {
            checkPlace(item, in: node.whole, lines, input)
        }
    }
}
