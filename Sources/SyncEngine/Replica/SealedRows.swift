internal import Cryptography
internal import LinuxSystem
package import SQLiteFile
package import Secrets

/// The rows of a replica, in an SQLite database. Each is encrypted, and all are authenticated as a set: a row that was
/// changed, removed or put back from an older file is noticed.
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
    }

    private struct Row {
        let kind: Kind
        let key: [UInt8]
        let link: [UInt8]?
        let box: [UInt8]
    }

    /// The database.
    package let database: Database
    private let boxKey: Secret
    private let setKey: Secret
    private let label: [UInt8]
    private var sum = DigestSum()
    private var count: UInt64 = 0
    /// How many changes are open, one in the other.
    private var depth = 0

    /// The version of the form.
    package static let format: Int64 = 5
    private static let applicationID = 0x4c_59_54_4d
    private static let schema = [
        """
        CREATE TABLE sealed_row(kind INTEGER NOT NULL, key BLOB NOT NULL, link BLOB, box BLOB NOT NULL, \
        UNIQUE(kind, key))
        """,
        "CREATE INDEX sealed_row_link ON sealed_row(kind, link) WHERE link IS NOT NULL",
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
    }

    /// Takes the rows of a database.
    ///
    /// - Throws: ``Status/wrongVersion`` if a later Lanyard made it; ``Status/decode`` if it is none of these, was made
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
        let statement = try database.prepare("SELECT box FROM row_set")
        guard try statement.step() else {
            throw KeychainError(.decode)
        }
        let opened = try SealedBox.open(
            statement.blob(0).span, under: boxKey, associatedData: label + [0])
        var reader = ByteReader(opened.withBytes { ByteString(copying: $0).bytes })
        sum = try DigestSum(reading: &reader)
        count = try reader.number()
        try reader.end()
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
        guard try database.number("PRAGMA user_version") <= SealedRows.format else {
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

    /// Checks that the rows are exactly those that were stored.
    ///
    /// - Throws: ``Status/decode`` if one was changed, removed, or put back from an older file.
    package func check() throws(KeychainError) {
        var (found, number) = (DigestSum(), UInt64(0))
        let statement = try database.prepare("SELECT kind, key, link, box FROM sealed_row")
        while try statement.step() {
            guard let kind = statement.number(0).flatMap({ Kind(rawValue: UInt8(clamping: $0)) })
            else {
                throw KeychainError(.decode)
            }
            found.add(
                digest(
                    Row(
                        kind: kind, key: statement.blob(1), link: statement.optionalBlob(2),
                        box: statement.blob(3))))
            number += 1
        }
        guard found == sum, number == count else {
            throw KeychainError(.decode)
        }
    }

    // MARK: Reading

    /// Returns a row's value, nil if there is no such row.
    ///
    /// - Throws: ``Status/decode`` if it was changed without the key.
    package func value(_ kind: Kind, _ key: [UInt8]) throws(KeychainError) -> [UInt8]? {
        try row(kind, key).map { row throws(KeychainError) in try open(row) }
    }

    /// Returns the keys of the rows of a kind with a link, in order.
    package func keys(_ kind: Kind, link: [UInt8]) throws(KeychainError) -> [[UInt8]] {
        let statement = try database.prepare(
            // For the order alone, SQLite would read all rows of the kind by the other index.
            """
            SELECT key FROM sealed_row INDEXED BY sealed_row_link \
            WHERE kind = ?1 AND link = ?2 ORDER BY key
            """, keeps: true)
        try statement.bind(Int64(kind.rawValue), at: 1)
        try statement.bind(link, at: 2)
        var keys: [[UInt8]] = []
        while try statement.step() {
            keys.append(statement.blob(0))
        }
        return keys
    }

    /// The order of rows.
    package enum Order: String {
        /// By their keys.
        case key
        /// By their links.
        case link
    }

    /// Calls a function with the key and the value of each row of a kind. It may remove that row, and change rows of
    /// other kinds.
    package func forEach(
        _ kind: Kind, by order: Order = .key,
        _ body: (_ key: [UInt8], _ value: [UInt8]) throws(KeychainError) -> Void
    ) throws(KeychainError) {
        let statement = try database.prepare(
            "SELECT key, link, box FROM sealed_row "
                + (order == .key
                    ? "WHERE kind = ?1 ORDER BY key"
                    : "WHERE kind = ?1 AND link IS NOT NULL ORDER BY link"),
            keeps: true)
        try statement.bind(Int64(kind.rawValue), at: 1)
        while try statement.step() {
            let row = Row(
                kind: kind, key: statement.blob(0), link: statement.optionalBlob(1),
                box: statement.blob(2))
            try body(row.key, open(row))
        }
    }

    /// Returns the number of rows of a kind.
    package func count(_ kind: Kind) throws(KeychainError) -> Int {
        let statement = try database.prepare(
            "SELECT count(*) FROM sealed_row WHERE kind = ?1", keeps: true)
        try statement.bind(Int64(kind.rawValue), at: 1)
        return try statement.step() ? statement.number(0).map { Int($0) } ?? 0 : 0
    }

    private func row(_ kind: Kind, _ key: [UInt8]) throws(KeychainError) -> Row? {
        let statement = try database.prepare(
            "SELECT link, box FROM sealed_row WHERE kind = ?1 AND key = ?2", keeps: true)
        try statement.bind(Int64(kind.rawValue), at: 1)
        try statement.bind(key, at: 2)
        guard try statement.step() else {
            return nil
        }
        return Row(
            kind: kind, key: key, link: statement.optionalBlob(0), box: statement.blob(1))
    }

    private func open(_ row: Row) throws(KeychainError) -> [UInt8] {
        let opened = try SealedBox.open(
            row.box.span, under: boxKey,
            associatedData: associatedData(row.kind, row.key, row.link))
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
        let before = (sum, count)
        if isOutermost {
            try database.execute("BEGIN IMMEDIATE")
        } else {
            try checkTransaction()
            try database.execute("SAVEPOINT change")
        }
        depth += 1
        defer { depth -= 1 }
        do throws(KeychainError) {
            let result = try body()
            try checkTransaction()
            if keeps(result) {
                try isOutermost ? commit() : database.execute("RELEASE change")
            } else {
                try undo(isOutermost)
                (sum, count) = before
            }
            return result
        } catch {
            try? undo(isOutermost)
            (sum, count) = before
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
        var writer = ByteWriter()
        sum.append(to: &writer)
        writer.number(count)
        let statement = try database.prepare("REPLACE INTO row_set VALUES(1, ?1)", keeps: true)
        try statement.bind(
            try SealedBox.seal(writer.bytes.span, under: boxKey, associatedData: label + [0]),
            at: 1)
        _ = try statement.step()
    }

    /// Stores a row, instead of the one with its key.
    ///
    /// - Parameter link: A keyed digest by which rows are found: it is not encrypted.
    package func set(
        _ value: [UInt8], _ kind: Kind, _ key: [UInt8], link: [UInt8]? = nil
    ) throws(KeychainError) {
        try checkIsChanging()
        let old = try row(kind, key)
        let row = Row(
            kind: kind, key: key, link: link,
            box: try SealedBox.seal(
                value.span, under: boxKey, associatedData: associatedData(kind, key, link)))
        let statement = try database.prepare(
            """
            INSERT INTO sealed_row VALUES(?1, ?2, ?3, ?4) \
            ON CONFLICT(kind, key) DO UPDATE SET link = ?3, box = ?4
            """, keeps: true)
        try statement.bind(Int64(kind.rawValue), at: 1)
        try statement.bind(key, at: 2)
        try statement.bind(link, at: 3)
        try statement.bind(row.box, at: 4)
        _ = try statement.step()
        if let old {
            sum.subtract(digest(old))
            count -= 1
        }
        sum.add(digest(row))
        count += 1
    }

    /// Removes a row, if it is there.
    package func remove(_ kind: Kind, _ key: [UInt8]) throws(KeychainError) {
        try checkIsChanging()
        guard let row = try row(kind, key) else {
            return
        }
        let statement = try database.prepare(
            "DELETE FROM sealed_row WHERE kind = ?1 AND key = ?2", keeps: true)
        try statement.bind(Int64(kind.rawValue), at: 1)
        try statement.bind(key, at: 2)
        _ = try statement.step()
        sum.subtract(digest(row))
        count -= 1
    }

    /// Removes all rows of a kind.
    package func removeAll(_ kind: Kind) throws(KeychainError) {
        try checkIsChanging()
        let rows = try database.prepare(
            "SELECT key, link, box FROM sealed_row WHERE kind = ?1", keeps: true)
        try rows.bind(Int64(kind.rawValue), at: 1)
        var (removed, number) = (sum, UInt64(0))
        while try rows.step() {
            removed.subtract(
                digest(
                    Row(
                        kind: kind, key: rows.blob(0), link: rows.optionalBlob(1), box: rows.blob(2)
                    )))
            number += 1
        }
        let statement = try database.prepare("DELETE FROM sealed_row WHERE kind = ?1", keeps: true)
        try statement.bind(Int64(kind.rawValue), at: 1)
        _ = try statement.step()
        (sum, count) = (removed, count - number)
    }

    /// Each change outside would be stored alone, without its part of the set.
    private func checkIsChanging() throws(KeychainError) {
        guard isChanging else {
            throw KeychainError(.io)
        }
        try checkTransaction()
    }

    private func associatedData(_ kind: Kind, _ key: [UInt8], _ link: [UInt8]?) -> [UInt8] {
        label + [kind.rawValue] + UInt32(key.count).bigEndianBytes + key + (link ?? [])
    }

    private func digest(_ row: Row) -> InlineArray<32, UInt8> {
        KeyedDigest.make(
            under: setKey, associatedData(row.kind, row.key, row.link).span, row.box.span)
    }
}
