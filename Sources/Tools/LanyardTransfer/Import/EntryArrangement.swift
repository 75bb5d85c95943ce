internal import KeychainServices

/// The folders and tags of an entry. They become the last lines of the item's comment:
///
///     Folder: Work/Servers
///     Tags: shared, billing
///
/// A blank line separates them from the entry's notes.
struct EntryArrangement {
    /// Its folders, or collections.
    var folders: [ByteString] = []
    var tags: [ByteString] = []

    /// The bytes of the longest comment.
    private static let commentLimit = 65_535
    /// The bytes of the longest lines: the rest of the comment is for notes.
    private static let limit = 4_096

    /// Adds the tags of a list, which separates them by semicolons or commas.
    mutating func addTags(_ list: ByteString) {
        for word in list.bytes.split(whereSeparator: { $0 == .comma || $0 == .semicolon }) {
            let tag = Array(word)
            let trimmed = ByteString(Array(tag[tag.span.withoutWhitespace]))
            if !trimmed.isEmpty {
                tags.append(trimmed)
            }
        }
    }

    /// Removes names that don't fit into the lines.
    ///
    /// - Returns: What is lost with them.
    mutating func removeUnfit() -> [ImportLoss] {
        let fitting = EntryArrangement(
            folders: folders.filter(\.isOneLine),
            tags: tags.filter { $0.isOneLine && !$0.bytes.contains(.comma) })
        var lost: [ImportLoss] = []
        if fitting.folders.count < folders.count {
            lost.append(.folder)
        }
        if fitting.tags.count < tags.count {
            lost.append(.tags)
        }
        self = fitting
        if lines.bytes.count > EntryArrangement.limit {
            lost = (folders.isEmpty ? [] : [.folder]) + (tags.isEmpty ? [] : [.tags])
            self = EntryArrangement()
        }
        return lost
    }

    /// Returns the comment with the notes, cut to its limit; nil for an empty one.
    func comment(after notes: ByteString?) -> ByteString? {
        let lines = lines
        guard let notes, !notes.isEmpty else {
            return lines.isEmpty ? nil : lines
        }
        let end = lines.isEmpty ? [] : EntryArrangement.separator + lines.bytes
        return ByteString(notes.cut(to: room).bytes + end)
    }

    /// Whether the comment lacks the end of these notes.
    func cuts(_ notes: ByteString?) -> Bool {
        notes.map { $0.bytes.count > room } ?? false
    }

    private static let separator: [UInt8] = [.lineFeed, .lineFeed]

    private var room: Int {
        let count = lines.bytes.count
        return EntryArrangement.commentLimit
            - (count == 0 ? 0 : count + EntryArrangement.separator.count)
    }

    private var lines: ByteString {
        var lines = folders.map { Array("Folder: ".utf8) + $0.bytes }
        if !tags.isEmpty {
            lines.append(
                Array("Tags: ".utf8) + tags.map(\.bytes).joined(separator: Array(", ".utf8)))
        }
        return ByteString(Array(lines.joined(separator: [.lineFeed])))
    }
}

extension ByteString {
    fileprivate var isOneLine: Bool { bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F } }
}
