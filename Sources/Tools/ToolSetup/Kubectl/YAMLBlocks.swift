internal import KeychainServices
internal import StrictJSON

/// A YAML file of block mappings, block sequences and values of one line, which is what kubectl writes. Every part
/// knows its lines. Only keys and names become strings.
///
/// Other forms are errors, because a change of lines could mean something else in them: anchors, tags, block scalars,
/// values of several lines, several documents. PlainTextFormats' reader of YAML accepts them: it only finds values.
struct YAMLBlocks {
    /// A part of the file.
    indirect enum Node {
        /// A value of one line, without its quotes.
        case value(FileBytes)
        /// A collection of one line, in brackets.
        case flow(FileBytes)
        case mapping([Entry])
        case sequence([Node])
        case empty
        /// A value of another form, in a file that is only read.
        case unread
    }

    /// A key of a mapping.
    struct Entry {
        let key: String
        let node: Node
        /// The lines of the key and of what belongs to it.
        let lines: Range<Int>
        /// The number of characters before the key.
        let column: Int
    }

    /// A key, a value, or the dash of a sequence.
    private struct Token {
        let line: Int
        let column: Int
        let range: Range<Int>
        let isDash: Bool
    }

    let file: FileBytes
    /// The lines, without line breaks.
    private(set) var lines: [FileBytes] = []
    /// The document.
    private(set) var root = Node.mapping([])

    private var tokens: [Token] = []
    private var next = 0
    private var depth = 0
    private let isForReading: Bool

    /// Limits how deep collections may be nested.
    private static let depthLimit = 64

    /// Parses a file.
    ///
    /// - Parameter isForReading: Whether values may have another form, because no line will be changed.
    /// - Throws: ``Status/decode`` with the line's number for another form.
    init(_ bytes: FileBytes, isForReading: Bool = false) throws(KeychainError) {
        file = bytes
        self.isForReading = isForReading
        lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
        try bytes.withBytes { text throws(KeychainError) in try parse(text) }
    }

    /// Parses JSON, which YAML includes. The parts know no lines, so the file can't be changed.
    ///
    /// - Throws: ``Status/decode`` for anything else.
    init(json bytes: FileBytes) throws(KeychainError) {
        file = bytes
        isForReading = true
        root = try bytes.withBytes { text throws(KeychainError) in
            try JSONReader.read(text, limit: text.count, depth: YAMLBlocks.depthLimit) {
                reader throws(KeychainError) in
                try YAMLBlocks.node(&reader)
            }
        }
    }

    private static func node(_ reader: inout JSONReader) throws(KeychainError) -> Node {
        switch try reader.kind {
        case .null:
            _ = try reader.readNull()
            return .empty
        case .string: return .value(FileBytes(try reader.readSecret()))
        case .number: return .value(FileBytes(try reader.readNumber()))
        case .bool: return .value(try reader.readBool() ? "true" : "false")
        case .array:
            var items: [Node] = []
            try reader.readArray { reader throws(KeychainError) in
                items.append(try node(&reader))
            }
            return .sequence(items)
        case .object:
            var entries: [Entry] = []
            try reader.readObject { name, reader throws(KeychainError) in
                entries.append(
                    Entry(
                        key: name.description, node: try node(&reader), lines: 0..<0, column: 0))
            }
            return .mapping(entries)
        }
    }

    private mutating func parse(_ text: Span<UInt8>) throws(KeychainError) {
        guard text.isUTF8 else {
            throw KeychainError(.decode, "it is not UTF-8")
        }
        for (number, line) in lines.enumerated() {
            var range = line.startIndex..<line.endIndex
            // Editors of Windows write this mark, and these line breaks.
            if number == 0, text.starts(with: "\u{FEFF}") {
                range = range.lowerBound + 3..<range.upperBound
            }
            if !range.isEmpty, text[range.upperBound - 1] == 0x0D {
                range = range.lowerBound..<range.upperBound - 1
            }
            guard !text.extracting(range).contains(0x0D) else {
                throw otherForm(number)
            }
            try addTokens(of: range, number, text)
        }
        if let first = tokens.first, text.extracting(first.range).equals("---") {
            next = 1
        }
        if next < tokens.count {
            root = try node(text)
        }
        guard next == tokens.count else {
            throw otherForm(tokens[next].line)
        }
    }

    private mutating func addTokens(
        of line: Range<Int>, _ number: Int, _ text: Span<UInt8>
    ) throws(KeychainError) {
        var start = line.lowerBound
        while true {
            while start < line.upperBound, text[start] == YAMLBlocks.space {
                start += 1
            }
            let rest = text.extracting(start..<line.upperBound)
            guard !rest.isEmpty, rest[0] != UInt8(ascii: "#") else {
                return
            }
            guard rest[0] != UInt8(ascii: "\t"), !rest.starts(with: "? "), !rest.equals("...")
            else {
                throw otherForm(number)
            }
            let isDash = rest.equals("-") || rest.starts(with: "- ")
            let range = isDash ? start..<start + 1 : text.trimmingEnd(start..<line.upperBound)
            tokens.append(
                Token(
                    line: number, column: start - line.lowerBound, range: range, isDash: isDash))
            guard isDash else {
                return
            }
            start += 1
        }
    }

    private static let space = UInt8(ascii: " ")

    private func otherForm(_ line: Int) -> KeychainError {
        KeychainError(
            .decode, "line \(line + 1) is not of the form that kubectl writes",
            hint: line == lines.count - 1
                ? "the file may be cut off: its last line has no end" : nil)
    }

