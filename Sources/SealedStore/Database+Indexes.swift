internal import KeychainServices
internal import LinuxSystem

extension Database {
    /// How many KiB of the file are kept in memory while many rows are added to a table that has none. The
    /// pages of an index whose entries come in no order have room there; more would fill the processor's
    /// cache with pages that nobody needs again.
    static let cacheSizeForFilling = 6_144

    /// Runs a closure with room in memory for so many KiB of the file.
    func withCache<Result>(
        of size: Int, _ body: () throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        let before = try number("PRAGMA cache_size")
        try execute("PRAGMA cache_size=-\(size)")
        defer { try? execute("PRAGMA cache_size=\(before)") }
        return try body()
    }

    /// Makes indexes of a table that has its rows. Entries are sorted in pieces for which the processor's
    /// cache has room. Where there are several, they stand in a file without a name meanwhile, in the
    /// database's own folder.
    ///
    /// - Throws: ``Status/diskFull``, ``Status/io``.
    func makeIndexes(_ definitions: [String]) throws(KeychainError) {
        try withCache(of: Database.cacheSizeForSorting) { () throws(KeychainError) in
            try withTemporaryFilesBeside { () throws(KeychainError) in
                for definition in definitions {
                    try execute(definition)
                }
            }
        }
    }

    /// Runs a closure while SQLite makes files without a name in the database's own folder: where there is
    /// room for them if there is any for the database, and where nobody else reads.
    private func withTemporaryFilesBeside(
        _ body: () throws(KeychainError) -> Void
    ) throws(KeychainError) {
        guard let folder = path.lastIndex(of: "/").map({ path[..<$0] }) else {
            return try body()
        }
        // SQLite has one setting for the whole process.
        let result = Database.temporaryFiles.locked {
            Swift.Result { () throws(KeychainError) in
                let before = try temporaryFolder()
                try setTemporaryFolder(folder)
                defer { try? setTemporaryFolder(before) }
                try body()
            }
        }
        try result.get()
    }

    private static let temporaryFiles = Monitor()

    /// Empty where SQLite chooses it.
    private func temporaryFolder() throws(KeychainError) -> Substring {
        let statement = try prepare("PRAGMA temp_store_directory")
        guard try statement.step() else {
            return ""
        }
        return statement.text(0).map { $0[...] } ?? ""
    }

    private func setTemporaryFolder(_ folder: Substring) throws(KeychainError) {
        let parts = folder.split(separator: "'", omittingEmptySubsequences: false)
        try execute("PRAGMA temp_store_directory='\(parts.joined(separator: "''"))'")
    }

    /// How many KiB are sorted at a time; it is told by the size of the cache.
    private static let cacheSizeForSorting = 1_024
}
