/// The values of a service's or a server's accounts: a keychain used like a dictionary.
///
///     let keychain = Keychain(store)
///     let tokens = SecureStore(
///         keychain: keychain, queryable: GenericPasswordQueryable(service: "example"))
///     try tokens.setValue(token, for: "me")
///     if let token = try tokens.getValue(for: "me") { … }
///
/// Use the ``Keychain`` itself to set more than an account, such as a label.
public struct SecureStore {
    private let keychain: Keychain
    private let itemClass: ItemClass
    private let attributes: ItemAttributes

    /// Creates a store for a keychain's values that match a queryable.
    public init(keychain: Keychain, queryable: some SecureStoreQueryable) {
        self.keychain = keychain
        itemClass = queryable.itemClass
        var attributes = queryable.attributes
        attributes.accessGroup = attributes.accessGroup ?? keychain.accessGroup
        attributes.account = nil
        self.attributes = attributes
    }

    /// Sets the value of an account, new or not. An unchanged value is not written; the item's
    /// other attributes stay.
    ///
    /// - Throws: ``Status/dataTooLarge`` for a value over 2 MiB, what the queryable's attributes
    ///   can't have, what the store throws.
    ///
    /// The corresponding functions are SecItemCopyMatching, SecItemUpdate and SecItemAdd.
    public func setValue(
        _ value: borrowing Secret, for account: ByteString
    ) throws(KeychainError) {
        if let present = try getValue(for: account), present.isEqual(to: value) {
            return
        }
        var added = attributes
        added.account = account
        let query = query(for: account)
        try keychain.transaction { () throws(KeychainError) in
            let isThere = try KeychainError.ignoring(.itemNotFound) { () throws(KeychainError) in
                try keychain.update(query, secret: value.copy())
            }
            if !isThere {
                try keychain.add(itemClass, added, secret: value)
            }
        }
    }

    /// Sets the value of an account to a string's UTF-8 bytes.
    ///
    /// A string can't be wiped, so its bytes may stay in memory. If the value comes as bytes, make
    /// it a ``Secret`` at once.
    ///
    /// - Throws: What ``setValue(_:for:)`` with a secret throws.
    ///
    /// The corresponding functions are SecItemCopyMatching, SecItemUpdate and SecItemAdd.
    public func setValue(_ value: String, for account: ByteString) throws(KeychainError) {
        try setValue(Secret(value), for: account)
    }

    /// Returns the value of an account, nil if it has none.
    ///
    /// - Throws: ``Status/interactionNotAllowed`` if the value is locked; what the store throws.
    ///
    /// The corresponding function is SecItemCopyMatching.
    public func getValue(for account: ByteString) throws(KeychainError) -> Secret? {
        try keychain.firstSecret(of: query(for: account, returns: .data))
    }

    /// Deletes the value of an account. A missing value is not an error, and nothing is written.
    ///
    /// - Throws: What the store throws.
    ///
    /// The corresponding function is SecItemDelete.
    public func removeValue(for account: ByteString) throws(KeychainError) {
        try remove(query(for: account))
    }

    /// Deletes the values of all accounts, or none if that fails. Without any value this is not an
    /// error, and nothing is written.
    ///
    /// - Throws: What the store throws.
    ///
    /// The corresponding function is SecItemDelete.
    public func removeAllValues() throws(KeychainError) {
        try remove(query(for: nil))
    }

    /// Searches first: a read-only keychain then fails only if something would change.
    private func remove(_ query: Query) throws(KeychainError) {
        try KeychainError.ignoring(.itemNotFound) { () throws(KeychainError) in
            _ = try keychain.copyMatching(query)
            try keychain.delete(query)
        }
    }

    private func query(for account: ByteString?, returns: ReturnOptions = []) -> Query {
        var query = Query(itemClass, attributes.identity(of: itemClass), returns: returns)
        query.attributes.account = account
        query.synchronizable =
            attributes.synchronizable == true ? .synchronizable : .notSynchronizable
        return query
    }
}
