public import Keychain

extension SealedStore {
    /// Authenticates every item and the set of them as a whole, so that a row that was changed,
    /// moved, removed, repeated or put back from an older file is found.
    ///
    /// - Returns: How many items there are.
    /// - Throws: ``Status/decode`` if something does not authenticate.
    public func verify() throws(KeychainError) -> Int {
        try reading { state throws(KeychainError) in
            let sealing = ItemSealing(state.keys)
            let stored = state.rowSet
            var found = RowSet()
            found.change = stored.change
            let statement = try database.prepare("SELECT \(ItemRow.columns) FROM item")
            while try statement.step() {
                var row = try ItemRow(statement)
                row.secret = statement.blob(ItemRow.secretColumn)
                let attributes = try sealing.openAttributes(row)
                _ = try sealing.openSecret(row, of: attributes)
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
}
