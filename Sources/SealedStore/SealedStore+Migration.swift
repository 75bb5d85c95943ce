internal import KeychainServices

extension SealedStore {
    /// Brings a keychain of an older format to the current one, step by step, in one transaction:
    /// what goes wrong, a crash included, leaves the older one as it was.
    ///
    /// - Throws: ``Status/readOnly`` where nothing can be written, ``Status/invalidKeychain`` if a
    ///   step does not lead to the schema of its version.
    func migrate() throws(KeychainError) {
        do throws(KeychainError) {
            try reopenForWriting()
            try database.execute("BEGIN IMMEDIATE")
            // Another process may have been faster; then no step is left.
            let found = try FormatVersion.check(database, formats)
            for format in formats where format.number > found.number {
                try step(to: format)
            }
            try database.execute("COMMIT")
        } catch {
            end()
            guard error.status == .readOnly else {
                throw error
            }
            throw KeychainError(
                .readOnly, "the keychain has an older format and can't be converted here",
                hint: "use the keychain once where its folder can be written")
        }
    }

    private func step(to format: FormatVersion) throws(KeychainError) {
        guard let migrateFromPrevious = format.migrateFromPrevious else {
            throw FormatVersion.notAKeychain
        }
        try migrateFromPrevious(database)
        try database.execute("PRAGMA user_version=\(format.number)")
        try format.checkSchema(database)
    }
}
