internal import Keychain

/// The places that the entries of a file were for which have been read, so that no later entry takes
/// the place of an earlier one.
struct EarlierEntries {
    private var identities: Set<KnownIdentity> = []

    /// An item, or what it becomes if there was one of its identity before.
    ///
    /// - Parameter later: Makes that of it.
    mutating func item(
        _ itemClass: ItemClass, _ attributes: ItemAttributes, _ secret: consuming Secret,
        later: () -> ImportRecord.Content
    ) -> ImportRecord.Content {
        let identity = KnownIdentity(ItemIdentity(itemClass, attributes))
        guard identities.insert(identity).inserted else {
            return later()
        }
        let content = ImportRecord.Content.item(withinLimits: itemClass, attributes, secret)
        if !content.isItem {
            identities.remove(identity)
        }
        return content
    }
}
