internal import KeychainServices
internal import LinuxSystem
internal import SQLiteFile

/// A file next to a keychain with rows that were moved out of it unchanged: see
/// lanyard-keychain(5).
enum Quarantine {
    /// The header of every such file: `LNYQ`.
    static let applicationID: Int32 = 0x4C4E_5951

    /// Writes rows to a new file, which is on the disk when the call returns.
    ///
    /// - Returns: The file's path.
    static func write(
        _ items: [Verification.DamagedItem], of database: Database, beside keychain: String
    ) throws(KeychainError) -> String {
        let image = try image(of: items, database)
        var number = 1
        while true {
            let path = "\(keychain).quarantine-\(number)"
            if try !PrivatePlace.exists(path), try PrivatePlace.createFile(path, image.span) {
                return path
            }
            number += 1
        }
    }

    private static func image(
        of items: [Verification.DamagedItem], _ database: Database
    ) throws(KeychainError) -> [UInt8] {
        let copy = try Database(inMemory: ())
        try copy.execute("PRAGMA application_id=\(applicationID)")
        try copy.execute("PRAGMA user_version=1")
        // Without types and constraints, because a damaged row may contain anything.
        try copy.execute("CREATE TABLE item (\(ItemRow.columns), damage)")
        try copy.execute("CREATE TABLE keychain (only, keybag, row_set)")
        try insert("SELECT only, keybag, row_set FROM keychain", database, "keychain", copy)
        for item in items {
            try insert(
                "SELECT \(ItemRow.columns), '\(item.damage.rawValue)' FROM item WHERE change = \(item.row)",
                database, "item", copy)
        }
        return try copy.serialized()
    }

    /// Copies a statement's rows into a table, value by value.
    private static func insert(
        _ sql: String, _ database: Database, _ table: String, _ copy: Database
    ) throws(KeychainError) {
        let source = try database.prepare(sql)
        let count = source.columnCount
        let parameters = (1...count).map { "?\($0)" }.joined(separator: ", ")
        let target = try copy.prepare("INSERT INTO \(table) VALUES (\(parameters))")
        while try source.step() {
            for column in 0..<count {
                try target.bind(valueOf: source, column, at: column + 1)
            }
            _ = try target.step()
            target.reset()
        }
    }
}
