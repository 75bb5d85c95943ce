internal import KeychainServices

/// A YAML file of block mappings, block sequences and values of one line, which is what kubectl writes. Every part
/// knows its lines.
///
/// Other forms are errors, because a change of lines could mean something else in them: anchors, tags, block scalars,
/// values of several lines, several documents.
struct YAMLBlocks {
    /// A part of the file.
    indirect enum Node {
        /// A value of one line, without its quotes.
        case value(String)
        /// A collection of one line, in brackets.
        case flow(String)
        case mapping([Entry])
        case sequence([Node])
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
        let text: Substring
        var isDash: Bool { text == "-" }
    }

    /// The lines, without line breaks.
    let lines: [String]
    /// The document.
    private(set) var root = Node.mapping([])

    private var tokens: [Token] = []
    private var next = 0

    /// Parses a file.
    ///
    /// - Throws: ``Status/decode`` with the line's number for another form.
    init(_ bytes: [UInt8]) throws(KeychainError) {
        guard let text = String(validating: bytes, as: UTF8.self), !text.utf8.contains(0x0D) else {
            throw KeychainError(.decode, "it is not UTF-8 with line breaks of Unix")
        }
        lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
        for (number, line) in lines.enumerated() {
            try addTokens(of: line, number)
        }
        if tokens.first?.text == "---" {
            next = 1
        }
        if next < tokens.count {
            root = try node()
        }
        guard next == tokens.count else {
            throw YAMLBlocks.otherForm(tokens[next].line)
        }
    }

    private mutating func addTokens(of line: String, _ number: Int) throws(KeychainError) {
        var rest = line[...]
        while true {
            rest = rest.drop { $0 == " " }
            let column = line.distance(from: line.startIndex, to: rest.startIndex)
            guard let first = rest.first, first != "#" else {
                return
            }
            guard first != "\t", !rest.hasPrefix("? "), rest != "..." else {
                throw YAMLBlocks.otherForm(number)
            }
            guard rest == "-" || rest.hasPrefix("- ") else {
                while rest.last == " " {
                    rest.removeLast()
                }
                return tokens.append(Token(line: number, column: column, text: rest))
            }
            tokens.append(Token(line: number, column: column, text: rest.prefix(1)))
            rest = rest.dropFirst()
        }
    }

    private static func otherForm(_ line: Int) -> KeychainError {
        KeychainError(.decode, "line \(line + 1) is not of the form that kubectl writes")
    }

    private mutating func node() throws(KeychainError) -> Node {
        let token = tokens[next]
        if token.isDash {
            return .sequence(try items(token.column))
        }
        guard try YAMLBlocks.split(token) == nil else {
            return .mapping(try entries(token.column))
        }
        next += 1
        return try YAMLBlocks.scalar(token.text, token.line)
    }

    private mutating func items(_ column: Int) throws(KeychainError) -> [Node] {
        var items: [Node] = []
        while next < tokens.count, tokens[next].isDash, tokens[next].column == column {
            next += 1
            items.append(isDeeper(than: column) ? try node() : .value(""))
        }
        return items
    }

    private mutating func entries(_ column: Int) throws(KeychainError) -> [Entry] {
        var entries: [Entry] = []
        while next < tokens.count, !tokens[next].isDash, tokens[next].column == column {
            let token = tokens[next]
            guard let (key, value) = try YAMLBlocks.split(token), key != "<<",
                !entries.contains(where: { $0.key == key })
            else {
                throw YAMLBlocks.otherForm(token.line)
            }
            next += 1
            let node: Node
            if !value.isEmpty {
                node = try YAMLBlocks.scalar(value, token.line)
            } else if isDeeper(than: column) || isSequence(at: column) {
                node = try self.node()
            } else {
                node = .value("")
            }
            entries.append(
                Entry(
                    key: key, node: node, lines: token.line..<tokens[next - 1].line + 1,
                    column: column))
        }
        // A value of several lines goes on there.
        guard !isDeeper(than: column) else {
            throw YAMLBlocks.otherForm(tokens[next].line)
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
    private static func split(_ token: Token) throws(KeychainError) -> (String, Substring)? {
        let text = token.text
        let end = text.indices.first { index in
            let after = text.index(after: index)
            return text[index] == ":" && (after == text.endIndex || text[after] == " ")
        }
        guard let end, let first = text.first, !"{[".contains(first) else {
            return nil
        }
        guard case .value(let key) = try scalar(text[..<end], token.line) else {
            throw otherForm(token.line)
        }
        var value = text[text.index(after: end)...].drop { $0 == " " }
        if value.first == "#" {
            value = ""
        }
        return (key, value)
    }

    private static func scalar(_ text: Substring, _ line: Int) throws(KeychainError) -> Node {
        guard let first = text.first, !"&*!|>%@`".contains(first) else {
            throw otherForm(line)
        }
        switch first {
        case "\"", "'":
            let inner = text.dropFirst().dropLast()
            guard text.count > 1, text.last == first, !inner.contains(first),
                !inner.contains("\\")
            else {
                throw otherForm(line)
            }
            return .value(String(inner))
        case "{", "[":
            guard text.last == (first == "{" ? "}" : "]") else {
                throw otherForm(line)
            }
            return .flow(String(text))
        default:
            let end = text.firstRange(of: " #")?.lowerBound ?? text.endIndex
            return .value(String(text[..<end]))
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
    var value: String? {
        if case .value(let value) = self { value } else { nil }
    }

    /// The entry with a key, nil without one.
    func entry(_ key: String) -> YAMLBlocks.Entry? { entries.first { $0.key == key } }

    /// What a key has, nil without it.
    subscript(key: String) -> YAMLBlocks.Node? { entry(key)?.node }
}
