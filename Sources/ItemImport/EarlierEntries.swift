internal import KeychainServices

/// The places that the entries of a file were for which have been read, so that no later entry takes
/// the place of an earlier one.
struct EarlierEntries {
    /// Each with a number that its secret and its note make.
    private var identities: [ItemIdentity: Int]

    /// - Parameter count: About how many entries there are, as far as that is known.
    init(about count: Int = 0) {
        identities = Dictionary(minimumCapacity: count)
    }

    /// An item, or what it becomes if there was one of its identity before.
    ///
    /// - Parameter later: Makes that of it. It is told whether the earlier one had the same secret and note.
    mutating func item(
        _ item: NewItem, later: (_ isSame: Bool) -> ImportRecord.Content
    ) -> ImportRecord.Content {
        let content = EarlierEntries.number(of: item)
        if let earlier = identities[item.identity] {
            return later(earlier == content)
        }
        guard item.isStorable else {
            return .item(withinLimits: item)
        }
        identities[item.identity] = content
        return .item(item)
    }

    private static func number(of item: NewItem) -> Int {
        guard let comment = item.attributes.comment else {
            return item.secretDigest
        }
        var hasher = Hasher()
        hasher.combine(item.secretDigest)
        hasher.combine(comment)
        return hasher.finalize()
    }
}
