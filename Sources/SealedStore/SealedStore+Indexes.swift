internal import KeychainServices

extension SealedStore {
    /// Runs a closure that adds many rows to a table that has none, without those indexes by which items
    /// are found that would get their entries in no order. They are made at the end: to sort the entries
    /// once takes less than to put each in its place. Nothing may be looked up meanwhile.
    ///
    /// In a transaction that is undone if this throws: only then are the indexes there.
    ///
    /// - Parameter items: The first ones that are added. Where they all have one value for an index, or
    ///   none, it stays: each entry goes to its end.
    func withoutLookupIndexes<Result>(
        for items: ArraySlice<NewItem>, _ body: () throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        let indexes = FormatVersion.current.lookupIndexes.filter { !$0.hasOneValue(of: items) }
        for index in indexes {
            try database.execute("DROP INDEX \(index.name)")
        }
        return try database.withCache(of: Database.cacheSizeForFilling) {
            () throws(KeychainError) in
            let result = try body()
            guard !indexes.isEmpty else {
                return result
            }
            let writing = try database.writeChanges() ? EarlyWriting(of: database) : nil
            let made = Swift.Result { () throws(KeychainError) in
                try database.makeIndexes(indexes.map(\.sql))
            }
            writing?.finish()
            try made.get()
            return result
        }
    }
}

extension FormatVersion {
    /// The indexes that are no constraint.
    fileprivate var lookupIndexes: [LookupIndex] {
        schema.compactMap { entry in
            entry.type == "index"
                ? entry.sql.map { LookupIndex(name: entry.name, sql: $0) } : nil
        }
    }
}

/// An index that is no constraint.
private struct LookupIndex {
    let name: String
    let sql: String

    /// Whether all of some items have the same value for it.
    func hasOneValue(of items: ArraySlice<NewItem>) -> Bool {
        guard let first = items.first else {
            return true
        }
        let value = value(first)
        return items.allSatisfy { self.value($0) == value }
    }

    private func value(_ item: NewItem) -> ByteString? {
        switch name {
        case "item_server": item.attributes.server
        case "item_service": item.attributes.service
        case "item_account": item.attributes.account
        default: item.attributes.accessGroup
        }
    }
}
