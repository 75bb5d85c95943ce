#if !hasFeature(Embedded)
/// One item of a service, used like a dictionary: its attributes and its secret. The first change adds it.
///
///     let item = KeychainItem(keychain, service: "example.org")
///     try item.set(\.account, to: "ada")
///     try item.setSecret(Secret("a token"))
///     let account = try item[\.account]
///     try item.reset()
///
/// Use a service that has no other items in the keychain's own access group. For several accounts use
/// ``SecureStore``.
public struct KeychainItem {
    private let keychain: Keychain
    private let service: ByteString

    /// Creates the item of a service; nothing is read or stored.
    public init(_ keychain: Keychain, service: ByteString) {
        self.keychain = keychain
        self.service = service
    }

    /// An attribute's value, nil if it or the item is missing.
    ///
    /// - Throws: What the store throws.
    public subscript<Value>(_ attribute: KeyPath<ItemAttributes, Value?>) -> Value? {
        get throws(KeychainError) {
            try keychain.firstMatch(of: query(returns: .attributes))?.attributes?[
                keyPath: attribute]
        }
    }

    /// Sets an attribute, and adds the item with an empty secret if it is missing.
    ///
    /// - Throws: ``Status/param`` for the service and the access group, which find the item;
    ///   ``Status/noSuchAttribute`` for an attribute of servers; what the store throws.
    public func set<Value>(
        _ attribute: WritableKeyPath<ItemAttributes, Value?>, to value: Value
    ) throws(KeychainError) {
        var changes = ItemAttributes()
        changes[keyPath: attribute] = value
        guard changes.service == nil, changes.accessGroup == nil else {
            throw KeychainError(.param, "the service and the access group find the item")
        }
        try change(changes, secret: nil)
    }

    /// Returns the secret, nil if the item is missing.
    ///
    /// - Throws: ``Status/interactionNotAllowed`` if it is locked; what the store throws.
    public func secret() throws(KeychainError) -> Secret? {
        try keychain.firstSecret(of: query(returns: .data))
    }

    /// Sets the secret, and adds the item if it is missing.
    ///
    /// - Throws: ``Status/dataTooLarge`` for a secret over 2 MiB; what the store throws.
    public func setSecret(_ secret: borrowing Secret) throws(KeychainError) {
        try change(ItemAttributes(), secret: secret.copy())
    }

    /// Deletes the item. A missing one is not an error.
    ///
    /// - Throws: What the store throws.
    public func reset() throws(KeychainError) {
        try KeychainError.ignoring(.itemNotFound) { () throws(KeychainError) in
            try keychain.delete(query())
        }
    }

    private func change(
        _ changes: ItemAttributes, secret: borrowing Secret?
    ) throws(KeychainError) {
        guard try keychain.firstMatch(of: query()) == nil else {
            try keychain.update(query(), changes, secret: secret)
            return
        }
        var added = changes
        added.service = service
        try keychain.add(.genericPassword, added, secret: secret.copy() ?? Secret(""))
    }

    private func query(returns: ReturnOptions = []) -> Query {
        var attributes = ItemAttributes()
        attributes.service = service
        attributes.accessGroup = keychain.accessGroup
        return Query(.genericPassword, attributes, returns: returns)
    }
}
#endif
