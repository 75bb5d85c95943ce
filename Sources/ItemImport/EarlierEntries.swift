internal import Keychain

/// The places that the entries of a file were for which have been read, so that no later entry takes
/// the place of an earlier one.
struct EarlierEntries {
    private var identities: Set<KnownIdentity>

    /// - Parameter count: About how many entries there are, as far as that is known.
    init(about count: Int = 0) {
        identities = Set(minimumCapacity: count)
    }

    /// An item, or what it becomes if there was one of its identity before.
    ///
    /// - Parameter later: Makes that of it.
    mutating func item(
        _ item: NewItem, later: () -> ImportRecord.Content
    ) -> ImportRecord.Content {
        let identity = KnownIdentity(item.identity)
        guard identities.insert(identity).inserted else {
            return later()
        }
        let content = ImportRecord.Content.item(withinLimits: item)
        if !content.isItem {
            identities.remove(identity)
        }
        return content
    }
}
