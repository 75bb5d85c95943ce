internal import KeychainServices
internal import SQLiteFile
internal import Secrets
internal import SyncEngine

/// The items of a shared keychain at an exchange, and what was changed here since the last one.
///
/// What is noted of them is in tables of the replica's database that end with it: it takes no memory.
final class KeychainChanges {
    struct Item {
        let reference: ItemReference
        let digest: ItemDigest
    }

    let store: any KeychainStore
    let state: SharedState
    private let database: Database
    /// The identities whose item is not the one that the keychain showed after the last exchange.
    let differing: KeySet
    /// Whether the keychain was restored from a backup: its older items are no changes.
    private let isRestored: Bool
    /// Whether this device's first exchange did not end yet: its items are from before it was in the team.
    private let isFirst: Bool
    /// Whether the keychain has items that the replica lacks.
    private(set) var hasNew = false
    /// The number of changes.
    private(set) var changeCount = 0
    /// Changes with their contents, as many as the server gets at once, and the index of the first one.
    private var piece: (start: Int, changes: [LocalChange?]) = (0, [])

    // MARK: Reading the keychain

    /// Reads the items.
    ///
    /// - Parameter isRestored: Whether the keychain was restored from a backup.
    /// - Throws: What the store throws.
    init(
        _ store: any KeychainStore, _ state: SharedState, isRestored: Bool
    ) throws(KeychainError) {
        self.store = store
        self.state = state
        self.isRestored = isRestored
        isFirst = state.progress.lastExchange == nil
        database = state.replica.rows.database
        differing = KeySet("differing", in: database)
        try database.execute(
            "CREATE TEMP TABLE IF NOT EXISTS differing(key BLOB PRIMARY KEY) WITHOUT ROWID")
        // Without a reference it is an item that stays here, or can't be read without asking.
        try database.execute(
            """
            CREATE TEMP TABLE IF NOT EXISTS present(
              identity BLOB PRIMARY KEY, reference BLOB, digest BLOB) WITHOUT ROWID
            """)
        try database.execute(
            """
            CREATE TEMP TABLE IF NOT EXISTS arrival(
              date INTEGER, number BLOB, identity BLOB, PRIMARY KEY(date, number, identity)) \
            WITHOUT ROWID
            """)
        // Without an identity it is a deletion.
        try database.execute(
            """
            CREATE TEMP TABLE IF NOT EXISTS change(
              number INTEGER PRIMARY KEY, record BLOB NOT NULL, identity BLOB, base BLOB)
            """)
        try store.readTogether { () throws(KeychainError) in
            try database.execute("BEGIN")
            do throws(KeychainError) {
                try readItems()
                try database.execute("COMMIT")
            } catch {
                try? database.execute("ROLLBACK")
                throw error
            }
        }
    }

    private func readItems() throws(KeychainError) {
        try database.execute("DELETE FROM present")
        try database.execute("DELETE FROM change")
        try differing.removeAll()
        (hasNew, changeCount) = (false, 0)
        var count = 0
        for itemClass in ItemClass.stored {
            var query = Query(
                itemClass, returns: [.attributes, .readableData, .reference, .unlogged])
            query.synchronizable = .any
            // The changes' numbers are in the order in which they were made.
            query.match.order = .oldestFirst
            try store.forEachMatch(query) { item throws(KeychainError) in
                try take(item)
                count += 1
                state.report(.reading, count, 0)
                return .next
            }
        }
        try takeDeletions()
    }

