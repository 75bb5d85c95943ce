extension Keychain {
    /// Returns the secret of the item with the identity of these attributes; nil without one, and for a negative item.
    ///
    /// - Throws: What the store throws.
    package func secret(
        _ itemClass: ItemClass, identifiedBy attributes: ItemAttributes
    ) throws(KeychainError) -> Secret? {
        var query = Query(identityOf: attributes, itemClass)
        query.attributes.isNegative = false
        query.returns = .data
        return try firstSecret(of: query)
    }

    /// Stores a secret in the item with the identity of these attributes, which it adds if it is missing. An item
    /// with the same secret stays unchanged.
    ///
    /// - Throws: What the store throws.
    package func store(
        _ itemClass: ItemClass, _ attributes: ItemAttributes, secret: borrowing Secret
    ) throws(KeychainError) {
        var query = Query(identityOf: attributes, itemClass)
        query.returns = [.reference, .attributes, .data]
        try transaction { () throws(KeychainError) in
            guard let present = try firstMatch(of: query) else {
                try add(itemClass, attributes, secret: secret)
                return
            }
            guard !present.has(secret) || present.attributes?.isNegative == true else {
                return
            }
            try update(
                Query(present.reference!), changesForNewSecret(of: present.attributes),
                secret: secret.copy())
        }
    }

    /// Deletes the item with the identity of these attributes.
    ///
    /// - Returns: Whether it existed.
    /// - Throws: What the store throws.
    package func remove(
        _ itemClass: ItemClass, identifiedBy attributes: ItemAttributes
    ) throws(KeychainError) -> Bool {
        try KeychainError.ignoring(.itemNotFound) { () throws(KeychainError) in
            try delete(Query(identityOf: attributes, itemClass))
        }
    }
}
