internal import Keychain

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
            if let folder = path.lastIndex(of: "/").map({ path[..<$0] }) {
                try execute("PRAGMA temp_store_directory=\(Database.literal(folder))")
            }
            defer { try? execute("PRAGMA temp_store_directory=''") }
            for definition in definitions {
                try execute(definition)
            }
        }
    }

    /// How many KiB are sorted at a time; it is told by the size of the cache.
    private static let cacheSizeForSorting = 1_024

    private static func literal(_ text: Substring) -> String {
        let parts = text.split(separator: "'", omittingEmptySubsequences: false)
        return "'" + parts.joined(separator: "''") + "'"
    }
}
