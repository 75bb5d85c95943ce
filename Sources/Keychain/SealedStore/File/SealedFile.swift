internal import KeychainServices
internal import LinuxSystem
internal import SQLiteFile

/// A keychain's file: SQLite, the schema, the journal, the locks and the folder. Other types
/// interpret its content.
final class SealedFile {
    /// A transaction's view of everything but the items.
    struct Content {
        let keybag: [UInt8]
        let rowSet: [UInt8]
        /// Whether the file has the current format; otherwise it is converted once it is known to
        /// be ours.
        let isCurrent: Bool
    }

    /// The file's path, for messages.
    let path: String
    var busyTimeout: Int64 {
        didSet { database.busyTimeout = busyTimeout }
    }
    private(set) var database: Database
    private let name: String
    /// Held open, which keeps the file the same one.
    let folder: PinnedFolder
    private let formats: [FormatVersion]
    /// The name that commands know it by; nil for a copy.
    private let keychain: String?

    /// Opens an existing file for reading.
    init(
        _ location: KeychainLocation, _ rule: PinnedFolder.Rule, busyTimeout: Int64,
        formats: [FormatVersion]
    ) throws(KeychainError) {
        path = location.file
        name = location.fileName
        keychain = location.isOfCopy ? nil : location.name
        folder = try PinnedFolder(location.dataFolder, rule)
        try folder.checkFile(name)
        self.busyTimeout = busyTimeout
        self.formats = formats
        do throws(KeychainError) {
            database = try SealedFile.open(
                folder.pinnedPath(of: name), path, .reading, busyTimeout: busyTimeout)
        } catch {
            throw error.naming(path, of: keychain)
        }
    }

    private static func open(
        _ pinnedPath: String, _ name: String, _ access: Database.Access, busyTimeout: Int64
    ) throws(KeychainError) -> Database {
        let database = try Database(
            path: pinnedPath, errors: .keychain(name), access: access, busyTimeout: busyTimeout)
        try FormatVersion.checkHeader(database)
        return database
    }

    func reopenForWriting() throws(KeychainError) {
        if database.access == .reading {
            // Opening for writing would read more than the header.
            try FormatVersion.checkHeader(database)
            database = try SealedFile.open(
                folder.pinnedPath(of: name), path, .writing, busyTimeout: busyTimeout)
        }
    }

    /// Begins a transaction, and checks its view before anything trusts it.
    func begin(_ access: Database.Access) throws(KeychainError) -> Content {
        try CompanionFiles.check(of: name, in: folder)
        guard access == .reading else {
            try reopenForWriting()
            return try beginWriting()
        }
        if database.access == .writing {
            try reopenIfMoved()
        }
        do throws(KeychainError) {
            return try begin("BEGIN")
        } catch let interrupted {
            guard !database.hasMoved else {
                try reopenIfMoved()
                return try begin("BEGIN")
            }
            // An interrupted change must be undone first, which needs writing.
            guard interrupted.status == .readOnly, database.access == .reading else {
                throw interrupted
            }
            do throws(KeychainError) {
                try reopenForWriting()
            } catch  where error.status == .readOnly {
                throw interrupted
            }
        }
        return try begin("BEGIN")
    }

    /// Begins a transaction in the file that is there now: while this program waited, or between two
    /// transactions, a copy may have been restored.
    private func beginWriting() throws(KeychainError) -> Content {
        for _ in 0..<3 {
            try reopenIfMoved()
            do throws(KeychainError) {
                let content = try begin("BEGIN IMMEDIATE")
                guard database.hasMoved else {
                    return content
                }
                end()
            } catch {
                guard database.hasMoved else {
                    throw error
                }
            }
        }
        try reopenIfMoved()
        return try begin("BEGIN IMMEDIATE")
    }

    /// Opens the file that is there now if it is another one. SQLite would play a journal of that one back
    /// into the file that is open for writing.
    private func reopenIfMoved() throws(KeychainError) {
        guard database.hasMoved else {
            return
        }
        try folder.checkFile(name)
        database = try SealedFile.open(
            folder.pinnedPath(of: name), path, database.access, busyTimeout: busyTimeout)
    }

