internal import CSQLite
internal import Glibc
internal import KeychainServices

/// A compiled SQL statement.
@safe  // Safe: the statement is its own, finalized in `deinit` alone, and keeps its database alive.
struct Statement: ~Copyable {
    private let statement: OpaquePointer
    private let database: Database
    /// Its text, if it is to be kept for the next time.
    private let text: String?

    init(_ statement: OpaquePointer, of database: Database, keptAs text: String? = nil) {
        // Safe: it is handed over by `Database.prepare`.
        unsafe self.statement = statement
        self.database = database
        self.text = text
    }

    deinit {
        // Safe: nobody else has the statement, and nothing comes after but what the database does.
        if let text {
            unsafe database.keep(statement, text)
        } else {
            unsafe sqlite3_finalize(statement)
        }
    }

    /// Binds a blob, or NULL for nil, to a parameter; the first is 1.
    borrowing func bind(_ bytes: [UInt8]?, at index: Int32) throws(KeychainError) {
        let result: Int32
        if let bytes {
            // Safe: SQLite copies the bytes, of which it is told their own count.
            result = unsafe bytes.withUnsafeBytes { buffer in
                unsafe buffer.isEmpty
                    ? sqlite3_bind_zeroblob(statement, index, 0)
                    : lanyard_sqlite3_bind_blob(
                        statement, index, buffer.baseAddress, Int32(buffer.count))
            }
        } else {
            // Safe: the statement is alive.
            result = unsafe sqlite3_bind_null(statement, index)
        }
        guard result == SQLITE_OK else {
            throw database.error(result)
        }
    }

    /// Binds a number to a parameter; the first is 1.
    borrowing func bind(_ number: Int64, at index: Int32) throws(KeychainError) {
        // Safe: the statement is alive.
        let result = unsafe sqlite3_bind_int64(statement, index, number)
        guard result == SQLITE_OK else {
            throw database.error(result)
        }
    }

    /// Binds the value in a column of another statement, of whatever type, to a parameter.
    borrowing func bind(
        valueOf other: borrowing Statement, _ column: Int32, at index: Int32
    ) throws(KeychainError) {
        // Safe: SQLite copies the value, which stays as it is until the other statement goes on.
        let result = unsafe sqlite3_bind_value(
            statement, index, sqlite3_column_value(other.statement, column))
        guard result == SQLITE_OK else {
            throw database.error(result)
        }
    }

    /// How many columns it gives.
    // Safe: the statement is there as long as this value.
    var columnCount: Int32 { unsafe sqlite3_column_count(statement) }

    /// Goes to the next row.
    ///
    /// - Returns: Whether there is one.
    borrowing func step() throws(KeychainError) -> Bool {
        // Safe: the statement is alive.
        let result = unsafe sqlite3_step(statement)
        switch result {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default: throw database.error(result)
        }
    }

    /// Runs a statement that has to change one row.
    borrowing func changeOneRow() throws(KeychainError) {
        _ = try step()
        guard database.changes == 1 else {
            throw FormatVersion.notAKeychain
        }
    }

    /// Makes the statement ready to run again with other values.
    borrowing func reset() {
        // Safe: the statement is alive.
        unsafe sqlite3_reset(statement)
    }

    /// The blob in a column; the first is 0. Empty if the value is something else.
    borrowing func blob(_ column: Int32) -> [UInt8] {
        // Safe: what SQLite points to has the count that it says, and is copied before the next
        // call on the statement; NULL comes with 0.
        guard unsafe sqlite3_column_type(statement, column) == SQLITE_BLOB else {
            return []
        }
        let bytes = unsafe sqlite3_column_blob(statement, column)
        return unsafe Array(
            UnsafeRawBufferPointer(
                start: bytes, count: Int(sqlite3_column_bytes(statement, column))))
    }

    /// The first bytes of the blob in a column, or all if there are fewer.
    borrowing func blob(_ column: Int32, first count: Int) -> [UInt8] {
        // Safe: what SQLite points to has the count that it says, and is copied before the next
        // call on the statement; NULL comes with 0.
        guard unsafe sqlite3_column_type(statement, column) == SQLITE_BLOB else {
            return []
        }
        let bytes = unsafe sqlite3_column_blob(statement, column)
        let present = unsafe Int(sqlite3_column_bytes(statement, column))
        return unsafe Array(UnsafeRawBufferPointer(start: bytes, count: min(count, present)))
    }

    /// The blob in a column, nil for NULL.
    borrowing func optionalBlob(_ column: Int32) -> [UInt8]? {
        // Safe: the statement is alive.
        unsafe sqlite3_column_type(statement, column) == SQLITE_NULL ? nil : blob(column)
    }

    /// The number in a column, nil if the value is something else; the first is 0.
    borrowing func number(_ column: Int32) -> Int64? {
        // Safe: the statement is alive.
        guard unsafe sqlite3_column_type(statement, column) == SQLITE_INTEGER else {
            return nil
        }
        return unsafe sqlite3_column_int64(statement, column)
    }

    /// Whether the text in a column is this one to the byte, or NULL for nil; the first is 0.
    borrowing func hasText(_ text: String?, _ column: Int32) -> Bool {
        // Safe: what SQLite points to has the count that it says, and is looked at before the next
        // call on the statement.
        guard let found = unsafe sqlite3_column_text(statement, column), var text else {
            return unsafe sqlite3_column_type(statement, column) == SQLITE_NULL && text == nil
        }
        let count = unsafe Int(sqlite3_column_bytes(statement, column))
        return text.withUTF8 {
            unsafe $0.count == count && memcmp($0.baseAddress!, found, count) == 0
        }
    }

    /// The text in a column, nil for NULL; the first is 0.
    borrowing func text(_ column: Int32) -> String? {
        // Safe: what SQLite points to has the count that it says, and is copied before the next
        // call on the statement.
        unsafe sqlite3_column_text(statement, column).map { text in
            // With its length, as a NUL may stand in it.
            let count = unsafe Int(sqlite3_column_bytes(statement, column))
            return unsafe String(
                decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
        }
    }
}
