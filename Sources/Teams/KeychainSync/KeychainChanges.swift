internal import KeychainServices
internal import SQLiteFile
internal import LanyardSecrets
internal import SyncEngine

/// What was changed in a shared keychain since the last exchange. It reads the items that the last one did not note.
///
/// What it finds is in tables of the replica's database that end with it: it takes no memory.
final class KeychainChanges {
    struct Item {
        let reference: ItemReference
        let digest: ItemDigest
    }

    let store: any KeychainStore
    let state: SharedState
    let database: Database
    /// The identities whose item is not the one that the keychain showed after the last exchange.
    let differing: KeySet
    /// The identities of items that the keychain showed then, and does not have any more.
    let gone: KeySet
    /// Whether the keychain was restored from a backup: its older items are no changes.
    let isRestored: Bool
    /// Whether this device's first exchange did not end yet: its items are from before it was in the team.
    let isFirst: Bool
    /// Whether all items were read, and not only those that were not noted.
    private(set) var hasReadAll = false
    /// The number of items that were read.
    var readCount = 0
    /// Whether the keychain has items that the replica lacks.
    var hasNew = false
    /// The number of changes.
    var changeCount = 0
    /// The number of changes that became part of the replica.
    var doneCount = 0
    /// Changes with their contents, as many as the server gets at once, and the index of the first one.
    var piece: (start: Int, changes: [LocalChange?]) = (0, [])

    // MARK: Reading the keychain

    /// Reads the items.
    ///
    /// - Parameters:
    ///   - isRestored: Whether the keychain was restored from a backup.
    ///   - readsAll: Whether to read all items.
    /// - Throws: What the store throws.
    init(
        _ store: any KeychainStore, _ state: SharedState, isRestored: Bool, readsAll: Bool = false
    ) throws(KeychainError) {
        self.store = store
        self.state = state
        self.isRestored = isRestored
        isFirst = state.progress.lastExchange == nil
        database = state.replica.rows.database
        differing = KeySet("differing", in: database)
        gone = KeySet("gone", in: database)
        for sql in KeychainChanges.tables {
            try database.execute(sql)
        }
        try store.readTogether { () throws(KeychainError) in
            try database.execute("BEGIN")
            do throws(KeychainError) {
                try readItems(all: readsAll || isRestored)
                try database.execute("COMMIT")
            } catch {
                try? database.execute("ROLLBACK")
                throw error
            }
        }
    }

    private static let tables = [
        "CREATE TEMP TABLE IF NOT EXISTS differing(key BLOB PRIMARY KEY) WITHOUT ROWID",
        "CREATE TEMP TABLE IF NOT EXISTS gone(key BLOB PRIMARY KEY) WITHOUT ROWID",
        // The items to read, those that were read, and those that are gone: without a number. Without a digest it is an
        // item that stays here, or can't be read without asking.
        """
        CREATE TEMP TABLE IF NOT EXISTS present(
          id BLOB PRIMARY KEY, change INTEGER, noted BLOB, reference BLOB, identity BLOB, digest BLOB,
          stays INTEGER) WITHOUT ROWID
        """,
        "CREATE INDEX IF NOT EXISTS temp.present_change ON present(change)",
        "CREATE INDEX IF NOT EXISTS temp.present_identity ON present(identity)",
        """
        CREATE TEMP TABLE IF NOT EXISTS arrival(
          date INTEGER, number BLOB, identity BLOB, PRIMARY KEY(date, number, identity)) WITHOUT ROWID
        """,
        """
        CREATE TEMP TABLE IF NOT EXISTS found(
          number INTEGER PRIMARY KEY, record BLOB NOT NULL, identity BLOB NOT NULL, is_deletion INTEGER NOT NULL,
          base BLOB, is_new INTEGER NOT NULL)
        """,
        """
        CREATE TEMP TABLE IF NOT EXISTS change(
          number INTEGER PRIMARY KEY, record BLOB NOT NULL, identity BLOB NOT NULL, is_deletion INTEGER NOT NULL,
          base BLOB)
        """,
        "CREATE INDEX IF NOT EXISTS temp.change_identity ON change(identity)",
    ]

