public import KeychainServices

extension SealedStore {
    /// Adds an item, which is on the disk when the call returns.
    ///
    /// - Throws: ``Status/duplicateItem`` if an item with its identity exists;
    ///   ``Status/authFailed`` for an accessibility that needs a passphrase; what ``delete(_:)``
    ///   throws.
    public func add(
        _ itemClass: ItemClass, _ attributes: ItemAttributes, secret: borrowing Secret,
        context: AuthenticationContext?
    ) throws(KeychainError) -> ItemReference {
        let reference = ItemReference(itemClass: itemClass, id: .random())
        var attributes = attributes
        attributes.setDates(now: now())
        let secret = secret.copy()
        untagIfBound(attributes)
        try oneInsertion { records throws(KeychainError) in
            records.conditions.context = context
            try records.add(reference, attributes, secret)
        }
        untagIfBound(attributes)
        return reference
    }

    /// Changes every item that matches a query: all of them or none.
    ///
    /// - Throws: ``Status/duplicateItem`` if an item would take another one's identity, and what
    ///   ``delete(_:)`` throws.
    public func update(
        _ query: Query, _ changes: ItemAttributes, secret: borrowing Secret?
    ) throws(KeychainError) -> Int {
        let newSecret = secret.copy()
        untagIfBound(changes)
        let count = try changeItems { records throws(KeychainError) in
            records.conditions.context = query.context
            return try records.update(query, changes, newSecret, now: now())
        }
        untagIfBound(changes)
        return count
    }

    /// Makes backups include the machine key, which an item bound to this machine needs: before the item is
    /// there, and again because another program may have looked before and set the tag then.
    private func untagIfBound(_ attributes: ItemAttributes) {
        if attributes.accessible?.isThisDeviceOnly == true {
            MachineKeyPlace.untag(location)
        }
    }

    /// Deletes every item that matches a query: all of them or none.
    ///
    /// - Throws: ``Status/readOnly`` and ``Status/diskFull`` if the file can't be written;
    ///   ``Status/databaseLocked``, ``Status/decode``, ``Status/invalidKeychain``.
    public func delete(_ query: Query) throws(KeychainError) -> Int {
        try changeItems { records throws(KeychainError) in
            records.conditions.context = query.context
            return try records.delete(query)
        }
    }
}
