internal import CSQLite
internal import KeychainServices

/// A connection to an SQLite file that may be hostile.
@safe  // Safe: the connection is its own, open until `deinit`.
final class Database {
    /// The mode in which a file is opened.
    enum Access {
        case reading
        case writing
    }

    let connection: OpaquePointer
    private let busyWait: UnsafeMutablePointer<BusyTimeout>
    let access: Access
    /// The file's name for messages: the path for opening it uses a folder's descriptor instead.
    let name: String
    private var kept: [CachedStatement] = []
    /// Nil for a database in memory.
    private let openedPath: String?

    /// The most bytes that a value or a row may have.
    static let lengthLimit: Int32 = 4 << 20

    /// Opens an existing file.
    ///
    /// - Parameters:
    ///   - path: Used verbatim; links in it are not resolved first.
    ///   - name: The file's name in errors.
    ///   - busyTimeout: The milliseconds to wait for other processes.
    /// - Throws: ``Status/readOnly`` if the file can't be opened for writing as requested.
    init(
        path: String, name: String, access: Access, busyTimeout: Int64
    ) throws(KeychainError) {
        // Safe: texts end with NUL. A connection that is not stored is closed, even if opening
        // failed; a stored one lives as long as this object, and the busy wait longer.
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
            // EXTRA: the folder, too, is on the disk without the journal before commit returns.
            try execute("PRAGMA synchronous=EXTRA")
            try execute("PRAGMA secure_delete=ON")
            // For large changes: pages that don't fit are written more than once.
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
        // Safe: statements retain this object, so only its own remain; the handler is not called
        // again.
        for statement in kept {
            unsafe sqlite3_finalize(statement.statement)
        }
        unsafe sqlite3_close(connection)
        unsafe busyWait.deallocate()
        if let openedPath {
            PrivateFileVFS.end(openedPath)
        }
    }

    /// The milliseconds to wait for other processes.
    var busyTimeout: Int64 {
        // Safe: the value lives as long as the connection.
        get { unsafe busyWait.pointee.timeout }
        set { unsafe busyWait.pointee.timeout = newValue }
    }

    /// Returns the current first 100 bytes of the file; empty if it is shorter.
    func header() throws(KeychainError) -> [UInt8] {
        var header = [UInt8](repeating: 0, count: 100)
        // Safe: the array has the 100 bytes that the call may write.
        let result = unsafe lanyard_sqlite3_read(connection, &header, 100, 0)
        guard result == SQLITE_OK || result == lanyard_SQLITE_IOERR_SHORT_READ else {
            throw error(result)
        }
        return result == SQLITE_OK ? header : []
    }

    /// Sets the most bytes that a value or a row may have.
    func limitLength(to limit: Int32) {
        // Safe: the connection is open as long as this object.
        unsafe sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, limit)
    }

    /// Runs a statement that returns nothing.
    func execute(_ sql: String) throws(KeychainError) {
        // Safe: the connection is alive, the busy wait as long, and the text ends with NUL.
        if !isInTransaction {
            unsafe busyWait.pointee.isSpent = false
        }
        let result = unsafe sqlite3_exec(connection, sql, nil, nil, nil)
        guard result == SQLITE_OK else {
            throw error(result)
        }
    }

    /// Rewrites the file without its free pages.
    ///
    /// - Parameter inMemory: Whether the new content is in memory meanwhile; otherwise it is in a
    ///   file without a name.
    /// - Throws: ``Status/databaseLocked`` at once, without waiting, if another process uses the
    ///   file.
    func vacuum(inMemory: Bool) throws(KeychainError) {
        try withoutWaiting { () throws(KeychainError) in
            try execute("PRAGMA temp_store=\(inMemory ? "MEMORY" : "FILE")")
            try execute("VACUUM")
        }
    }

    /// Runs a closure that waits for no other process.
    private func withoutWaiting<Result>(
        _ body: () throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        let timeout = busyTimeout
        busyTimeout = 0
        defer { busyTimeout = timeout }
        return try body()
    }

    /// Compiles one statement.
    ///
    /// - Parameter keeps: Whether to keep it for the next time, which pays off for a statement that
    ///   runs for each of many items.
    func prepare(_ sql: String, keeps: Bool = false) throws(KeychainError) -> Statement {
        if keeps, let index = kept.firstIndex(where: { $0.text == sql }) {
            // Safe: from here on only the caller has the statement.
            return unsafe Statement(kept.remove(at: index).statement, of: self, keptAs: sql)
        }
        var statement: OpaquePointer?
        // Safe: the connection is alive, the text ends with NUL, and the caller becomes the
        // statement's owner and retains the connection.
        let result = unsafe sqlite3_prepare_v2(connection, sql, -1, &statement, nil)
        guard result == SQLITE_OK, let statement = unsafe statement else {
            throw error(result)
        }
        return unsafe Statement(statement, of: self, keptAs: keeps ? sql : nil)
    }

    /// Keeps a statement for the next time, without its bound values.
    func keep(_ statement: OpaquePointer, _ text: String) {
        // Safe: this object takes the statement over, and finalizes it in `deinit` at the latest.
        guard kept.count < 16 else {
            unsafe sqlite3_finalize(statement)
            return
        }
        unsafe sqlite3_reset(statement)
        unsafe sqlite3_clear_bindings(statement)
        unsafe kept.append(CachedStatement(text: text, statement: statement))
    }

    /// Returns the number that a pragma answers.
    func number(_ pragma: String) throws(KeychainError) -> Int64 {
        let statement = try prepare(pragma, keeps: true)
        guard try statement.step(), let number = statement.number(0) else {
            throw FormatVersion.notAKeychain
        }
        return number
    }

    /// The number of rows that the last statement changed.
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

/// A statement kept for its next use.
@safe  // Safe: the database that keeps it finalizes it, or hands it out.
private struct CachedStatement {
    let text: String
    let statement: OpaquePointer
}
