public import KeychainServices
internal import SQLiteFile

extension SealedStore {
    /// Passes the id of each item to a closure, in ascending order, with the number of the change that stored the item
    /// as it is. This reads an index alone, and compares the number of its entries with the authenticated one.
    ///
    /// - Throws: ``Status/decode`` if items are missing; what ``readTogether(_:)`` and the closure throw.
    public func forEachNumber(
        _ body: (_ id: ItemID, _ change: Int64) throws(KeychainError) -> Void
    ) throws(KeychainError) -> Bool {
        try reading { records throws(KeychainError) in
            let statement = try records.database.prepare(
                "SELECT id, change FROM item INDEXED BY sqlite_autoindex_item_1 ORDER BY id")
            var count: UInt64 = 0
            var last: ItemID?
            while try statement.step() {
                guard let id = ItemID(statement.blob(0)), let change = statement.number(1),
                    last.map({ ($0.high, $0.low) < (id.high, id.low) }) ?? true
                else {
                    throw FormatVersion.notAKeychain
                }
                try body(id, change)
                last = id
                count += 1
            }
            guard count == records.rowSet.count else {
                throw WalkTally.incomplete(
                    Int(clamping: records.rowSet.count), Int(clamping: count), location.name)
            }
        }
        return true
    }

    /// Returns the item that the change with a number stored, nil if it is not there any more.
    public func item(numbered change: Int64) throws(KeychainError) -> ItemReference? {
        try reading { records throws(KeychainError) in
            // From the table itself, and not from an index.
            let statement = try records.database.prepare(
                "SELECT \(ItemRow.columns) FROM item NOT INDEXED WHERE change = ?1", keeps: true)
            try statement.bind(change, at: 1)
            return try statement.step() ? ItemRow(statement).reference : nil
        }
    }
}
