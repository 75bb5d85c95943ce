extension Keychain {
    /// Finds the most recently added or changed item that matches a query.
    ///
    ///     if let item = try keychain.firstMatch(of: query) { … }
    ///
    /// - Returns: What the query asks for; nil if nothing matches.
    /// - Throws: What ``copyMatching(_:)`` throws, except ``Status/itemNotFound``.
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

    /// Returns the secret of the item that ``firstMatch(of:)`` finds with a query for the secret.
    package func firstSecret(of query: Query) throws(KeychainError) -> Secret? {
        guard let item = try firstMatch(of: query) else {
            return nil
        }
        return item.secret
    }

    /// Returns the attributes of all items that match a query, whatever it asks for. The most
    /// recently added or changed come first; without a match the array is empty.
    ///
    ///     for attributes in try keychain.attributes(of: Query(.internetPassword)) { … }
    ///
    /// - Throws: What ``copyMatching(_:)`` throws, except ``Status/itemNotFound``.
    ///
    /// The corresponding function is SecItemCopyMatching, with kSecReturnAttributes and
    /// kSecMatchLimitAll.
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