    private func readItems(all: Bool) throws(KeychainError) {
        try clear()
        // Stores that don't number their changes are read as a whole, too.
        let isCompared = if !all, try state.hasNoted { try compareNumbers() } else { false }
        hasReadAll = !isCompared
        if hasReadAll {
            try clear()
            _ = try store.forEachNumber { id, change throws(KeychainError) in
                try noteStored(id, change, nil)
            }
            try readAll { _ in true }
        } else if try database.number("SELECT count(change) FROM present") > SyncPiece.count {
            try readAll { id throws(KeychainError) in try isToRead(id) }
        } else {
            try readStored()
        }
        try takeDeletions()
        try orderChanges()
    }

    private func clear() throws(KeychainError) {
        for table in ["present", "found", "change"] {
            try database.execute("DELETE FROM \(table)")
        }
        try differing.removeAll()
        try gone.removeAll()
        (hasNew, changeCount, readCount) = (false, 0, 0)
    }

    /// Finds the items that were stored since they were noted, and those that are gone.
    ///
    /// - Returns: Whether the store can tell.
    private func compareNumbers() throws(KeychainError) -> Bool {
        var walk = NotedWalk(state) { noted throws(KeychainError) in
            guard try self.store.item(numbered: noted.change)?.id != noted.id else {
                throw KeychainError(
                    .decode, "the keychain's index of items is damaged or was tampered with",
                    hint: "restore the keychain file from a backup")
            }
            try self.noteStored(noted.id, nil, noted.identity)
        }
        let isNumbered = try store.forEachNumber { id, change throws(KeychainError) in
            let noted = try walk.item(id)
            if noted?.change != change {
                try noteStored(id, change, noted?.identity)
            }
        }
        if isNumbered {
            try walk.finish()
        }
        return isNumbered
    }

    /// - Parameters:
    ///   - change: nil for an item that is gone.
    ///   - noted: Its identity when it was noted.
    private func noteStored(
        _ id: ItemID, _ change: Int64?, _ noted: ItemDigest?
    ) throws(KeychainError) {
        let statement = try database.prepare(
            "INSERT INTO present(id, change, noted) VALUES(?1, ?2, ?3)", keeps: true)
        try statement.bind(id.bytes, at: 1)
        if let change {
            try statement.bind(change, at: 2)
        }
        try statement.bind(noted?.bytes, at: 3)
        _ = try statement.step()
    }

    private func isToRead(_ id: ItemID) throws(KeychainError) -> Bool {
        let statement = try database.prepare("SELECT 1 FROM present WHERE id = ?1", keeps: true)
        try statement.bind(id.bytes, at: 1)
        return try statement.step()
    }

    private func readAll(
        if isToRead: (ItemID) throws(KeychainError) -> Bool
    ) throws(KeychainError) {
        for itemClass in ItemClass.stored {
            var query = Query(itemClass, returns: KeychainChanges.parts)
            query.synchronizable = .any
            // The changes' numbers are in the order in which they were made.
            query.match.order = .oldestFirst
            try store.forEachMatch(query) { item throws(KeychainError) in
                if let id = item.reference?.id, try isToRead(id) {
                    try take(item)
                }
                return .next
            }
        }
    }

    private func readStored() throws(KeychainError) {
        let statement = try database.prepare(
            "SELECT change FROM present WHERE change IS NOT NULL ORDER BY change")
        while try statement.step() {
            guard
                let reference = try statement.number(0).flatMap({ change throws(KeychainError) in
                    try store.item(numbered: change)
                })
            else {
                throw KeychainError(.decode)
            }
            try store.forEachMatch(Query(reference, returns: KeychainChanges.parts)) {
                item throws(KeychainError) in
                try take(item)
                return .stop
            }
        }
    }

    private static let parts: ReturnOptions = [.attributes, .readableData, .reference, .unlogged]
}
