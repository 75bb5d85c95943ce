internal import Keychain

extension FormatVersion {
    /// Throws if a file is no SQLite file or one with a write-ahead log, before SQLite looks at
    /// anything else in it.
    static func checkHeader(_ database: Database) throws(KeychainError) {
        let header = try database.header()
        // 18 and 19 are the file format's write and read version: 1 is the rollback journal.
        guard header.count == 100, header.starts(with: "SQLite format 3\0".utf8),
            header[18] == 1, header[19] == 1
        else {
            throw notAKeychain
        }
    }

    /// Throws unless the file is a keychain of a version that is known and its schema is right to
    /// the letter; anything else in a schema is how a file bites.
    ///
    /// - Returns: The version.
    static func check(
        _ database: Database, _ formats: [FormatVersion]
    ) throws(KeychainError) -> FormatVersion {
        guard try database.number("PRAGMA application_id") == Int64(applicationID) else {
            throw notAKeychain
        }
        // Again: a journal that was just undone can have changed it.
        try checkHeader(database)
        let version = try database.number("PRAGMA user_version")
        guard let format = formats.first(where: { Int64($0.number) == version }) else {
            guard let newest = formats.last, version > newest.number else {
                throw notAKeychain
            }
            throw KeychainError(
                .wrongVersion,
                "the keychain has format \(version), newer than this program knows "
                    + "(\(newest.number))",
                hint: "install a newer lanyard")
        }
        guard try schema(database) == format.schema.sorted(by: { $0.name < $1.name }) else {
            throw notAKeychain
        }
        return format
    }

    private static func schema(_ database: Database) throws(KeychainError) -> [SchemaEntry] {
        let statement = try database.prepare(
            "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name", keeps: true)
        var entries: [SchemaEntry] = []
        while try statement.step() {
            entries.append(
                SchemaEntry(
                    type: statement.text(0) ?? "", name: statement.text(1) ?? "",
                    table: statement.text(2) ?? "", sql: statement.text(3)))
        }
        return entries
    }

    static var notAKeychain: KeychainError {
        KeychainError(.invalidKeychain, hint: "put the keychain file back from a backup")
    }
}