    private func take(_ item: consuming MatchedItem) throws(KeychainError) {
        guard let attributes = item.attributes, let reference = item.reference,
            !TeamDevice.isDevice(attributes)
        else {
            return
        }
        let itemClass = item.itemClass
        guard state.isShared(attributes), let secret = item.secret
        else {
            try note(
                nil, ItemDigest(ItemIdentity(itemClass, attributes).bytes.span, under: state.key))
            return
        }
        let content = ItemContent(itemClass, attributes, secret: secret)
        let identity = content.identity(under: state.key)
        let item = Item(reference: reference, digest: content.digest(under: state.key))
        try note(item, identity)
        let row = try state.row(of: identity)
        if item.digest != row?.digest {
            try differing.insert(identity.bytes)
        }
        if let row {
            if item.digest != row.digest, !isRestored {
                try noteChange(of: row.record, identity, row.base)
                try noteDeletion(ofOthersThan: row.record, identity)
            }
            return
        }
        let records = try state.records(of: identity)
        for record in records where try !state.isDeleted(record) {
            // Another device made the same item at the same time.
            if try state.content(of: record)?.digest != item.digest, !isRestored {
                try noteChange(of: record, identity, nil)
            }
            return
        }
        // Stored again: its history goes on.
        let record = if let first = records.first { first } else { try Identifier.random() }
        let known = try state.replica.item(record)
        try noteChange(of: record, identity, known.map { ItemBase(of: $0) })
        hasNew = true
    }

    /// Notes that the items which the keychain showed, and has no more, were deleted.
    private func takeDeletions() throws(KeychainError) {
        let rows = try database.prepare(
            """
            SELECT key FROM sealed_row LEFT JOIN present ON identity = key \
            WHERE kind = \(SealedRows.Kind.shown.rawValue) AND identity IS NULL
            """)
        while try rows.step() {
            let identity = try ItemDigest(rows.blob(0))
            try differing.insert(identity.bytes)
            guard !isRestored, let row = try state.row(of: identity) else {
                continue
            }
            if try !state.isDeleted(row.record),
                try state.content(of: row.record)?.identity == identity
            {
                try noteChange(of: row.record, nil, row.base)
            }
            try noteDeletion(ofOthersThan: row.record, identity)
        }
    }

    /// Notes that the others of an identity, which an item hid, end with it, or with its next change.
    private func noteDeletion(
        ofOthersThan shown: Identifier, _ identity: ItemDigest
    ) throws(KeychainError) {
        for record in try state.records(of: identity) where record != shown {
            if let item = try state.replica.item(record), try !state.isDeleted(record) {
                try noteChange(of: record, nil, ItemBase(of: item))
            }
        }
    }

    private func note(_ item: Item?, _ identity: ItemDigest) throws(KeychainError) {
        let statement = try database.prepare("REPLACE INTO present VALUES(?1, ?2, ?3)", keeps: true)
        try statement.bind(identity.bytes, at: 1)
        try statement.bind(item?.reference.persistentReference.bytes, at: 2)
        try statement.bind(item?.digest.bytes, at: 3)
        _ = try statement.step()
    }

    /// - Parameter identity: nil for a deletion.
    private func noteChange(
        of record: Identifier, _ identity: ItemDigest?, _ base: ItemBase?
    ) throws(KeychainError) {
        let statement = try database.prepare(
            "INSERT INTO change(record, identity, base) VALUES(?1, ?2, ?3)", keeps: true)
        try statement.bind(record.bytes, at: 1)
        try statement.bind(identity?.bytes, at: 2)
        try statement.bind(base?.bytes, at: 3)
        _ = try statement.step()
        changeCount += 1
    }

    // MARK: What the team changed

    /// Calls a function with the identities whose item differs, in the order in which the team's devices made the
    /// versions to show: of several items that match, programs get the one stored last.
    ///
    /// - Parameter version: Returns the version to show, nil if there is none.
    func forEachDiffering(
        by version: (ItemDigest) throws(KeychainError) -> ItemVersion?,
        _ body: (ItemDigest) throws(KeychainError) -> Void
    ) throws(KeychainError) {
        try database.execute("DELETE FROM arrival")
        try differing.forEach { key throws(KeychainError) in
            let version = try version(ItemDigest(key))
            // Of one second: a device's numbers grow with each of its changes.
            var number = ByteWriter()
            version?.id.append(to: &number)
            let insertion = try database.prepare(
                "INSERT INTO arrival VALUES(?1, ?2, ?3)", keeps: true)
            try insertion.bind(version?.date.secondsSinceEpoch ?? Int64.min, at: 1)
            try insertion.bind(number.bytes, at: 2)
            try insertion.bind(key, at: 3)
            _ = try insertion.step()
            return true
        }
        let statement = try database.prepare(
            "SELECT identity FROM arrival ORDER BY date, number, identity", keeps: true)
        let total = Int(try database.number("SELECT count(*) FROM arrival"))
        var done = 0
        while try statement.step() {
            try body(ItemDigest(statement.blob(0)))
            done += 1
            state.report(.storing, done, total)
        }
    }

