public import KeychainServices

extension SealedStore {
    /// Adds an item. It is on the disk when the call returns.
    ///
    /// - Throws: ``Status/duplicateItem`` if its identity exists; ``Status/authFailed`` for an
    ///   accessibility that takes a passphrase; what ``delete(_:)`` throws.
    public func add(
        _ itemClass: ItemClass, _ attributes: ItemAttributes, secret: borrowing Secret
    ) throws(KeychainError) -> ItemReference {
        let reference = ItemReference(itemClass: itemClass, id: .random())
        var attributes = attributes
        attributes.setDates(now: now())
        let secret = secret.copy()
        try oneInsertion { () throws(KeychainError) in
            let keys = try openKeys()
            let sealing = ItemSealing(keys)
            var row = ItemRow(reference, change: try nextChange())
            try sealing.seal(attributes, secret, into: &row)
            try insert(row, keys)
        }
        return reference
    }

    /// Changes every item that a query means, all of them or none.
    ///
    /// - Throws: ``Status/duplicateItem`` if an item would take another one's identity, and what
    ///   ``delete(_:)`` throws.
    public func update(
        _ query: Query, _ changes: ItemAttributes, secret: borrowing Secret?
    ) throws(KeychainError) -> Int {
        let newSecret = SealedStore.copy(secret)
        return try transaction { () throws(KeychainError) in
            let keys = try openKeys()
            let matched = try matchedRows(query, keys)
            // The oldest first, so that the items keep their order among themselves.
            for change in matched.reversed() {
                let old = try row(change)
                var new = old
                new.change = try nextChange()
                try reseal(&new, old, changes, newSecret, keys)
                try delete(old, keys)
                try insert(new, keys)
            }
            return matched.count
        }
    }

    /// Deletes every item that a query means, all of them or none.
    ///
    /// - Throws: ``Status/readOnly`` and ``Status/diskFull`` where the file can't be written;
    ///   ``Status/databaseLocked``, ``Status/decode``, ``Status/invalidKeychain``.
    public func delete(_ query: Query) throws(KeychainError) -> Int {
        try transaction { () throws(KeychainError) in
            let keys = try openKeys()
            let matched = try matchedRows(query, keys)
            for change in matched {
                try delete(try row(change), keys)
            }
            return matched.count
        }
    }

    /// A closure can't capture what is borrowed.
    private static func copy(_ secret: borrowing Secret?) -> Secret? {
        switch secret {
        case .some(let secret): secret.copy()
        case .none: nil
        }
    }

    private func reseal(
        _ new: inout ItemRow, _ old: ItemRow, _ changes: ItemAttributes,
        _ newSecret: borrowing Secret?, _ keys: UnlockedKeys
    ) throws(KeychainError) {
        let sealing = ItemSealing(keys)
        let before = try sealing.openAttributes(old)
        var after = before.merging(changes)
        try after.checkStorable()
        after.modificationDate = now()
        switch newSecret {
        case .some(let secret):
            try sealing.seal(after, secret, into: &new)
        case .none:
            // The secret is bound to both.
            if ItemIdentity(new.itemClass, after) == ItemIdentity(old.itemClass, before),
                after.accessible ?? .whenUnlocked == old.accessible
            {
                try sealing.sealAttributes(after, into: &new)
            } else {
                let secret = try sealing.openSecret(old, of: before)
                try sealing.seal(after, secret, into: &new)
            }
        }
    }

    /// The numbers of the changes that wrote the rows that a query means.
    private func matchedRows(
        _ query: Query, _ keys: UnlockedKeys
    ) throws(KeychainError) -> [Int64] {
        let sealing = ItemSealing(keys)
        var candidates = try Candidates(query, keys).select(file.database)
        var changes: [Int64] = []
        while let row = try candidates.next() {
            if query.matches(row.itemClass, try sealing.openAttributes(row), id: row.id) {
                changes.append(row.change)
            }
        }
        return changes
    }

    private func row(_ change: Int64) throws(KeychainError) -> ItemRow {
        let statement = try file.database.prepare(
            "SELECT \(ItemRow.columns) FROM item WHERE change = ?1")
        try statement.bind(change, at: 1)
        guard try statement.step() else {
            throw FormatVersion.notAKeychain
        }
        var row = try ItemRow(statement)
        row.secret = statement.blob(ItemRow.secretColumn)
        return row
    }

    private func nextChange() throws(KeychainError) -> Int64 {
        guard let change = openRowSet?.change, change < Int64.max else {
            throw FormatVersion.notAKeychain
        }
        openRowSet?.change = change + 1
        return change + 1
    }

    private func insert(_ row: ItemRow, _ keys: UnlockedKeys) throws(KeychainError) {
        let statement = try file.database.prepare(ItemRow.insertion, keeps: true)
        try row.bind(to: statement)
        try statement.changeOneRow()
        openRowSet?.insert(row, keys)
    }

    func delete(_ row: ItemRow, _ keys: UnlockedKeys) throws(KeychainError) {
        let statement = try file.database.prepare("DELETE FROM item WHERE change = ?1")
        try statement.bind(row.change, at: 1)
        try statement.changeOneRow()
        openRowSet?.remove(row, keys)
    }
}
