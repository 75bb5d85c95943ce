package import KeychainServices

extension Keychain {
    /// Returns the references of the items that match a query, the oldest first: in the order of
    /// their creation, as Keychain Services has them. Those of a search list come keychain by keychain.
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
        var found: [(reference: ItemReference, created: Timestamp?, keychain: String?)] = []
        try forEachMatch(query) { item throws(KeychainError) in
            if let reference = item.reference {
                found.append(
                    (reference, item.attributes?.creationDate, keychainName(of: reference)))
            }
            return .next
        }
        return oldestFirst(found, \.created, \.keychain).prefix(limit).map(\.reference)
    }
}

/// Returns items in the order of their creation; of the same second, the last changed is last. The keychains stay in
/// their order.
///
/// - Parameter items: The items as a walk passes them: keychain by keychain, the last changed first.
package func oldestFirst<Item>(
    _ items: [Item], _ created: (Item) -> Timestamp?, _ keychain: (Item) -> String?
) -> [Item] {
    var sorted: [Item] = []
    var rest = items[...]
    while let first = rest.first {
        let name = keychain(first)
        let own = rest.prefix { keychain($0) == name }
        rest = rest[own.endIndex...]
        // Sorting is stable.
        sorted += own.reversed().sorted { left, right in
            guard let left = created(left), let right = created(right) else {
                return false
            }
            return left < right
        }
    }
    return sorted
}
