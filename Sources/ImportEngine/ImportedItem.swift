internal import Keychain

/// An item on its way into a keychain.
struct ImportedItem {
    let item: NewItem
    /// Where its entry stands in its file.
    let place: String
    /// The number of its entry in its file.
    let entry: Int
    /// Whether an earlier item of this import has the same identity.
    let isRepeated: Bool
    /// Whether that one has the same secret, too.
    let isRepeatedWhole: Bool
}
