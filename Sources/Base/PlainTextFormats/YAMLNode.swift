package import LanyardSecrets

/// A value of YAML, with its place in the file.
package struct YAMLNode: Sendable {
    /// What a value is.
    package indirect enum Content: Sendable {
        /// Nothing, a word for it, or a reference to an anchor.
        case empty
        /// A text, a number or another single value, without quotation marks and escapes, and whether its bytes are in the
        /// file like that.
        case scalar(FileBytes, isVerbatim: Bool)
        /// A mapping, with all entries of a key that is there twice.
        case mapping([Entry])
        /// A sequence.
        case sequence([YAMLNode])
    }

    /// An entry of a mapping.
    package struct Entry: Sendable {
        /// The key.
        package let key: String
        /// The position of the key's first byte.
        package let start: Int
        /// The number of bytes before the key in its line.
        package let column: Int
        /// Whether the key is the first in its line, and the mapping not in braces.
        package let isFirst: Bool
        /// What the key has.
        package let node: YAMLNode
        /// The position after the colon.
        package let colon: Int
        /// The lines of the key and of what belongs to it, from 0.
        package let lines: Range<Int>
    }

    /// What it is.
    package let content: Content
    /// Its bytes; those of a text without the quotation marks around it.
    package let range: Range<Int>
    /// Its bytes with quotation marks, tags and anchors.
    package let whole: Range<Int>
    /// Whether it is a collection in braces or brackets.
    package let isFlow: Bool
    /// Whether it has an anchor or a tag of an application, or is a reference to an anchor: what it means is not read.
    package internal(set) var isUnread: Bool
    /// The number of its first line, from 0.
    package let line: Int

    /// Creates a value.
    init(
        content: Content, range: Range<Int>, whole: Range<Int>, isFlow: Bool = false,
        isUnread: Bool = false, line: Int
    ) {
        self.content = content
        self.range = range
        self.whole = whole
        self.isFlow = isFlow
        self.isUnread = isUnread
        self.line = line
    }

    /// Creates the value of an empty file.
    package init() {
        self.init(content: .empty, range: 0..<0, whole: 0..<0, line: 0)
    }

    /// The entries of a mapping; none of anything else.
    package var entries: [Entry] { if case .mapping(let entries) = content { entries } else { [] } }

    /// The items of a sequence; none of anything else.
    package var items: [YAMLNode] { if case .sequence(let items) = content { items } else { [] } }

    /// The value, nil of a collection and of what is not read.
    package var scalar: FileBytes? {
        if case .scalar(let value, _) = content, !isUnread { value } else { nil }
    }

    /// The value as a string, nil of a collection: for names, never for secrets.
    package var name: String? {
        if case .empty = content, !isUnread { "" } else { scalar?.name }
    }

    /// The line of the first key that its mapping has already, from 0; nil without one.
    package var lineOfRepeatedKey: Int? {
        var keys: Set<String> = []
        for entry in entries {
            let isNew = keys.insert(entry.key).inserted
            if let line = isNew ? entry.node.lineOfRepeatedKey : entry.lines.lowerBound {
                return line
            }
        }
        return items.lazy.compactMap(\.lineOfRepeatedKey).first
    }

    /// The entry with a key, nil without one.
    package func entry(_ key: String) -> Entry? { entries.first { $0.key == key } }

    /// What a key has, nil without it.
    package subscript(key: String) -> YAMLNode? { entry(key)?.node }
}
