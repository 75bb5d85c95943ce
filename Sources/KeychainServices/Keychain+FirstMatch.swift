extension Keychain {
    /// Finds the item added or changed last of those that a query means.
    ///
    ///     if let item = try keychain.firstMatch(of: query) { … }
    ///
    /// - Returns: What the query asks for of it; nil if nothing matches.
    /// - Throws: What ``copyMatching(_:)`` throws, but for ``Status/itemNotFound``.
    ///
    /// The corresponding function is SecItemCopyMatching, with kSecMatchLimitOne.
    public func firstMatch(of query: Query) throws(KeychainError) -> MatchedItem? {
        var found: MatchedItem?
        try forEachMatch(query) { item throws(KeychainError) in
            found = consume item
            return .stop
        }
        return found
    }

    /// The attributes of all items that a query means, whatever it asks for: those added or changed last
    /// first, none if nothing matches.
    ///
    ///     for attributes in try keychain.attributes(of: Query(.internetPassword)) { … }
    ///
    /// - Throws: What ``copyMatching(_:)`` throws, but for ``Status/itemNotFound``.
    ///
    /// The corresponding function is SecItemCopyMatching, with kSecReturnAttributes and kSecMatchLimitAll.
    public func attributes(of query: Query) throws(KeychainError) -> [ItemAttributes] {
        var query = query
        query.returns = .attributes
        query.match.limit = query.match.limit ?? .all
        var all: [ItemAttributes] = []
        try forEachMatch(query) { item throws(KeychainError) in
            if let attributes = item.attributes {
                all.append(attributes)
            }
            return .next
        }
        return all
    }
}