    // MARK: What was changed here

    /// Returns what was changed here since the last exchange.
    ///
    /// - Parameter index: Below ``changeCount``.
    /// - Returns: nil if the item is not there any more, not readable or has another name: the next exchange finds that.
    func change(_ index: Int) throws(KeychainError) -> LocalChange? {
        if index < piece.start || index >= piece.start + piece.changes.count {
            piece = (index, [])
            // One by one, each would open the keychain.
            try store.readTogether { () throws(KeychainError) in
                piece.changes = []
                var size = 0
                while index + piece.changes.count < changeCount,
                    piece.changes.count < SyncPiece.count, size < SyncPiece.size
                {
                    let change = try read(index + piece.changes.count)
                    size += change?.size ?? 0
                    piece.changes.append(change)
                }
            }
        }
        return piece.changes[index - piece.start]
    }

    /// Releases the changes' contents.
    func releaseContents() {
        piece = (0, [])
    }

    private func read(_ index: Int) throws(KeychainError) -> LocalChange? {
        let statement = try database.prepare(
            "SELECT record, identity, base FROM change WHERE number = ?1", keeps: true)
        try statement.bind(Int64(index + 1), at: 1)
        guard try statement.step() else {
            return nil
        }
        let record = try Identifier(statement.blob(0))
        let base = try statement.optionalBlob(2).map { bytes throws(KeychainError) in
            try ItemBase(bytes)
        }
        guard let bytes = statement.optionalBlob(1) else {
            return LocalChange(record, nil, base: base)
        }
        let identity = try ItemDigest(bytes)
        guard let item = try item(identity), let content = try content(of: item.reference),
            content.identity(under: state.key) == identity
        else {
            return nil
        }
        return LocalChange(
            record, content.bytes, base: base, isFromBefore: isFirst && base == nil)
    }

    /// Notes the records of the changes as those that an exchange is about to give the server.
    func noteGiven() throws(KeychainError) {
        let statement = try database.prepare("SELECT record FROM change")
        while try statement.step() {
            try state.replica.rows.set([], .given, statement.blob(0))
        }
    }

    /// Returns an item that is exchanged, nil if the keychain has none with the identity.
    func item(_ identity: ItemDigest) throws(KeychainError) -> Item? {
        let statement = try database.prepare(
            "SELECT reference, digest FROM present WHERE identity = ?1", keeps: true)
        try statement.bind(identity.bytes, at: 1)
        guard try statement.step(), let bytes = statement.optionalBlob(0),
            let reference = PersistentReference(bytes)?.reference
        else {
            return nil
        }
        return Item(reference: reference, digest: try ItemDigest(statement.blob(1)))
    }

    /// Whether an item stays here, or can't be read without asking.
    func isOwn(_ identity: ItemDigest) throws(KeychainError) -> Bool {
        let statement = try database.prepare(
            "SELECT 1 FROM present WHERE identity = ?1 AND reference IS NULL", keeps: true)
        try statement.bind(identity.bytes, at: 1)
        return try statement.step()
    }

    func content(
        of reference: ItemReference
    ) throws(KeychainError) -> ItemContent? {
        var content: ItemContent?
        let query = Query(reference, returns: [.attributes, .readableData, .unlogged])
        try store.forEachMatch(query) { item throws(KeychainError) in
            if let attributes = item.attributes, state.isShared(attributes) {
                let itemClass = item.itemClass
                if let secret = item.secret {
                    content = ItemContent(itemClass, attributes, secret: secret)
                }
            }
            return .stop
        }
        return content
    }
}
