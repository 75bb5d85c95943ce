internal import CSQLite
internal import KeychainServices

/// A connection to an SQLite file that may be hostile.
@safe  // Safe: the connection is its own, open until `deinit`.
final class Database {
    /// How a file is opened.
    enum Access {
        case reading
        case writing
    }

    let connection: OpaquePointer
    private let busyWait: UnsafeMutablePointer<BusyTimeout>
    let access: Access
    /// The file's name for people: where it is opened, its path goes through a folder's number.
    let name: String
    private var kept: [CachedStatement] = []
    /// Nil for a database in memory.
    private let openedPath: String?

    /// How many bytes a value or a row may have.
    static let lengthLimit: Int32 = 4 << 20

    /// Opens an existing file.
    ///
    /// - Parameters:
    ///   - path: Taken as it is: links on the way are not put in its place first.
    ///   - name: The file's name in errors.
    ///   - busyTimeout: How many milliseconds to wait for other processes.
    /// - Throws: ``Status/readOnly`` if the file is to be written and can't be.
    init(
        path: String, name: String, access: Access, busyTimeout: Int64
    ) throws(KeychainError) {
        // Safe: texts have their NUL at the end. A connection that is not kept is closed, also where
        // opening failed; one that is kept lives as long as this object, and the busy wait longer.
        var opened: OpaquePointer?
        let files = try PrivateFileVFS.name()
        PrivateFileVFS.begin(path)
        let flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE | SQLITE_OPEN_EXRESCODE
        let result = unsafe sqlite3_open_v2(
            path, &opened,
            flags | (access == .reading ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE),
            files)
        guard let connection = unsafe opened, result == SQLITE_OK else {
            let error = unsafe Database.error(result, opened, of: name)
            unsafe sqlite3_close(opened)
            PrivateFileVFS.end(path)
            throw error
        }
        guard unsafe lanyard_sqlite3_harden(connection) == SQLITE_OK else {
            unsafe sqlite3_close(connection)
            PrivateFileVFS.end(path)
            throw KeychainError(.io, "SQLite is too old")
        }
        unsafe self.connection = connection
        openedPath = path
        self.name = name
        self.access = access
        unsafe busyWait = .allocate(capacity: 1)
        unsafe busyWait.initialize(to: BusyTimeout(timeout: busyTimeout))
        unsafe sqlite3_busy_handler(connection, BusyTimeout.handler, busyWait)
        limitLength(to: Database.lengthLimit)
        if access == .writing, unsafe sqlite3_db_readonly(connection, "main") == 1 {
            throw KeychainError(.readOnly)
        }
        try execute("PRAGMA cell_size_check=ON")
        try execute("PRAGMA mmap_size=0")
        if access == .writing {
            // EXTRA: also the folder is on the disk once the journal is gone, before commit returns.
            try execute("PRAGMA synchronous=EXTRA")
            try execute("PRAGMA secure_delete=ON")
            // Where there is so much to write; what does not fit is written more than once.
            try execute("PRAGMA cache_size=-16384")
        }
    }

    /// Opens an empty database in memory.
    init(inMemory: Void) throws(KeychainError) {
        // Safe: as above.
        var opened: OpaquePointer?
        let result = unsafe sqlite3_open_v2(
            ":memory:", &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil)
        guard let connection = unsafe opened, result == SQLITE_OK else {
            let error = unsafe Database.error(result, opened, of: "in memory")
            unsafe sqlite3_close(opened)
            throw error
        }
        unsafe self.connection = connection
        name = "in memory"
        openedPath = nil
        access = .writing
        unsafe busyWait = .allocate(capacity: 1)
        unsafe busyWait.initialize(to: BusyTimeout(timeout: 0))
    }

    deinit {
        // Safe: statements keep this object, so that none is left but those that it keeps itself; the
        // handler is not called again.
        for statement in kept {
            unsafe sqlite3_finalize(statement.statement)
        }
        unsafe sqlite3_close(connection)
        unsafe busyWait.deallocate()
        if let openedPath {
            PrivateFileVFS.end(openedPath)
        }
    }

