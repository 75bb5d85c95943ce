public import Keychain

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
    }

    /// Where the entry stands, for a person: `line 3`, `entry 17`. Nothing of the entry itself.
    public let place: String
    /// The bytes of the file that go when the entry is removed; what remains is a file of the same
    /// form. Nil where single entries can't be removed.
    public let range: Range<Int>?
    /// What it is.
    public let content: Content

    /// An entry.
    public init(place: String, range: Range<Int>?, content: Content) {
        self.place = place
        self.range = range
        self.content = content
    }
}
