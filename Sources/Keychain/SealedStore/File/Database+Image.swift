internal import KeychainServices
internal import SQLiteFile

extension Database {
    /// Returns the bytes of a new keychain file, built in memory because the file must appear
    /// complete.
    static func image(
        of format: FormatVersion, keybag: [UInt8], rowSet: [UInt8]
    ) throws(KeychainError) -> [UInt8] {
        let database = try Database(inMemory: ())
        try database.execute("PRAGMA page_size=4096")
        try database.execute("PRAGMA application_id=\(FormatVersion.applicationID)")
        try database.execute("PRAGMA user_version=\(format.number)")
        for entry in format.schema {
            if let sql = entry.sql {
                try database.execute(sql)
            }
        }
        let statement = try database.prepare("INSERT INTO keychain VALUES (1, ?1, ?2)")
        try statement.bind(keybag, at: 1)
        try statement.bind(rowSet, at: 2)
        _ = try statement.step()
        return try database.serialized()
    }
}
