public import Keychain

extension SealedStore {
    /// How many items there are, as the authenticated sum over all rows says, without opening any.
    ///
    /// - Throws: ``Status/decode`` if the sum does not authenticate; what ``init(at:provider:)`` throws.
    public func count() throws(KeychainError) -> Int {
        try reading { state throws(KeychainError) in
            Int(state.rowSet.count)
        }
    }

    /// How many items there are, nil if that can't be told before the keychain is unlocked: one that
    /// was brought here from another machine.
    ///
    /// - Throws: As ``count()``.
    public func countIfReadable() throws(KeychainError) -> Int? {
        do throws(KeychainError) {
            return try withoutUnlocking { state in Int(state.rowSet.count) }
        } catch {
            guard error.status == .interactionNotAllowed else {
                throw error
            }
            return nil
        }
    }

    /// Authenticates every item and the set of them as a whole, so that a row that was changed,
    /// moved, removed, repeated or put back from an older file is found.
    ///
    /// - Returns: How many items there are.
    /// - Throws: ``Status/decode`` if something does not authenticate,
    ///   ``Status/invalidKeychain`` if the file's parts don't fit together, for example an index
    ///   its table.
    public func verify() throws(KeychainError) -> Int {
        try reading { state throws(KeychainError) in
            // First of all, as it ends also where the file makes a walk go in circles.
            try checkIntegrity()
            let sealing = ItemSealing(state.keys)
            let stored = state.rowSet
            var found = RowSet()
            found.change = stored.change
            let statement = try database.prepare("SELECT \(ItemRow.columns) FROM item")
            while try statement.step() {
                var row = try ItemRow(statement)
                row.secret = statement.blob(ItemRow.secretColumn)
                let attributes = try sealing.openAttributes(row)
                do throws(KeychainError) {
                    _ = try sealing.openSecret(row, of: attributes)
                } catch {
                    // Another machine's; what was sealed there is in the sum all the same.
                    guard error.status == .authFailed, row.accessible.isThisDeviceOnly else {
                        throw error
                    }
                }
                guard row.change <= stored.change else {
                    throw KeychainError(.decode, "an item is newer than the keychain's last change")
                }
                found.insert(row, state.keys)
            }
            guard found == stored else {
                throw KeychainError(
                    .decode,
                    "items were removed, repeated or put back from an older copy of the keychain")
            }
            return Int(found.count)
        }
    }

    /// Throws unless every page of the file has one place in one tree, and every index names every
    /// row of its table.
    private func checkIntegrity() throws(KeychainError) {
        let statement = try database.prepare("PRAGMA integrity_check(1)")
        guard try statement.step(), statement.text(0) == "ok" else {
            throw FormatVersion.notAKeychain
        }
    }
}
