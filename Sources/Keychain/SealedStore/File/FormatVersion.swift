internal import KeychainServices
internal import SQLiteFile

/// A version of the file format: its number, its exact schema, and the conversion from the previous
/// version.
struct FormatVersion {
    /// An entry of SQLite's own table `sqlite_schema`.
    struct SchemaEntry {
        var type: String
        var name: String
        var table: String
        /// Nil for the indexes that SQLite makes for UNIQUE.
        var sql: String?
    }

    let number: Int32
    let schema: [SchemaEntry]
    /// Converts the data, inside the one transaction of a migration that also changes the schema.
    let migrateFromPrevious: (@Sendable (Database) throws(KeychainError) -> Void)?

    /// The application id in the header of every keychain file: `LNYD`.
    static let applicationID: Int32 = 0x4C4E_5944

    /// All readable versions, oldest first; the last is the current one. Format 1 was never
    /// released.
    static let all: [FormatVersion] = [version2]

    /// The version of new keychains.
    static var current: FormatVersion { all[all.count - 1] }

    static let version2 = FormatVersion(
        number: 2,
        schema: [
            SchemaEntry(
                type: "table", name: "keychain", table: "keychain",
                sql: """
                    CREATE TABLE keychain (
                      only INTEGER PRIMARY KEY CHECK (only = 1),
                      keybag BLOB NOT NULL,
                      row_set BLOB NOT NULL
                    ) STRICT
                    """),
            SchemaEntry(
                type: "table", name: "item", table: "item",
                sql: """
                    CREATE TABLE item (
                      change INTEGER PRIMARY KEY,
                      id BLOB NOT NULL UNIQUE,
                      class INTEGER NOT NULL,
                      accessible INTEGER NOT NULL,
                      metadata_generation INTEGER NOT NULL,
                      secret_generation INTEGER NOT NULL,
                      identity BLOB NOT NULL UNIQUE,
                      server BLOB,
                      service BLOB,
                      account BLOB NOT NULL,
                      access_group BLOB NOT NULL,
                      attributes BLOB NOT NULL,
                      secret BLOB NOT NULL
                    ) STRICT
                    """),
            SchemaEntry(type: "index", name: "sqlite_autoindex_item_1", table: "item"),
            SchemaEntry(type: "index", name: "sqlite_autoindex_item_2", table: "item"),
            SchemaEntry(
                type: "index", name: "item_server", table: "item",
                sql: "CREATE INDEX item_server ON item (server) WHERE server IS NOT NULL"),
            SchemaEntry(
                type: "index", name: "item_service", table: "item",
                sql: "CREATE INDEX item_service ON item (service) WHERE service IS NOT NULL"),
            SchemaEntry(
                type: "index", name: "item_account", table: "item",
                sql: "CREATE INDEX item_account ON item (account)"),
            SchemaEntry(
                type: "index", name: "item_access_group", table: "item",
                sql: "CREATE INDEX item_access_group ON item (access_group)"),
        ],
        migrateFromPrevious: nil)
}