    /// The first 100 bytes of the file as they are now; empty if it is shorter.
    func header() throws(KeychainError) -> [UInt8] {
        var header = [UInt8](repeating: 0, count: 100)
        // Safe: the array has the 100 bytes that it is told of.
        let result = unsafe lanyard_sqlite3_read(connection, &header, 100, 0)
        guard result == SQLITE_OK || result == lanyard_SQLITE_IOERR_SHORT_READ else {
            throw error(result)
        }
        return result == SQLITE_OK ? header : []
    }

    /// Sets how many bytes a value or a row may have.
    func limitLength(to limit: Int32) {
        // Safe: the connection is open as long as this object.
        unsafe sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, limit)
    }

    /// Runs a statement that returns nothing.
    func execute(_ sql: String) throws(KeychainError) {
        // Safe: the connection is alive, the busy wait as long, and the text has its NUL at the end.
        if !isInTransaction {
            unsafe busyWait.pointee.isSpent = false
        }
        let result = unsafe sqlite3_exec(connection, sql, nil, nil, nil)
        guard result == SQLITE_OK else {
            throw error(result)
        }
    }

    /// Writes the file anew without its free pages.
    ///
    /// - Parameter inMemory: Whether what is new stands in memory meanwhile, else in a file that has
    ///   no name any more.
    /// - Throws: ``Status/databaseLocked`` at once, without waiting, if another process uses the file.
    func vacuum(inMemory: Bool) throws(KeychainError) {
        try withoutWaiting { () throws(KeychainError) in
            try execute("PRAGMA temp_store=\(inMemory ? "MEMORY" : "FILE")")
            try execute("VACUUM")
        }
    }

    /// Runs a closure in which no other process is waited for.
    private func withoutWaiting<Result>(
        _ body: () throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        // Safe: it lives as long as the connection.
        let timeout = unsafe busyWait.pointee.timeout
        unsafe busyWait.pointee.timeout = 0
        defer { unsafe busyWait.pointee.timeout = timeout }
        return try body()
    }

    /// Compiles one statement.
    ///
    /// - Parameter keeps: Whether it is kept for the next time, which pays where a statement is run
    ///   for each of many items.
    func prepare(_ sql: String, keeps: Bool = false) throws(KeychainError) -> Statement {
        if keeps, let index = kept.firstIndex(where: { $0.text == sql }) {
            // Safe: from here on the statement is the caller's alone.
            return unsafe Statement(kept.remove(at: index).statement, of: self, keptAs: sql)
        }
        var statement: OpaquePointer?
        // Safe: the connection is alive, the text has its NUL at the end, and the statement becomes
        // the caller's, which keeps the connection.
        let result = unsafe sqlite3_prepare_v2(connection, sql, -1, &statement, nil)
        guard result == SQLITE_OK, let statement = unsafe statement else {
            throw error(result)
        }
        return unsafe Statement(statement, of: self, keptAs: keeps ? sql : nil)
    }

    /// Keeps a statement for the next time, without what was bound to it.
    func keep(_ statement: OpaquePointer, _ text: String) {
        // Safe: the statement is handed over, and finalized at the latest in `deinit`.
        guard kept.count < 16 else {
            unsafe sqlite3_finalize(statement)
            return
        }
        unsafe sqlite3_reset(statement)
        unsafe sqlite3_clear_bindings(statement)
        unsafe kept.append(CachedStatement(text: text, statement: statement))
    }

    /// The number that a pragma answers.
    func number(_ pragma: String) throws(KeychainError) -> Int64 {
        let statement = try prepare(pragma, keeps: true)
        guard try statement.step(), let number = statement.number(0) else {
            throw FormatVersion.notAKeychain
        }
        return number
    }

    /// How many rows the last statement changed.
    var changes: Int {
        // Safe: the connection is alive.
        unsafe Int(sqlite3_changes(connection))
    }

    /// Whether a transaction is open.
    var isInTransaction: Bool {
        // Safe: the connection is alive.
        unsafe sqlite3_get_autocommit(connection) == 0
    }
}

/// A statement that waits for its next time.
@safe  // Safe: the database that keeps it finalizes it, or hands it out.
private struct CachedStatement {
    let text: String
    let statement: OpaquePointer
}
