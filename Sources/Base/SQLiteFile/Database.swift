internal import CSQLite
package import LanyardSecrets

/// A connection to an SQLite file that may be hostile.
@safe  // Safe: the connection is its own, open until `deinit`.
package final class Database {
    /// The mode in which a file is opened.
    package enum Access {
        /// Nothing in it can be changed.
        case reading
        /// It can be changed.
        case writing
    }

    let connection: OpaquePointer
    private let busyWait: UnsafeMutablePointer<BusyTimeout>
    /// The mode.
    package let access: Access
    private let errors: Errors
    private var kept: [CachedStatement] = []
    /// Nil for a database in memory.
    private let openedPath: String?

    /// The most bytes that a value or a row may have.
    package static let lengthLimit: Int32 = 4 << 20

    /// Opens an existing file.
    ///
    /// - Parameters:
    ///   - path: Used verbatim; links in it are not resolved first.
    ///   - errors: How errors name the file: the path for opening it may use a folder's descriptor instead.
    ///   - busyTimeout: The milliseconds to wait for other processes.
    /// - Throws: ``Status/readOnly`` if the file can't be opened for writing as requested.
    package init(
        path: String, errors: Errors, access: Access, busyTimeout: Int64
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
            let error = unsafe errors.error(result, opened)
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
        self.errors = errors
        self.access = access
        unsafe busyWait = .allocate(capacity: 1)
        unsafe busyWait.initialize(to: BusyTimeout(timeout: busyTimeout, of: connection))
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
    package init(inMemory: Void) throws(KeychainError) {
        // Safe: as above.
        var opened: OpaquePointer?
        let result = unsafe sqlite3_open_v2(
            ":memory:", &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil)
        guard let connection = unsafe opened, result == SQLITE_OK else {
            let error = unsafe Errors.inMemory.error(result, opened)
            unsafe sqlite3_close(opened)
            throw error
        }
        unsafe self.connection = connection
        errors = .inMemory
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
    package var busyTimeout: Int64 {
        // Safe: the value lives as long as the connection.
        get { unsafe busyWait.pointee.timeout }
        set { unsafe busyWait.pointee.timeout = newValue }
    }

    /// Lets the open transaction wait for other processes again, although waiting has failed in it.
    package func waitAgain() {
        // Safe: the value lives as long as the connection.
        unsafe busyWait.pointee.isSpent = false
    }

    /// Returns the current first 100 bytes of the file; empty if it is shorter.
    package func header() throws(KeychainError) -> [UInt8] {
        var header = [UInt8](repeating: 0, count: 100)
        // Safe: the array has the 100 bytes that the call may write.
        let result = unsafe lanyard_sqlite3_read(connection, &header, 100, 0)
        guard result == SQLITE_OK || result == lanyard_SQLITE_IOERR_SHORT_READ else {
            throw error(result)
        }
        return result == SQLITE_OK ? header : []
    }

    /// Sets the most bytes that a value or a row may have.
    package func limitLength(to limit: Int32) {
        // Safe: the connection is open as long as this object.
        unsafe sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, limit)
    }

    /// Runs a statement that returns nothing.
    package func execute(_ sql: String) throws(KeychainError) {
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
    package func vacuum(inMemory: Bool) throws(KeychainError) {
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
    package func prepare(_ sql: String, keeps: Bool = false) throws(KeychainError) -> Statement {
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
        guard kept.count < 32 else {
            unsafe sqlite3_finalize(statement)
            return
        }
        unsafe sqlite3_reset(statement)
        unsafe sqlite3_clear_bindings(statement)
        unsafe kept.append(CachedStatement(text: text, statement: statement))
    }

    /// Returns the number that a pragma answers.
    package func number(_ pragma: String) throws(KeychainError) -> Int64 {
        let statement = try prepare(pragma, keeps: true)
        guard try statement.step(), let number = statement.number(0) else {
            throw errors.invalidFile
        }
        return number
    }

    /// Returns the bytes that the database would have as a file.
    package func serialized() throws(KeychainError) -> [UInt8] {
        var count: sqlite3_int64 = 0
        // Safe: SQLite allocates `count` bytes, which are copied before they are freed.
        guard let bytes = unsafe sqlite3_serialize(connection, "main", &count, 0) else {
            throw KeychainError(.allocate)
        }
        defer { unsafe sqlite3_free(bytes) }
        return unsafe Array(UnsafeBufferPointer(start: bytes, count: Int(count)))
    }

    /// Returns a failed call's error.
    func error(_ result: Int32) -> KeychainError {
        // Safe: the connection is alive.
        unsafe errors.error(result, connection)
    }

    /// The error of a file that is no such database, or is damaged.
    var invalidFile: KeychainError { errors.invalidFile }

    /// The number of rows that the last statement changed.
    package var changes: Int {
        // Safe: the connection is alive.
        unsafe Int(sqlite3_changes(connection))
    }

    /// Whether the file at the path is another one by now, or missing. SQLite then refuses to write.
    // Safe: the connection is alive.
    package var hasMoved: Bool { unsafe Database.hasMoved(connection) }

    static func hasMoved(_ connection: OpaquePointer) -> Bool {
        var hasMoved: Int32 = 0
        // Safe: the caller's connection is alive, and SQLite writes one number.
        let result = unsafe sqlite3_file_control(
            connection, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
        return result == SQLITE_OK && hasMoved != 0
    }

    /// Whether a transaction is open.
    package var isInTransaction: Bool {
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
