internal import KeychainServices
internal import SQLiteFile

extension FormatVersion {
    /// Throws unless a file is an SQLite file without a write-ahead log, before SQLite reads
    /// anything else in it.
    static func checkHeader(_ database: Database) throws(KeychainError) {
        guard try isHeader(database.header()) else {
            throw notAKeychain
        }
    }

    private static func isHeader(_ header: [UInt8]) -> Bool {
        // 18 and 19 are the file format's write and read version: 1 is the rollback journal.
        header.count == 100 && header.starts(with: "SQLite format 3\0".utf8)
            && header[18] == 1 && header[19] == 1
    }

    /// Returns the size that a keychain's file has by its own header, nil if that does not say.
    ///
    /// - Parameter header: The first 100 bytes of any file.
    /// - Throws: ``Status/invalidKeychain`` if it is not a keychain.
    static func size(by header: [UInt8]) throws(KeychainError) -> Int? {
        func number(at offset: Int, _ count: Int = 4) -> Int {
            header[offset..<offset + count].reduce(0) { $0 << 8 | Int($1) }
        }
        guard isHeader(header), number(at: 68) == Int(applicationID) else {
            throw notAKeychain
        }
        let pageSize = number(at: 16, 2)
        let pages = number(at: 28)
        // SQLite, too, trusts the number of pages only with the number of the last change beside it.
        guard pages > 0, number(at: 24) == number(at: 92) else {
            return nil
        }
        return pages * (pageSize == 1 ? 65_536 : pageSize)
    }

    /// Throws unless the file is a keychain of a known version with exactly that version's schema,
    /// because any other schema may be an attack. Called when a transaction has begun, before the
    /// first change.
    ///
    /// - Returns: The version.
    static func check(
        _ database: Database, _ formats: [FormatVersion]
    ) throws(KeychainError) -> FormatVersion {
        // Takes the lock without reading the schema: SQLite reads it under the same lock as the
        // comparison. Until then another process may be converting the file.
        let version = Int32(truncatingIfNeeded: try database.number("PRAGMA user_version"))
        guard try database.number("PRAGMA application_id") == Int64(applicationID) else {
            throw notAKeychain
        }
        guard let format = formats.first(where: { $0.number == version }) else {
            guard let newest = formats.last, version > newest.number else {
                throw version == 1 ? neverReleased : notAKeychain
            }
            throw KeychainError(
                .wrongVersion,
                "the keychain has format \(version), but this program reads only up to "
                    + "\(newest.number)",
                hint: "install a newer lanyard")
        }
        try format.checkSchema(database)
        return format
    }

    /// Throws unless the file has each entry of the version's schema exactly once, and no others.
    func checkSchema(_ database: Database) throws(KeychainError) {
        let entries = try database.prepare(
            "SELECT type, name, tbl_name, sql FROM sqlite_schema", keeps: true)
        var missing = schema.indices.reduce(0) { $0 | 1 << $1 }
        while try entries.step() {
            guard
                let found = schema.firstIndex(where: {
                    entries.hasText($0.name, 1) && entries.hasText($0.type, 0)
                        && entries.hasText($0.table, 2) && entries.hasText($0.sql, 3)
                }), missing & 1 << found != 0
            else {
                throw FormatVersion.notAKeychain
            }
            missing &= ~(1 << found)
        }
        guard missing == 0 else {
            throw FormatVersion.notAKeychain
        }
    }

    private static var neverReleased: KeychainError {
        KeychainError(
            .wrongVersion, "the keychain has format 1, which no release of lanyard reads",
            hint: "move the file and its .anchor away, and store the items again")
    }

    static var notAKeychain: KeychainError {
        KeychainError(.invalidKeychain, hint: "restore the keychain file from a backup")
    }
}

extension Database.Errors {
    /// Names a keychain's file.
    static func keychain(_ name: String) -> Database.Errors {
        Database.Errors("the keychain '\(name)'", invalidFile: FormatVersion.notAKeychain)
    }
}
