internal import LanyardSecrets

/// The values of YAML; the names of a sequence's items are empty. Those of a further document, which programs ignore, are below
/// the name `---`.
package struct YAMLValues {
    /// The name above the values of a further document.
    package static let furtherDocument = "---"

    private let file: FileBytes
    private var values: [PlainTextValue] = []
    private var count = 0

    /// Adds the values.
    ///
    /// - Throws: ``Status/decode`` with the number of the line where the file is no YAML, and for too many nested collections.
    static func read(
        _ text: Span<UInt8>, to values: inout [PlainTextValue]
    ) throws(KeychainError) {
        let file = FileBytes(Secret(copying: text))
        let (documents, failure) = YAMLReader.read(file)
        var reader = YAMLValues(file: file)
        for (number, document) in documents.enumerated() {
            let isFurther = number > 0 && !reader.values.isEmpty
            reader.add(document, isFurther ? [furtherDocument] : [], 0)
        }
        values += reader.values
        if let failure {
            throw failure.error
        }
    }

    private init(file: FileBytes) {
        self.file = file
    }

    private mutating func add(
        _ node: YAMLNode, _ path: [String], _ parent: Int, isUnread: Bool = false,
        removal: Range<Int>? = nil
    ) {
        let isUnread = isUnread || node.isUnread
        var (isVerbatim, content): (Bool, FileBytes?) = (false, nil)
        switch node.content {
        case .empty where !isUnread: return
        case .empty: break
        case .scalar(let value, isVerbatim: false) where value.isEmpty: return
        case .scalar(let value, let isSame):
            isVerbatim = isSame && !isUnread
            content = isSame || isUnread ? nil : value
        case .mapping(let entries):
            let number = nextNumber(path)
            for entry in entries {
                add(
                    entry.node, path + [entry.key], number, isUnread: isUnread,
                    removal: self.removal(of: entry, in: node))
            }
            return
        case .sequence(let items):
            let number = nextNumber(path)
            for item in items {
                add(
                    item, path + [""], number, isUnread: isUnread,
                    removal: node.isFlow ? item.range : nil)
            }
            return
        }
        values.append(
            PlainTextValue(
                path: path, range: node.range, line: node.line + 1, parent: parent,
                isVerbatim: isVerbatim, content: content,
                removal: removal ?? restOfLine(from: node.whole.lowerBound, node)))
    }

    private mutating func nextNumber(_ path: [String]) -> Int {
        count += path.isEmpty ? 0 : 1
        return path.isEmpty ? 0 : count
    }

    /// Returns what is removed with the value of an entry: its lines, or what follows its key.
    private func removal(of entry: YAMLNode.Entry, in mapping: YAMLNode) -> Range<Int> {
        guard !mapping.isFlow else {
            return entry.node.range
        }
        guard entry.isFirst else {
            return restOfLine(from: entry.colon, entry.node)
        }
        let end = file[entry.node.whole.upperBound...].firstIndex(of: 0x0A).map { $0 + 1 }
        return entry.start - entry.column..<(end ?? file.endIndex)
    }

    /// Returns what follows a position to the end of a value's last line, without its end.
    private func restOfLine(from start: Int, _ node: YAMLNode) -> Range<Int> {
        var end = file[node.whole.upperBound...].firstIndex(of: 0x0A) ?? file.endIndex
        while end > node.whole.upperBound, file[end - 1].isBlank || file[end - 1] == 0x0D {
            end -= 1
        }
        return start..<end
    }
}

extension YAMLReader.Failure {
    /// The error for users.
    var error: KeychainError {
        KeychainError(
            .decode, "line \(line + 1) " + (isDepth ? "is nested too deep" : "is not valid YAML"))
    }
}
