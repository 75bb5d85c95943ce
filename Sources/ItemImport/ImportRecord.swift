public import Keychain

/// One entry of a file that another program keeps its logins in.
///
/// Frozen, so that its item can be taken out of it in other modules too.
@frozen public struct ImportRecord: ~Copyable {
    /// What an entry is to the keychain.
    public enum Content: ~Copyable {
        /// An item, with the access group in which the tool that has use for it looks, the dates
        /// that the entry has, whatever they are, and its secret in the form in which that group
        /// keeps it.
        case item(ItemClass, ItemAttributes, Secret)
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
    public init(place: String, range: Range<Int>?, content: consuming Content) {
        self.place = place
        self.range = range
        self.content = content
    }

    /// The content alone, to be taken apart.
    public consuming func takeContent() -> Content { content }
}