    private func begin(_ sql: String) throws(KeychainError) -> Content {
        do throws(KeychainError) {
            try database.execute(sql)
            let format = try FormatVersion.check(database, formats)
            let statement = try database.prepare(
                "SELECT keybag, row_set FROM keychain", keeps: true)
            guard try statement.step() else {
                throw KeychainError(.invalidKeychain)
            }
            return Content(
                keybag: statement.blob(0), rowSet: statement.blob(1),
                isCurrent: format.number == formats.last?.number)
        } catch {
            end()
            // Another program may have replaced the file's content: then report that.
            try FormatVersion.checkHeader(database)
            throw error
        }
    }

    /// Ends a transaction that has nothing to write.
    func end() {
        if database.isInTransaction {
            try? database.execute("ROLLBACK")
        }
    }

    /// Commits the changes of a transaction.
    func commit() throws(KeychainError) {
        try database.execute("COMMIT")
    }

    /// Throws if SQLite has undone the whole transaction, as it may after an I/O error or on a full
    /// disk. Each further change would otherwise be stored alone, without its part of the row set.
    func checkTransaction() throws(KeychainError) {
        guard database.isInTransaction else {
            throw KeychainError(.io, "an error interrupted the change, and it was undone")
        }
    }

    /// Writes the sum over the rows, and the keybag if that has changed.
    func write(rowSet: [UInt8], keybag: [UInt8]? = nil) throws(KeychainError) {
        let statement = try database.prepare(
            "UPDATE keychain SET row_set = ?1\(keybag == nil ? "" : ", keybag = ?2")")
        try statement.bind(rowSet, at: 1)
        if let keybag {
            try statement.bind(keybag, at: 2)
        }
        try statement.changeOneRow()
    }

    /// Converts a keychain of an older format to the current one, step by step, in one transaction:
    /// an error or a crash leaves it unchanged.
    ///
    /// - Throws: ``Status/readOnly`` if nothing can be written, ``Status/invalidKeychain`` if a
    ///   step does not lead to the schema of its version.
    func migrate() throws(KeychainError) {
        do throws(KeychainError) {
            try reopenForWriting()
            try database.execute("BEGIN IMMEDIATE")
            // Another process may have been faster; then no step remains.
            let found = try FormatVersion.check(database, formats)
            for format in formats where format.number > found.number {
                guard let migrateFromPrevious = format.migrateFromPrevious else {
                    throw FormatVersion.notAKeychain
                }
                try migrateFromPrevious(database)
                try database.execute("PRAGMA user_version=\(format.number)")
                try format.checkSchema(database)
            }
            try commit()
        } catch {
            end()
            guard error.status == .readOnly else {
                throw error
            }
            throw KeychainError(
                .readOnly, "the keychain has an older format and can't be converted here",
                hint: "use the keychain once where its folder is writable")
        }
    }

    /// Returns whether compacting pays off: more than an eighth of the file is free, and more than
    /// a few pages. The effort stays in proportion to the changes that freed the pages.
    func isWorthCompacting() throws(KeychainError) -> Bool {
        let free = try database.number("PRAGMA freelist_count")
        let all = try database.number("PRAGMA page_count")
        return free >= 8 && free > all / 8
    }

    /// Rewrites the file without its free pages; an interruption leaves it unchanged. If another
    /// process uses the keychain or the disk is full, the next change tries again.
    func compact() {
        // 8 MiB with pages of 4096 bytes.
        let isSmall = (try? database.number("PRAGMA page_count") < 2048) ?? false
        try? database.vacuum(inMemory: isSmall)
    }

    /// Returns whether every page of the file has one place in one tree, and every index names
    /// every row of its table.
    func isStructureSound() throws(KeychainError) -> Bool {
        do throws(KeychainError) {
            let statement = try database.prepare("PRAGMA integrity_check(1)")
            return try statement.step() && statement.text(0) == "ok"
        } catch {
            // A value that is too large ends the check; the walk over rows finds it.
            guard RowWalk.isDamage(error) else {
                throw error
            }
            return error.status == .dataTooLarge
        }
    }

    /// Runs a closure whose errors then name the file.
    func naming<Result>(
        _ body: () throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        do throws(KeychainError) {
            return try body()
        } catch {
            throw error.naming(path, of: keychain)
        }
    }
}
