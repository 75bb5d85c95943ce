extension Keychain {
    /// Returns the password of a service as a string, nil if there is none.
    ///
    /// It searches the keychain's own access group. A string can't be wiped, so its bytes may stay
    /// in memory. ``SecureStore`` returns a ``Secret`` instead, which wipes its bytes.
    ///
    /// - Parameter account: The account; nil for the item added or changed last.
    /// - Throws: ``Status/decode`` for a password that is not UTF-8;
    ///   ``Status/interactionNotAllowed`` if it is locked; what the store throws.
    ///
    /// The corresponding function is SecItemCopyMatching.
    public func password(
        service: String, account: String? = nil
    ) throws(KeychainError) -> String? {
        var attributes = ItemAttributes()
        attributes.service = ByteString(service)
        return try password(.genericPassword, attributes, account: account)
    }

    /// Returns the password of a server as a string, nil if there is none.
    ///
    /// - Parameters:
    ///   - server: Its name or address.
    ///   - account: The account; nil for the item added or changed last.
    /// - Throws: What ``password(service:account:)`` throws.
    ///
    /// The corresponding function is SecItemCopyMatching.
    public func password(server: String, account: String? = nil) throws(KeychainError) -> String? {
        var attributes = ItemAttributes()
        attributes.server = ByteString(server)
        return try password(.internetPassword, attributes, account: account)
    }

    /// Sets the password of a service's account, new or not, in the keychain's own access group.
    /// The string can't be wiped.
    ///
    /// - Throws: What ``SecureStore/setValue(_:for:)`` throws.
    ///
    /// The corresponding functions are SecItemCopyMatching, SecItemUpdate and SecItemAdd.
    public func setPassword(
        _ password: String, service: String, account: String
    ) throws(KeychainError) {
        let store = SecureStore(
            keychain: self, queryable: GenericPasswordQueryable(service: ByteString(service)))
        try store.setValue(password, for: ByteString(account))
    }

    /// Returns the accounts that have a password of a service, each once and in alphabetical order.
    /// An account that is not UTF-8 is left out.
    ///
    ///     for account in try keychain.accounts(ofService: "example.org") { … }
    ///
    /// - Throws: What the store throws.
    ///
    /// The corresponding function is SecItemCopyMatching, with kSecMatchLimitAll.
    public func accounts(ofService service: String) throws(KeychainError) -> [String] {
        var attributes = ItemAttributes()
        attributes.accessGroup = accessGroup
        attributes.service = ByteString(service)
        var accounts: Set<String> = []
        for item in try self.attributes(of: Query(.genericPassword, attributes)) {
            if let account = item.account,
                let text = String(validating: account.bytes, as: UTF8.self)
            {
                accounts.insert(text)
            }
        }
        return accounts.sorted()
    }

    /// The password of an account for this program: for the service that has the name of the
    /// keychain's own access group. Nil if there is none.
    ///
    ///     let password = try keychain["ada"]
    ///
    /// ``setPassword(_:account:)`` sets it. An assignment could not report a failure.
    ///
    /// - Throws: What ``password(service:account:)`` throws.
    public subscript(account: String) -> String? {
        get throws(KeychainError) {
            try password(service: accessGroup.description, account: account)
        }
    }

    /// Sets the password that `keychain[account]` returns, or deletes it.
    ///
    /// - Parameter password: Nil to delete it, whether there is one or not.
    /// - Throws: What ``SecureStore`` throws.
    public func setPassword(_ password: String?, account: String) throws(KeychainError) {
        let store = SecureStore(
            keychain: self, queryable: GenericPasswordQueryable(service: accessGroup))
        if let password {
            try store.setValue(password, for: ByteString(account))
        } else {
            try store.removeValue(for: ByteString(account))
        }
    }

    private func password(
        _ itemClass: ItemClass, _ attributes: ItemAttributes, account: String?
    ) throws(KeychainError) -> String? {
        var attributes = attributes
        attributes.accessGroup = accessGroup
        attributes.account = account.map { ByteString($0) }
        // A negative item would record the absence of a password.
        attributes.isNegative = false
        guard let item = try firstMatch(of: Query(itemClass, attributes, returns: .data)) else {
            return nil
        }
        switch item.secret {
        case .some(let secret): return try secret.string()
        case .none: return nil
        }
    }
}

extension Secret {
    /// Returns the bytes as a string, which can't be wiped.
    ///
    /// - Throws: ``Status/decode`` if they are not UTF-8.
    public borrowing func string() throws(KeychainError) -> String {
        let text = withBytes { bytes in
            String(validating: ByteString(copying: bytes).bytes, as: UTF8.self)
        }
        guard let text else {
            throw KeychainError(.decode, "the secret is not UTF-8")
        }
        return text
    }
}
