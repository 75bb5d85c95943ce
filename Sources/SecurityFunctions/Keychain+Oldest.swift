package import KeychainServices

extension Keychain {
    /// Returns the references of the items that match a query, the oldest first: in the order of
    /// their creation, as Keychain Services has them.
    ///
    /// - Parameter limit: The most references to return.
    /// - Throws: What ``copyMatching(_:)`` throws, except ``Status/itemNotFound``.
    package func references(
        matching query: Query, limit: Int
    ) throws(KeychainError) -> [ItemReference] {
        var query = query
        query.returns = [.attributes, .reference]
        // An identity can match one item alone.
        let isOne = limit == 1 && query.wholeIdentity != nil || !query.ids.isEmpty
        query.match.limit = isOne ? .one : .all
        var found: [(reference: ItemReference, created: Timestamp?)] = []
        try forEachMatch(query) { item throws(KeychainError) in
            if let reference = item.reference {
                found.append((reference, item.attributes?.creationDate))
            }
            return .next
        }
        return oldestFirst(found, \.created).prefix(limit).map(\.reference)
    }
}

/// Returns items in the order of their creation; of the same second, the last changed is last.
///
/// - Parameter items: The items as a walk passes them: the last changed first.
package func oldestFirst<Item>(
    _ items: [Item], _ created: (Item) -> Timestamp?
) -> [Item] {
    // Sorting is stable.
    items.reversed().sorted { left, right in
        guard let left = created(left), let right = created(right) else {
            return false
        }
        return left < right
    }
}
