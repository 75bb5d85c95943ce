package import SQLiteFile
package import LanyardSecrets

/// A set of keys, such as records, in a temporary table of a replica's database: it takes no memory, and ends with the
/// program.
package struct KeySet {
    private let database: Database
    private let table: String

    /// - Parameter table: The name of a table with one column, `key`.
    package init(_ table: String, in database: Database) {
        self.database = database
        self.table = table
    }

    /// Adds a key.
    package func insert(_ key: [UInt8]) throws(KeychainError) {
        try run("INSERT OR IGNORE INTO \(table) VALUES(?1)", key)
    }

    /// Adds the records of all items.
    func insertAllItems(of rows: SealedRows) throws(KeychainError) {
        try rows.check(.item)
        try database.execute(
            """
            INSERT OR IGNORE INTO \(table) \
            SELECT key FROM sealed_row WHERE kind = \(SealedRows.Kind.item.rawValue)
            """)
    }

    /// Removes a key.
    package func remove(_ key: [UInt8]) throws(KeychainError) {
        try run("DELETE FROM \(table) WHERE key = ?1", key)
    }

    /// The number of keys.
    var count: Int {
        get throws(KeychainError) { Int(try database.number("SELECT count(*) FROM \(table)")) }
    }

    /// Whether a key is in the set.
    package func contains(_ key: [UInt8]) throws(KeychainError) -> Bool {
        let statement = try database.prepare("SELECT 1 FROM \(table) WHERE key = ?1", keeps: true)
        try statement.bind(key, at: 1)
        return try statement.step()
    }

    /// Removes all keys.
    package func removeAll() throws(KeychainError) {
        try database.execute("DELETE FROM \(table)")
    }

    /// Calls a function with each key, in order, until it returns false. It may remove the key.
    package func forEach(
        _ body: (_ key: [UInt8]) throws(KeychainError) -> Bool
    ) throws(KeychainError) {
        let statement = try database.prepare(
            "SELECT key FROM \(table) ORDER BY key", keeps: true)
        while try statement.step() {
            guard try body(statement.blob(0)) else {
                return
            }
        }
    }

    private func run(_ sql: String, _ key: [UInt8]) throws(KeychainError) {
        let statement = try database.prepare(sql, keeps: true)
        try statement.bind(key, at: 1)
        _ = try statement.step()
    }
}
