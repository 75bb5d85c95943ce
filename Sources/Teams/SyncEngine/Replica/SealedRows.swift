internal import LanyardCryptography
internal import LinuxSystem
package import SQLiteFile
package import LanyardSecrets

/// The rows of a replica, in an SQLite database. Each is encrypted, and all are authenticated as sets: a row that was
/// changed, removed or put back from an older file is noticed before it, or its absence, is used.
package final class SealedRows {
    /// What a row is.
    package enum Kind: UInt8, CaseIterable {
        /// What is known of the server.
        case replica = 1
        /// An entry of the roster, by its position.
        case rosterEntry = 2
        /// A device's head, by the device.
        case head = 3
        /// An item, by its record.
        case item = 4
        /// What a keychain knows of its sharing.
        case keychain = 5
        /// What a keychain knows of an item of the team, by its record.
        case content = 6
        /// An item that a keychain shows, by its identity.
        case shown = 7
        /// A record whose item changed since a keychain took it over.
        case unread = 8
        /// The identity of an item that changed, and that a keychain does not show so yet.
        case unshown = 9
        /// A record whose change an exchange was about to give the server.
        case given = 10
        /// The identity of an item of the team, and its record after it.
        case named = 11
        /// What an exchange noted of the items of a keychain, a page of them.
        case noted = 12
    }

    /// The database.
    package let database: Database
    private let boxKey: Secret
    private let setKey: Secret
    private let label: [UInt8]
    private var set = RowSets()
    /// The parts of the sets, and the kinds, whose rows are as they were stored.
    private var checked = Set<RowSets.Part>()
    private var checkedKinds = Set<Kind>()
    /// The version of the database in which they are.
    private var version: Int64 = -1
    /// How many changes are open, one in the other.
    private var depth = 0
    /// The error for rows that are not as they were stored.
    package var damage = KeychainError(.decode)
    /// The number of rows that were read to check parts of the set.
    private(set) package var checkedRows = 0

    /// The version of the form.
    package static let format: Int64 = 6
    private static let applicationID = 0x4c_59_54_4d
    private static let schema = [
        """
        CREATE TABLE sealed_row(kind INTEGER NOT NULL, key BLOB NOT NULL, box BLOB NOT NULL, UNIQUE(kind, key))
        """,
        "CREATE TABLE row_set(id INTEGER PRIMARY KEY CHECK(id = 1), box BLOB NOT NULL)",
        "CREATE TABLE server_version(record BLOB PRIMARY KEY, number INTEGER NOT NULL) WITHOUT ROWID",
    ]

    // MARK: Opening

    /// Creates a database in memory without a row.
    ///
    /// - Parameter label: What the rows are bound to.
    package init(under key: borrowing Secret, label: [UInt8]) throws(KeychainError) {
        database = try Database(inMemory: ())
        boxKey = key.copy()
        setKey = SealedRows.setKey(key)
        self.label = label
        try database.execute("PRAGMA application_id=\(SealedRows.applicationID)")
        try database.execute("PRAGMA user_version=\(SealedRows.format)")
        for sql in SealedRows.schema {
            try database.execute(sql)
        }
        try prepare()
        try writeSet()
    }

    /// Takes the rows of a database.
    ///
    /// - Throws: ``Status/wrongVersion`` if another Lanyard made it; ``Status/decode`` if it is none of these, was made
    ///   under another key or label, or was changed without it.
    package init(
        _ database: Database, under key: borrowing Secret, label: [UInt8]
    ) throws(KeychainError) {
        self.database = database
        boxKey = key.copy()
        setKey = SealedRows.setKey(key)
        self.label = label
        try prepare()
        try checkForm()
        try reading { () throws(KeychainError) in }
    }

    private func prepare() throws(KeychainError) {
        // As much as a record of the server, with its place.
        database.limitLength(to: Int32(SyncLimits.recordSize + (1 << 20)))
        // An exchange takes the same memory for any number of items.
        try database.execute("PRAGMA cache_size=-2048")
        try database.execute("CREATE TEMP TABLE lacking(key BLOB PRIMARY KEY) WITHOUT ROWID")
    }

    private func checkForm() throws(KeychainError) {
        guard try database.number("PRAGMA application_id") == Int64(SealedRows.applicationID) else {
            throw KeychainError(.decode)
        }
        guard try database.number("PRAGMA user_version") == SealedRows.format else {
            throw KeychainError(.wrongVersion)
        }
        let statement = try database.prepare(
            "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid")
        for sql in SealedRows.schema {
            guard try statement.step(), statement.hasText(sql, 0) else {
                throw KeychainError(.decode)
            }
        }
        guard try !statement.step() else {
            throw KeychainError(.decode)
        }
    }

    private static func setKey(_ key: borrowing Secret) -> Secret {
        KeyDerivation.derive(key, label: "lanyard team replica rows")
    }

    // MARK: Checking

    /// Checks that the rows are exactly those that were stored. It reads all of them.
    ///
    /// - Throws: ``Status/decode`` if one was changed, removed, or put back from an older file.
    package func check() throws(KeychainError) {
        try reading { () throws(KeychainError) in
            (checked, checkedKinds) = ([], [])
            for kind in Kind.allCases {
                try check(kind)
            }
            let total = Kind.allCases.reduce(0) { $0 + set.count(of: $1) }
            guard try database.number("SELECT count(*) FROM sealed_row") == total else {
                throw damage
            }
        }
    }

    /// Checks all rows of a kind, unless they were checked.
    ///
    /// - Throws: As ``check()``.
    func check(_ kind: Kind) throws(KeychainError) {
        try reading { () throws(KeychainError) in
            guard !checkedKinds.contains(kind) else {
                return
            }
            let statement = try database.prepare(
                "SELECT key, box FROM sealed_row WHERE kind = ?1", keeps: true)
            try statement.bind(Int64(kind.rawValue), at: 1)
            var found = RowSets()
            while try statement.step() {
                let key = statement.blob(0)
                found.add(digest(kind, key, statement.blob(1)), RowSets.Part(of: kind, key))
                checkedRows += 1
            }
            guard found.isEqual(to: set, in: kind) else {
                throw damage
            }
            checkedKinds.insert(kind)
        }
    }

    /// Checks the rows of the part that has a key, unless they were checked. So it reads a few rows of many.
    private func check(_ kind: Kind, _ key: [UInt8]) throws(KeychainError) {
        let part = RowSets.Part(of: kind, key)
        guard !checkedKinds.contains(kind), !checked.contains(part) else {
            return
        }
        let (first, end) = part.keys
        let statement = try database.prepare(
            "SELECT key, box FROM sealed_row WHERE kind = ?1 AND key >= ?2"
                + (end == nil ? "" : " AND key < ?3"), keeps: true)
        try statement.bind(Int64(kind.rawValue), at: 1)
        try statement.bind(first, at: 2)
        if let end {
            try statement.bind(end, at: 3)
        }
        var found = DigestSum()
        while try statement.step() {
            found.add(digest(kind, statement.blob(0), statement.blob(1)))
            checkedRows += 1
        }
        guard found == set.sum(of: part) else {
            throw damage
        }
        checked.insert(part)
    }

    /// Runs a function that reads all of one moment: another program may change the rows before and after it.
    private func reading<Result>(
        _ body: () throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        guard !isChanging else {
            return try body()
        }
        guard !database.isInTransaction else {
            try readSet()
            return try body()
        }
        try database.execute("BEGIN")
        do throws(KeychainError) {
            try readSet()
            let result = try body()
            try database.execute("COMMIT")
            return result
        } catch {
            try? database.execute("ROLLBACK")
            throw error
        }
    }

    /// Reads the set if another program may have changed the rows.
    private func readSet() throws(KeychainError) {
        let present = try database.number("PRAGMA data_version")
        guard present != version else {
            return
        }
        (checked, checkedKinds) = ([], [])
        let statement = try database.prepare("SELECT box FROM row_set")
        guard try statement.step() else {
            throw KeychainError(.decode)
        }
        let opened = try SealedBox.open(
            statement.blob(0).span, under: boxKey, associatedData: label + [0])
        set = try RowSets(opened.withBytes { ByteString(copying: $0).bytes })
        version = present
    }

    // MARK: Reading

    /// Returns a row's value, nil if there is no such row.
    ///
    /// - Throws: ``Status/decode`` if it, or one with a similar key, is not as it was stored.
    package func value(_ kind: Kind, _ key: [UInt8]) throws(KeychainError) -> [UInt8]? {
        try reading { () throws(KeychainError) in
            try check(kind, key)
            return try box(kind, key).map { box throws(KeychainError) in try open(kind, key, box) }
        }
    }

    /// Returns the keys of the rows of a kind that begin with some bytes, in order.
    ///
    /// - Parameter beginning: At least two bytes.
    /// - Throws: As ``value(_:_:)``.
    package func keys(
        _ kind: Kind, beginning: [UInt8]
    ) throws(KeychainError) -> [[UInt8]] {
        try reading { () throws(KeychainError) in
            try check(kind, beginning)
            let statement = try database.prepare(
                "SELECT key FROM sealed_row WHERE kind = ?1 AND key >= ?2 ORDER BY key", keeps: true
            )
            try statement.bind(Int64(kind.rawValue), at: 1)
            try statement.bind(beginning, at: 2)
            var keys: [[UInt8]] = []
            while try statement.step() {
                let key = statement.blob(0)
                guard key.starts(with: beginning) else {
                    break
                }
                keys.append(key)
            }
            return keys
        }
    }

    /// Calls a function with the key and the value of each row of a kind, in the order of the keys. It may remove that
    /// row, and change rows of other kinds.
    ///
    /// - Throws: ``Status/decode`` if the rows are not as they were stored; what the function throws.
    package func forEach(
        _ kind: Kind,
        _ body: (_ key: [UInt8], _ value: [UInt8]) throws(KeychainError) -> Void
    ) throws(KeychainError) {
        try reading { () throws(KeychainError) in
            try check(kind)
            let statement = try database.prepare(
                "SELECT key, box FROM sealed_row WHERE kind = ?1 ORDER BY key", keeps: true)
            try statement.bind(Int64(kind.rawValue), at: 1)
            while try statement.step() {
                let key = statement.blob(0)
                try body(key, open(kind, key, statement.blob(1)))
            }
        }
    }

    /// Returns the number of rows of a kind.
    package func count(_ kind: Kind) throws(KeychainError) -> Int {
        try reading { () throws(KeychainError) in set.count(of: kind) }
    }

    private func box(_ kind: Kind, _ key: [UInt8]) throws(KeychainError) -> [UInt8]? {
        let statement = try database.prepare(
            "SELECT box FROM sealed_row WHERE kind = ?1 AND key = ?2", keeps: true)
        try statement.bind(Int64(kind.rawValue), at: 1)
        try statement.bind(key, at: 2)
        return try statement.step() ? statement.blob(0) : nil
    }

    private func open(
        _ kind: Kind, _ key: [UInt8], _ box: [UInt8]
    ) throws(KeychainError) -> [UInt8] {
        let opened = try SealedBox.open(
            box.span, under: boxKey, associatedData: associatedData(kind, key))
        // No secrets: contents are encrypted under the team's keys.
        return opened.withBytes { ByteString(copying: $0).bytes }
    }

    // MARK: Changing

    /// Runs changes: all are made, or none of them if the function throws. The outermost ones are stored.
    ///
    /// - Parameter keeps: Whether to keep them, from what the function returns.
    /// - Throws: What the function throws; ``Status/databaseLocked`` if another program reads the rows for too long.
    package func change<Result>(
        keepingIf keeps: (Result) -> Bool, _ body: () throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        let isOutermost = depth == 0
        if isOutermost {
            try database.execute("BEGIN IMMEDIATE")
            do throws(KeychainError) {
                try readSet()
            } catch {
                try? undo(isOutermost)
                throw error
            }
        } else {
            try checkTransaction()
            try database.execute("SAVEPOINT change")
        }
        let before = set
        depth += 1
        defer { depth -= 1 }
        do throws(KeychainError) {
            let result = try body()
            try checkTransaction()
            if keeps(result) {
                try isOutermost ? commit() : database.execute("RELEASE change")
            } else {
                try undo(isOutermost)
                set = before
            }
            return result
        } catch {
            try? undo(isOutermost)
            set = before
            throw error
        }
    }

    /// Whether changes are being made.
    package var isChanging: Bool { depth > 0 }

    /// Throws if SQLite has undone the whole transaction, as it does on a full disk. What follows would be stored
    /// alone.
    private func checkTransaction() throws(KeychainError) {
        guard database.isInTransaction else {
            throw KeychainError(.io, "the changes of the replica were undone")
        }
    }

    private func commit() throws(KeychainError) {
        try writeSet()
        // Waiting may have failed before, when a change was too large for memory.
        database.waitAgain()
        try database.execute("COMMIT")
    }

    private func undo(_ isOutermost: Bool) throws(KeychainError) {
        try database.execute(isOutermost ? "ROLLBACK" : "ROLLBACK TO change; RELEASE change")
    }

    private func writeSet() throws(KeychainError) {
        let statement = try database.prepare("REPLACE INTO row_set VALUES(1, ?1)", keeps: true)
        try statement.bind(
            try SealedBox.seal(set.bytes.span, under: boxKey, associatedData: label + [0]),
            at: 1)
        _ = try statement.step()
    }

    /// Stores a row, instead of the one with its key.
    ///
    /// - Throws: As ``value(_:_:)``.
    package func set(_ value: [UInt8], _ kind: Kind, _ key: [UInt8]) throws(KeychainError) {
        try checkIsChanging()
        try check(kind, key)
        let old = try box(kind, key)
        let new = try SealedBox.seal(
            value.span, under: boxKey, associatedData: associatedData(kind, key))
        let statement = try database.prepare(
            """
            INSERT INTO sealed_row VALUES(?1, ?2, ?3) ON CONFLICT(kind, key) DO UPDATE SET box = ?3
            """, keeps: true)
        try statement.bind(Int64(kind.rawValue), at: 1)
        try statement.bind(key, at: 2)
        try statement.bind(new, at: 3)
        _ = try statement.step()
        let part = RowSets.Part(of: kind, key)
        if let old {
            set.remove(digest(kind, key, old), part)
        }
        set.add(digest(kind, key, new), part)
    }

    /// Removes a row, if it is there.
    ///
    /// - Throws: As ``value(_:_:)``.
    package func remove(_ kind: Kind, _ key: [UInt8]) throws(KeychainError) {
        try checkIsChanging()
        try check(kind, key)
        guard let old = try box(kind, key) else {
            return
        }
        let statement = try database.prepare(
            "DELETE FROM sealed_row WHERE kind = ?1 AND key = ?2", keeps: true)
        try statement.bind(Int64(kind.rawValue), at: 1)
        try statement.bind(key, at: 2)
        _ = try statement.step()
        set.remove(digest(kind, key, old), RowSets.Part(of: kind, key))
    }

    /// Removes all rows of a kind.
    package func removeAll(_ kind: Kind) throws(KeychainError) {
        try checkIsChanging()
        let statement = try database.prepare("DELETE FROM sealed_row WHERE kind = ?1", keeps: true)
        try statement.bind(Int64(kind.rawValue), at: 1)
        _ = try statement.step()
        set.removeAll(of: kind)
    }

    /// Each change outside would be stored alone, without its part of the set.
    private func checkIsChanging() throws(KeychainError) {
        guard isChanging else {
            throw KeychainError(.io)
        }
        try checkTransaction()
    }

    private func associatedData(_ kind: Kind, _ key: [UInt8]) -> [UInt8] {
        label + [kind.rawValue] + UInt32(key.count).bigEndianBytes + key
    }

    private func digest(
        _ kind: Kind, _ key: [UInt8], _ box: [UInt8]
    ) -> InlineArray<32, UInt8> {
        KeyedDigest.make(under: setKey, associatedData(kind, key).span, box.span)
    }
}
