internal import KeychainServices
internal import SQLiteFile

extension FormatVersion {
    /// Throws unless a file is an SQLite file without a write-ahead log, before SQLite reads
    /// anything else in it.
    ///
    /// - Returns: Its first 100 bytes.
    @discardableResult
    static func checkHeader(_ database: Database) throws(KeychainError) -> [UInt8] {
        let header = try database.header()
        guard isHeader(header) else {
            throw notAKeychain
        }
        return header
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
        // The first row takes the lock: until then another process may be converting the file.
        let entries = try schemaEntries(database)
        // Again, because undoing a journal may have changed it.
        var header = ByteReader(Array(try checkHeader(database)[60..<72]))
        let version = Int32(bitPattern: try header.number())
        _ = try header.raw(4)
        guard Int32(bitPattern: try header.number()) == applicationID else {
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
        try format.checkSchema(entries)
        return format
    }

    /// Throws unless the schema is exactly that of the version.
    func checkSchema(_ database: Database) throws(KeychainError) {
        try checkSchema(FormatVersion.schemaEntries(database))
    }

    /// Returns the entries of a file's schema, at the first row.
    private static func schemaEntries(_ database: Database) throws(KeychainError) -> Statement {
        let entries = try database.prepare(
            "SELECT type, name, tbl_name, sql FROM sqlite_schema", keeps: true)
        guard try entries.step() else {
            throw notAKeychain
        }
        return entries
    }

    /// Throws unless the file has each entry exactly once, and no others.
    ///
    /// - Parameter entries: At the first row.
    private func checkSchema(_ entries: borrowing Statement) throws(KeychainError) {
        var missing = schema.indices.reduce(0) { $0 | 1 << $1 }
        repeat {
            guard
                let found = schema.firstIndex(where: {
                    entries.hasText($0.name, 1) && entries.hasText($0.type, 0)
                        && entries.hasText($0.table, 2) && entries.hasText($0.sql, 3)
                }), missing & 1 << found != 0
            else {
                throw FormatVersion.notAKeychain
            }
            missing &= ~(1 << found)
        } while try entries.step()
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
