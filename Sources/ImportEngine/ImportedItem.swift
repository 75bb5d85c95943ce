internal import Keychain

/// An item on its way into a keychain.
final class ImportedItem {
    let itemClass: ItemClass
    let attributes: ItemAttributes
    let secret: Secret
    /// Where its entry stands.
    let place: String
    /// The number of its entry in its file.
    let entry: Int
    /// Whether an earlier item of this import has the same identity.
    let isRepeated: Bool
    /// Whether that one has the same secret, too.
    let isRepeatedWhole: Bool

    init(
        _ itemClass: ItemClass, _ attributes: ItemAttributes, _ secret: consuming Secret,
        place: String, entry: Int, repeats: (identity: Bool, secret: Bool)
    ) {
        self.itemClass = itemClass
        self.attributes = attributes
        self.secret = secret
        self.place = place
        self.entry = entry
        isRepeated = repeats.identity
        isRepeatedWhole = repeats.secret
    }
}
