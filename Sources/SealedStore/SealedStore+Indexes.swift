internal import Keychain

extension SealedStore {
    /// Runs a closure that adds many rows to a table that has none, with only those indexes in place
    /// that keep items unique. The others, by which items are found, are made at the end: to sort their
    /// entries once takes less than to put each in its place. Nothing may be looked up meanwhile.
    ///
    /// In a transaction that is undone if this throws: only then are the indexes there.
    func withoutLookupIndexes<Result>(
        _ body: () throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        let indexes = FormatVersion.current.lookupIndexes
        for index in indexes {
            try database.execute("DROP INDEX \(index.name)")
        }
        let result = try body()
        for index in indexes {
            try database.execute(index.sql)
        }
        return result
    }
}

extension FormatVersion {
    /// The indexes that are no constraint.
    fileprivate var lookupIndexes: [(name: String, sql: String)] {
        schema.compactMap { entry in
            entry.type == "index" ? entry.sql.map { (entry.name, $0) } : nil
        }
    }
}
