internal import CSQLite
internal import Keychain

/// A connection to an SQLite file that may be hostile.
final class Database {
    /// How a file is opened.
    enum Access {
        case reading
        case writing
    }

    let connection: OpaquePointer
    private let busyWait: UnsafeMutablePointer<BusyWait>
    let access: Access

    /// How many bytes a value or a row may have.
    private static let lengthLimit: Int32 = 4 << 20

    /// Opens an existing file.
    ///
    /// - Parameter busyTimeout: How many milliseconds to wait for other processes.
    /// - Throws: ``Status/readOnly`` if the file is to be written and can't be.
    init(path: String, access: Access, busyTimeout: Int64) throws(KeychainError) {
        var opened: OpaquePointer?
        let flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE | SQLITE_OPEN_EXRESCODE
        let result = sqlite3_open_v2(
            path, &opened,
            flags | (access == .reading ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE), nil)
        guard let connection = opened, result == SQLITE_OK else {
            let error = Database.error(result, opened)
            sqlite3_close(opened)
            throw error
        }
        guard lanyard_sqlite3_harden(connection) == SQLITE_OK else {
            sqlite3_close(connection)
            throw KeychainError(.io, "SQLite is too old")
        }
        self.connection = connection
        self.access = access
        busyWait = .allocate(capacity: 1)
        busyWait.initialize(to: BusyWait(timeout: busyTimeout))
        sqlite3_busy_handler(connection, BusyWait.handler, busyWait)
        sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, Database.lengthLimit)
        if access == .writing, sqlite3_db_readonly(connection, "main") == 1 {
            throw KeychainError(.readOnly)
        }
        try execute("PRAGMA cell_size_check=ON")
        try execute("PRAGMA mmap_size=0")
        if access == .writing {
            // EXTRA: also the folder is on the disk once the journal is gone, before commit returns.
            try execute("PRAGMA synchronous=EXTRA")
            try execute("PRAGMA secure_delete=ON")
        }
    }

    /// Opens an empty database in memory.
    init(inMemory: Void) throws(KeychainError) {
        var opened: OpaquePointer?
        let result = sqlite3_open_v2(
            ":memory:", &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil)
        guard let connection = opened, result == SQLITE_OK else {
            let error = Database.error(result, opened)
            sqlite3_close(opened)
            throw error
        }
        self.connection = connection
        access = .writing
        busyWait = .allocate(capacity: 1)
        busyWait.initialize(to: BusyWait(timeout: 0))
    }

    deinit {
        sqlite3_close(connection)
        busyWait.deallocate()
    }

    /// The first 100 bytes of the file as they are now; empty if it is shorter.
    func header() throws(KeychainError) -> [UInt8] {
        var header = [UInt8](repeating: 0, count: 100)
        let result = lanyard_sqlite3_read_header(connection, &header, 100)
        guard result == SQLITE_OK || result == lanyard_SQLITE_IOERR_SHORT_READ else {
            throw error(result)
        }
        return result == SQLITE_OK ? header : []
    }

    /// Runs a statement that returns nothing.
    func execute(_ sql: String) throws(KeychainError) {
        let result = sqlite3_exec(connection, sql, nil, nil, nil)
        guard result == SQLITE_OK else {
            throw error(result)
        }
    }

    /// Compiles one statement.
    func prepare(_ sql: String) throws(KeychainError) -> Statement {
        var statement: OpaquePointer?
        let result = sqlite3_prepare_v2(connection, sql, -1, &statement, nil)
        guard result == SQLITE_OK, let statement else {
            throw error(result)
        }
        return Statement(statement, of: self)
    }

    /// How many rows the last statement changed.
    var changes: Int { Int(sqlite3_changes(connection)) }

    /// Whether a transaction is open.
    var isInTransaction: Bool { sqlite3_get_autocommit(connection) == 0 }
}
