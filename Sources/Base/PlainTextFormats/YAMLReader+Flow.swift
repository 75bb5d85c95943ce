internal import LanyardSecrets

// Collections in braces and brackets.
extension YAMLReader {
    /// Reads a collection, and its lines.
    mutating func flow(_ start: Int) throws(Failure) -> YAMLNode {
        let firstLine = line
        let begin = place
        try checkDepth()
        flowDepth += 1
        defer { flowDepth -= 1 }
        let isMapping = byte() == UInt8(ascii: "{")
        let end = UInt8(ascii: isMapping ? "}" : "]")
        place += 1
        var entries: [YAMLNode.Entry] = []
        var items: [YAMLNode] = []
        skipToContent()
        while byte() != end {
            if isMapping {
                entries.append(try flowEntry())
            } else {
                items.append(try flowItem())
            }
            skipToContent()
            guard byte() == UInt8(ascii: ",") else {
                break
            }
            place += 1
            skipToContent()
        }
        guard byte() == end else {
            throw other()
        }
        place += 1
        lastLine = line
        if flowDepth == 1 {
            try checkLineEnds()
        }
        return YAMLNode(
            content: isMapping ? .mapping(entries) : .sequence(items), range: begin..<place,
            whole: start..<place, isFlow: true, line: firstLine)
    }

    /// Throws unless only a comment follows.
    mutating func checkLineEnds() throws(Failure) {
        skipBlanks()
        guard isLineEnd() || byte() == UInt8(ascii: "#") else {
            throw other()
        }
    }

    private mutating func flowEntry() throws(Failure) -> YAMLNode.Entry {
        let (start, firstLine, column) = (place, line, column)
        let key = try flowValue()
        guard let name = key.name.map({ $0.isEmpty ? file[key.range].name : $0 }) else {
            throw other()
        }
        return try entry(name, start, firstLine, column)
    }

    private mutating func entry(
        _ name: String, _ start: Int, _ firstLine: Int, _ column: Int
    ) throws(Failure) -> YAMLNode.Entry {
        skipToContent()
        var node = YAMLNode(content: .empty, range: place..<place, whole: place..<place, line: line)
        if byte() == UInt8(ascii: ":") {
            place += 1
            skipToContent()
            node = try flowValue()
        }
        node.isUnread = node.isUnread || name == "<<"
        return YAMLNode.Entry(
            key: name, start: start, column: column, isFirst: false, node: node,
            colon: node.whole.lowerBound, lines: firstLine..<line + 1)
    }

    /// Reads an item, which may be a mapping of one entry without braces.
    private mutating func flowItem() throws(Failure) -> YAMLNode {
        let (start, firstLine, column) = (place, line, column)
        let item = try flowValue()
        skipToContent()
        guard byte() == UInt8(ascii: ":"), let name = item.name else {
            return item
        }
        let entry = try entry(name, start, firstLine, column)
        return YAMLNode(
            content: .mapping([entry]), range: start..<place, whole: start..<place, isFlow: true,
            line: firstLine)
    }

    /// Reads a value, which ends before a comma, a colon or a bracket.
    private mutating func flowValue() throws(Failure) -> YAMLNode {
        depth += 1
        defer { depth -= 1 }
        let (start, firstLine) = (place, line)
        var isUnread = false
        while byte() == UInt8(ascii: "!") || byte() == UInt8(ascii: "&") {
            isUnread = property() || isUnread
            skipToContent()
        }
        var node: YAMLNode
        switch byte() {
        case nil: throw other()
        case UInt8(ascii: "{"), UInt8(ascii: "["): node = try flow(start)
        case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: ":"):
            node = YAMLNode(
                content: .empty, range: place..<place, whole: start..<place, line: firstLine)
            guard byte() != UInt8(ascii: ":") || isSpace(1) || isFlowSign(1) else {
                throw other()
            }
        default: node = try scalar(in: -1, start)
        }
        node.isUnread = node.isUnread || isUnread
        return node
    }
}
