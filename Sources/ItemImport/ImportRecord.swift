public import KeychainServices

/// One entry of a file that another program keeps its logins in.
public struct ImportRecord: Sendable {
    /// What an entry is to the keychain.
    public enum Content: Sendable {
        /// An item, with the access group in which the tool that has use for it looks, the dates
        /// that the entry has, whatever they are, and its secret in the form in which that group
        /// keeps it.
        case item(NewItem)
        /// Nothing, for a reason in a few words, which repeats nothing of the entry.
        case skipped(reason: String)
        /// Nothing: an earlier entry of the file is for the same place, and is the one that the
        /// file's own tool uses.
        case shadowed
        /// No entry of its own: something of the one before, whose login was handed out.
        case without(ImportLoss)
    }

    /// Where an entry stands. It becomes a text when somebody reads it, which is for few of them.
    package enum Position: Sendable {
        case line(Int)
        case other(String)
    }

    /// Where the entry stands.
    package let position: Position
    /// The bytes of the file that go when the entry is removed; what remains is a file of the same
    /// form. Nil where single entries can't be removed.
    public let range: Range<Int>?
    /// What it is.
    public let content: Content

    /// Where the entry stands, for a person: `line 3`, `entry 17`. Nothing of the entry itself.
    public var place: String { position.description }

    /// An entry.
    public init(place: String, range: Range<Int>?, content: Content) {
        self.init(position: .other(place), range: range, content: content)
    }

    /// An entry that stands in a line of its own, the first of which is 1.
    public init(line: Int, range: Range<Int>?, content: Content) {
        self.init(position: .line(line), range: range, content: content)
    }

    private init(position: Position, range: Range<Int>?, content: Content) {
        self.position = position
        self.range = range
        self.content = content
    }
}

extension ImportRecord.Position: CustomStringConvertible {
    /// For a person.
    package var description: String {
        switch self {
        case .line(let number): "line \(number)"
        case .other(let place): place
        }
    }
}
