internal import CSQLite
internal import Glibc
package import LanyardSecrets

/// A compiled SQL statement.
@safe  // Safe: the statement is its own, finalized in `deinit` alone, and keeps its database alive.
package struct Statement: ~Copyable {
    private let statement: OpaquePointer
    private let database: Database
    /// Its text, if it is kept for the next time.
    private let text: String?

    init(_ statement: OpaquePointer, of database: Database, keptAs text: String? = nil) {
        // Safe: `Database.prepare` hands it over.
        unsafe self.statement = statement
        self.database = database
        self.text = text
    }

    deinit {
        // Safe: only this value has the statement, and after this only the database uses it.
        if let text {
            unsafe database.keep(statement, text)
        } else {
            unsafe sqlite3_finalize(statement)
        }
    }

    /// Binds a blob, or NULL for nil, to a parameter; the first is 1.
    package borrowing func bind(_ bytes: [UInt8]?, at index: Int32) throws(KeychainError) {
        let result: Int32
        if let bytes {
            // Safe: SQLite copies the bytes and gets their own count.
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
    package borrowing func bind(_ number: Int64, at index: Int32) throws(KeychainError) {
        // Safe: the statement is alive.
        let result = unsafe sqlite3_bind_int64(statement, index, number)
        guard result == SQLITE_OK else {
            throw database.error(result)
        }
    }

    /// Binds the value of another statement's column, of any type, to a parameter.
    package borrowing func bind(
        valueOf other: borrowing Statement, _ column: Int32, at index: Int32
    ) throws(KeychainError) {
        // Safe: SQLite copies the value, which is unchanged until the other statement's next step.
        let result = unsafe sqlite3_bind_value(
            statement, index, sqlite3_column_value(other.statement, column))
        guard result == SQLITE_OK else {
            throw database.error(result)
        }
    }

    /// The number of columns of a row.
    // Safe: the statement lives as long as this value.
    package var columnCount: Int32 { unsafe sqlite3_column_count(statement) }

    /// Moves to the next row.
    ///
    /// - Returns: Whether there is one.
    package borrowing func step() throws(KeychainError) -> Bool {
        // Safe: the statement is alive.
        let result = unsafe sqlite3_step(statement)
        switch result {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default: throw database.error(result)
        }
    }

    /// Runs a statement that must change exactly one row.
    package borrowing func changeOneRow() throws(KeychainError) {
        _ = try step()
        guard database.changes == 1 else {
            throw database.invalidFile
        }
    }

    /// Prepares the statement to run again with other values.
    package borrowing func reset() {
        // Safe: the statement is alive.
        unsafe sqlite3_reset(statement)
    }

    /// Returns the blob in a column, empty if the value is something else. The first column is 0.
    package borrowing func blob(_ column: Int32) -> [UInt8] {
        // Safe: SQLite's pointer is valid for the count that it returns, and is copied before the
        // next call on the statement; NULL comes with 0.
        guard unsafe sqlite3_column_type(statement, column) == SQLITE_BLOB else {
            return []
        }
        let bytes = unsafe sqlite3_column_blob(statement, column)
        return unsafe Array(
            UnsafeRawBufferPointer(
                start: bytes, count: Int(sqlite3_column_bytes(statement, column))))
    }

    /// Returns the first bytes of the blob in a column, or all if there are fewer.
    package borrowing func blob(_ column: Int32, first count: Int) -> [UInt8] {
        // Safe: SQLite's pointer is valid for the count that it returns, and is copied before the
        // next call on the statement; NULL comes with 0.
        guard unsafe sqlite3_column_type(statement, column) == SQLITE_BLOB else {
            return []
        }
        let bytes = unsafe sqlite3_column_blob(statement, column)
        let present = unsafe Int(sqlite3_column_bytes(statement, column))
        return unsafe Array(UnsafeRawBufferPointer(start: bytes, count: min(count, present)))
    }

    /// Returns the blob in a column, nil for NULL.
    package borrowing func optionalBlob(_ column: Int32) -> [UInt8]? {
        // Safe: the statement is alive.
        unsafe sqlite3_column_type(statement, column) == SQLITE_NULL ? nil : blob(column)
    }

    /// Returns the number in a column, nil if the value is something else. The first column is 0.
    package borrowing func number(_ column: Int32) -> Int64? {
        // Safe: the statement is alive.
        guard unsafe sqlite3_column_type(statement, column) == SQLITE_INTEGER else {
            return nil
        }
        return unsafe sqlite3_column_int64(statement, column)
    }

    /// Returns whether the text in a column is exactly this one, or NULL for nil. The first column
    /// is 0.
    package borrowing func hasText(_ text: String?, _ column: Int32) -> Bool {
        // Safe: SQLite's pointer is valid for the count that it returns, and is read before the
        // next call on the statement.
        guard let found = unsafe sqlite3_column_text(statement, column), var text else {
            return unsafe sqlite3_column_type(statement, column) == SQLITE_NULL && text == nil
        }
        let count = unsafe Int(sqlite3_column_bytes(statement, column))
        return text.withUTF8 {
            unsafe $0.elementsEqual(UnsafeBufferPointer(start: found, count: count))
        }
    }

    /// Returns the text in a column, nil for NULL. The first column is 0.
    package borrowing func text(_ column: Int32) -> String? {
        // Safe: SQLite's pointer is valid for the count that it returns, and is copied before the
        // next call on the statement.
        unsafe sqlite3_column_text(statement, column).map { text in
            // With its length, because the text may contain a NUL.
            let count = unsafe Int(sqlite3_column_bytes(statement, column))
            return unsafe String(
                decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
        }
    }
}
