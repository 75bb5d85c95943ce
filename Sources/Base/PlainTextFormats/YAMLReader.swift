package import LanyardSecrets

/// Reads YAML 1.2: collections in blocks and in braces, all forms of texts, comments, and the tags of its core schema.
///
/// Anchors, references to them and other tags are not read: ``YAMLNode/isUnread``. Keys are single values of one line.
package struct YAMLReader {
    /// Where the file is no YAML, or has a form that is not read.
    package struct Failure: Error {
        /// The number of the line, from 0.
        package let line: Int
        /// Whether values are nested too deep there.
        package var isDepth = false
    }

    let file: FileBytes
    var place: Int
    /// The number of the present line, from 0, and its first byte.
    private(set) var line = 0
    private(set) var lineStart: Int
    /// The number of the line with the last byte of a value.
    var lastLine = 0
    /// The first damage. What is before it, is read.
    private(set) var failure: Failure?
    /// How many collections are around the present value, and how many of them are in braces or brackets.
    var (depth, flowDepth) = (0, 0)

    private init(_ file: FileBytes) {
        self.file = file
        // Some editors put this mark before the text.
        let hasMark = file.prefix(3).elementsEqual("\u{FEFF}".utf8)
        place = file.startIndex + (hasMark ? 3 : 0)
        lineStart = place
    }

    /// Reads a file.
    ///
    /// - Returns: Its documents, and the first damage, before which they end.
    package static func read(_ file: FileBytes) -> (documents: [YAMLNode], failure: Failure?) {
        var reader = YAMLReader(file)
        var documents: [YAMLNode] = []
        while reader.failure == nil, let document = reader.document() {
            documents.append(document)
        }
        return (documents, reader.failure)
    }

    // MARK: Bytes

    func byte(_ offset: Int = 0) -> UInt8? {
        let index = place + offset
        return index < file.endIndex ? file[index] : nil
    }

    /// Whether a byte ends a word: a blank, or the end of the line.
    func isSpace(_ offset: Int = 0) -> Bool {
        switch byte(offset) {
        case nil, 0x0A, 0x0D, 0x20, 0x09: true
        default: false
        }
    }

    /// Whether a byte is the end of the line.
    func isLineEnd(_ offset: Int = 0) -> Bool {
        switch byte(offset) {
        case nil, 0x0A: true
        case 0x0D: byte(offset + 1) ?? 0x0A == 0x0A
        default: false
        }
    }

    var column: Int { place - lineStart }

    mutating func skipBlanks() {
        while let byte = byte(), byte.isBlank {
            place += 1
        }
    }

    /// Goes to the beginning of the next line.
    mutating func skipLineBreak() {
        place += byte() == 0x0D ? 1 : 0
        if byte() == 0x0A {
            place += 1
            line += 1
            lineStart = place
        }
    }

    /// Goes to what follows blanks, comments and ends of lines.
    ///
    /// - Returns: Whether that is in another line.
    @discardableResult
    mutating func skipToContent() -> Bool {
        let before = line
        while true {
            skipBlanks()
            if byte() == UInt8(ascii: "#") {
                // Old readers take a carriage return for the end of a line: what follows one is not read.
                while !isLineEnd(), byte() != 0x0D {
                    place += 1
                }
            }
            guard byte() != nil, isLineEnd() else {
                return line > before
            }
            skipLineBreak()
        }
    }

    /// Whether a line begins here that ends a document: `---` or `...`.
    var isMarker: Bool {
        guard column == 0, let first = byte(),
            first == UInt8(ascii: "-") || first == UInt8(ascii: ".")
        else {
            return false
        }
        return byte(1) == first && byte(2) == first && isSpace(3)
    }

    func other() -> Failure { Failure(line: line) }

    // MARK: Documents

    private mutating func document() -> YAMLNode? {
        do throws(Failure) {
            skipToContent()
            while byte() == UInt8(ascii: "%"), column == 0 {
                while !isLineEnd() {
                    place += 1
                }
                skipToContent()
            }
            while isMarker, byte() == UInt8(ascii: ".") {
                place += 3
                skipToContent()
            }
            guard byte() != nil else {
                return nil
            }
            if isMarker {
                place += 3
            }
            let node = try block(in: -1, isInline: false)
            if failure == nil {
                skipToContent()
                guard byte() == nil || isMarker else {
                    throw other()
                }
            }
            return node
        } catch {
            failure = failure ?? error
            return nil
        }
    }

    // MARK: Blocks

    /// Reads a value that is deeper than a column, or an empty one.
    ///
    /// - Parameters:
    ///   - isInline: Whether it is behind a key: no collection in a block begins in this line.
    ///   - allowsDash: Whether a sequence may begin in that column.
    mutating func block(
        in parent: Int, isInline: Bool, allowsDash: Bool = false
    ) throws(Failure) -> YAMLNode {
        let first = (place: place, line: line)
        var isOtherLine = skipToContent()
        let start = (place: place, line: line)
        var (isUnread, hasProperty) = (false, false)
        while !isEnd(of: parent, isOtherLine, allowsDash),
            byte() == UInt8(ascii: "!") || byte() == UInt8(ascii: "&")
        {
            isUnread = property() || isUnread
            let isNext = skipToContent()
            (isOtherLine, hasProperty) = (isOtherLine || isNext, !isNext)
        }
        guard !isEnd(of: parent, isOtherLine, allowsDash), let byte = byte() else {
            return YAMLNode(
                content: .empty, range: first.place..<first.place, whole: first.place..<first.place,
                isUnread: isUnread, line: first.line)
        }
        depth += 1
        defer { depth -= 1 }
        let isOwnLine = isOtherLine || !isInline
        var node: YAMLNode
        if byte == UInt8(ascii: "-"), isSpace(1) {
            guard isOwnLine, !isIndentedByTab else {
                throw other()
            }
            node = try sequence(start)
        } else if isOwnLine, !hasProperty, try isKey() {
            guard !isIndentedByTab else {
                throw other()
            }
            node = try mapping(start)
        } else if byte == UInt8(ascii: "|") || byte == UInt8(ascii: ">") {
            node = try blockScalar(in: parent, start.place)
        } else if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
            node = try flow(start.place)
        } else {
            node = try scalar(in: parent, start.place)
        }
        node.isUnread = node.isUnread || isUnread
        return node
    }

    func checkDepth() throws(Failure) {
        guard depth <= PlainTextValues.depthLimit else {
            throw Failure(line: line, isDepth: true)
        }
    }

    /// Whether the value is empty that would be deeper than a column.
    private func isEnd(of parent: Int, _ isOtherLine: Bool, _ allowsDash: Bool) -> Bool {
        guard let byte = byte(), !isMarker else {
            return true
        }
        guard isOtherLine else {
            return false
        }
        let isDash = allowsDash && byte == UInt8(ascii: "-") && isSpace(1)
        return column < parent || column == parent && !isDash
    }

    private var isIndentedByTab: Bool {
        file[lineStart..<place].contains(UInt8(ascii: "\t"))
    }

    /// Reads a tag or an anchor.
    ///
    /// - Returns: Whether it is of the kind that is not read.
    mutating func property() -> Bool {
        let start = place
        while !isSpace(), !(isInFlow && isFlowSign()) {
            place += 1
        }
        let text = file[start..<place]
        lastLine = line
        return !YAMLReader.coreTags.contains { text.elementsEqual($0.utf8) }
    }

    private static let coreTags =
        ["!"] + ["str", "null", "int", "float", "bool", "map", "seq"].map { "!!\($0)" }

    /// Whether the present value is in braces or brackets.
    var isInFlow: Bool { flowDepth > 0 }

    func isFlowSign(_ offset: Int = 0) -> Bool {
        byte(offset).map { ",[]{}".utf8.contains($0) } ?? false
    }

    private mutating func sequence(
        _ start: (place: Int, line: Int)
    ) throws(Failure) -> YAMLNode {
        try checkDepth()
        let column = column
        var items: [YAMLNode] = []
        do throws(Failure) {
            while failure == nil, byte() == UInt8(ascii: "-"), isSpace(1), self.column == column,
                !isMarker
            {
                place += 1
                lastLine = line
                items.append(try block(in: column, isInline: false))
                if failure == nil {
                    skipToContent()
                }
            }
        } catch {
            failure = failure ?? error
        }
        return collection(.sequence(items), start)
    }

    private mutating func mapping(
        _ start: (place: Int, line: Int)
    ) throws(Failure) -> YAMLNode {
        try checkDepth()
        let column = column
        var entries: [YAMLNode.Entry] = []
        do throws(Failure) {
            while failure == nil, byte() != nil, self.column == column, !isMarker {
                guard try isKey() else {
                    throw other()
                }
                entries.append(try entry())
                if failure == nil {
                    skipToContent()
                }
            }
            if failure == nil, byte() != nil, self.column > column {
                throw other()
            }
        } catch {
            failure = failure ?? error
        }
        return collection(.mapping(entries), start)
    }

    private func collection(
        _ content: YAMLNode.Content, _ start: (place: Int, line: Int)
    ) -> YAMLNode {
        YAMLNode(
            content: content, range: start.place..<place, whole: start.place..<place,
            line: start.line)
    }

    private mutating func entry() throws(Failure) -> YAMLNode.Entry {
        let (start, firstLine, column) = (place, line, column)
        let isFirst = file[lineStart..<place].allSatisfy { $0 == UInt8(ascii: " ") }
        let key = try self.key()
        skipBlanks()
        place += 1
        let colon = place
        lastLine = line
        var node = try block(in: column, isInline: true, allowsDash: true)
        // The entries of another mapping.
        node.isUnread = node.isUnread || key.elementsEqual("<<".utf8)
        return YAMLNode.Entry(
            key: key.name, start: start, column: column, isFirst: isFirst, node: node, colon: colon,
            lines: firstLine..<max(firstLine, lastLine) + 1)
    }

    /// Whether a key of a mapping begins here.
    private func isKey() throws(Failure) -> Bool {
        switch byte() {
        case UInt8(ascii: "\""), UInt8(ascii: "'"):
            var reader = self
            guard (try? reader.quoted()) != nil, reader.line == line else {
                return false
            }
            reader.skipBlanks()
            return reader.byte() == UInt8(ascii: ":") && reader.isSpace(1)
        case UInt8(ascii: "?") where isSpace(1): throw other()
        case UInt8(ascii: "-") where isSpace(1): return false
        case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "|"), UInt8(ascii: ">"):
            return false
        default:
            let end = plainEnd
            return end < file.endIndex && file[end] == UInt8(ascii: ":")
        }
    }

    /// Reads the key before a colon.
    private mutating func key() throws(Failure) -> FileBytes {
        if byte() == UInt8(ascii: "\"") || byte() == UInt8(ascii: "'") {
            return try quoted().value
        }
        guard let first = byte(), !"&*!%@`,]}".utf8.contains(first) else {
            throw other()
        }
        return try plainLine()
    }
}