    private mutating func node(_ text: Span<UInt8>) throws(KeychainError) -> Node {
        let token = tokens[next]
        guard depth < YAMLBlocks.depthLimit else {
            throw otherForm(token.line)
        }
        depth += 1
        defer { depth -= 1 }
        if token.isDash {
            return .sequence(try items(token.column, text))
        }
        guard try split(token, text) == nil else {
            return .mapping(try entries(token.column, text))
        }
        next += 1
        return try scalar(token.range, token.line, text)
    }

    private mutating func items(
        _ column: Int, _ text: Span<UInt8>
    ) throws(KeychainError) -> [Node] {
        var items: [Node] = []
        while next < tokens.count, tokens[next].isDash, tokens[next].column == column {
            next += 1
            items.append(isDeeper(than: column) ? try node(text) : .empty)
        }
        return items
    }

    private mutating func entries(
        _ column: Int, _ text: Span<UInt8>
    ) throws(KeychainError) -> [Entry] {
        var entries: [Entry] = []
        var keys: Set<String> = []
        while next < tokens.count, !tokens[next].isDash, tokens[next].column == column {
            let token = tokens[next]
            guard let (key, value) = try split(token, text), key != "<<",
                keys.insert(key).inserted
            else {
                throw otherForm(token.line)
            }
            next += 1
            var node: Node
            if !value.isEmpty {
                node = try scalar(value, token.line, text)
            } else if isDeeper(than: column) || isSequence(at: column) {
                node = try self.node(text)
            } else {
                node = .empty
            }
            // A value of several lines goes on there.
            while isForReading, isDeeper(than: column) {
                next += 1
                node = .unread
            }
            entries.append(
                Entry(
                    key: key, node: node, lines: token.line..<tokens[next - 1].line + 1,
                    column: column))
        }
        guard !isDeeper(than: column) else {
            throw otherForm(tokens[next].line)
        }
        return entries
    }

    private func isDeeper(than column: Int) -> Bool {
        next < tokens.count && tokens[next].column > column
    }

    private func isSequence(at column: Int) -> Bool {
        next < tokens.count && tokens[next].isDash && tokens[next].column == column
    }

    /// Returns the key and the value of a line, nil if it has no key.
    private func split(
        _ token: Token, _ text: Span<UInt8>
    ) throws(KeychainError) -> (String, Range<Int>)? {
        let end = token.range.first { index in
            text[index] == UInt8(ascii: ":")
                && (index + 1 == token.range.upperBound || text[index + 1] == YAMLBlocks.space)
        }
        guard let end, !"{[".utf8.contains(text[token.range.lowerBound]) else {
            return nil
        }
        let node = try scalar(token.range.lowerBound..<end, token.line, text)
        guard case .value(let key) = node else {
            throw otherForm(token.line)
        }
        var start = end + 1
        while start < token.range.upperBound, text[start] == YAMLBlocks.space {
            start += 1
        }
        let hasValue = start < token.range.upperBound && text[start] != UInt8(ascii: "#")
        return (key.name, hasValue ? start..<token.range.upperBound : start..<start)
    }

    private func scalar(
        _ range: Range<Int>, _ line: Int, _ text: Span<UInt8>
    ) throws(KeychainError) -> Node {
        if let node = scalar(range, text) {
            return node
        }
        guard isForReading else {
            throw otherForm(line)
        }
        return .unread
    }

    /// Returns a value, nil for one of another form.
    private func scalar(_ range: Range<Int>, _ text: Span<UInt8>) -> Node? {
        guard let first = range.first.map({ text[$0] }), !"&*!|>%@`".utf8.contains(first) else {
            return nil
        }
        let last = text[range.upperBound - 1]
        switch first {
        case UInt8(ascii: "\""), UInt8(ascii: "'"):
            guard range.count > 1, last == first else {
                return nil
            }
            let inner = range.lowerBound + 1..<range.upperBound - 1
            guard !text.extracting(inner).contains(first),
                !text.extracting(inner).contains(UInt8(ascii: "\\"))
            else {
                return nil
            }
            return .value(file[inner])
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            // `}` and `]` are two after them in ASCII.
            guard last == first + 2 else {
                return nil
            }
            return .flow(file[range])
        default:
            let comment = range.first { index in
                text[index] == YAMLBlocks.space && index + 1 < range.upperBound
                    && text[index + 1] == UInt8(ascii: "#")
            }
            let end = text.trimmingEnd(range.lowerBound..<(comment ?? range.upperBound))
            return .value(file[end])
        }
    }
}

extension YAMLBlocks.Node {
    /// The entries of a mapping; none of anything else.
    var entries: [YAMLBlocks.Entry] {
        if case .mapping(let entries) = self { entries } else { [] }
    }

    /// The items of a sequence; none of anything else.
    var items: [YAMLBlocks.Node] {
        if case .sequence(let items) = self { items } else { [] }
    }

    /// The value, nil of a collection.
    var scalar: FileBytes? {
        if case .value(let value) = self { value } else { nil }
    }

    /// Whether it is a value of another form.
    var isUnread: Bool {
        if case .unread = self { true } else { false }
    }

    /// The value as a string, nil of a collection: for names, never for secrets.
    var name: String? {
        if case .empty = self { "" } else { scalar?.name }
    }

    /// The entry with a key, nil without one.
    func entry(_ key: String) -> YAMLBlocks.Entry? { entries.first { $0.key == key } }

    /// What a key has, nil without it.
    subscript(key: String) -> YAMLBlocks.Node? {
        if case .flow(let text) = self {
            return FlowMapping(text)?.values[key]
        }
        return entry(key)?.node
    }
}

extension Span where Element == UInt8 {
    /// Returns a part without the spaces at its end.
    fileprivate func trimmingEnd(_ part: Range<Int>) -> Range<Int> {
        var end = part.upperBound
        while end > part.lowerBound, self[end - 1] == UInt8(ascii: " ") {
            end -= 1
        }
        return part.lowerBound..<end
    }
}
