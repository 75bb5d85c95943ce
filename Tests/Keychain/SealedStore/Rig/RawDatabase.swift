import CSQLite
import Foundation

/// A plain connection to the keychain's file, as anyone has it who can write the file.
///
/// SQLite lets threads take turns with it.
final class RawDatabase: @unchecked Sendable {
    enum Value: Equatable {
        case null
        case number(Int64)
        case text(String)
        case blob([UInt8])
    }

    struct Failure: Error {
        let code: Int32
        let message: String
    }

    let connection: OpaquePointer

    init(_ path: String) throws {
        var opened: OpaquePointer?
        let result = sqlite3_open_v2(path, &opened, SQLITE_OPEN_READWRITE, nil)
        guard result == SQLITE_OK, let opened else {
            sqlite3_close(opened)
            throw Failure(code: result, message: "can't open \(path)")
        }
        connection = opened
    }

    deinit {
        sqlite3_close(connection)
    }

    /// Runs statements, separated by semicolons.
    func run(_ sql: String) throws {
        guard sqlite3_exec(connection, sql, nil, nil, nil) == SQLITE_OK else {
            throw failure
        }
    }

    /// Runs one statement with its parameters.
    func execute(_ sql: String, _ parameters: Value...) throws {
        _ = try rows(sql, parameters)
    }

    /// The item with a change number.
    func row(_ change: Int) throws -> [Value] {
        try rows("SELECT * FROM item WHERE change = \(change)")[0]
    }

    /// Inserts an item.
    func insert(_ row: [Value]) throws {
        _ = try rows("INSERT INTO item VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13)", row)
    }

    /// The rows that a statement gives.
    func rows(_ sql: String, _ parameters: [Value] = []) throws -> [[Value]] {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(connection, sql, -1, &statement, nil) == SQLITE_OK else {
            throw failure
        }
        defer { sqlite3_finalize(statement) }
        for (index, value) in parameters.enumerated() {
            bind(value, to: statement, at: Int32(index + 1))
        }
        var rows: [[Value]] = []
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW:
                rows.append((0..<sqlite3_column_count(statement)).map { value(statement, $0) })
            case SQLITE_DONE:
                return rows
            default:
                throw failure
            }
        }
    }

    /// The one number that a statement gives.
    func number(_ sql: String) throws -> Int64? {
        guard case .number(let number) = try rows(sql).first?.first else {
            return nil
        }
        return number
    }

    /// The one blob that a statement gives.
    func blob(_ sql: String) throws -> [UInt8] {
        guard case .blob(let blob) = try rows(sql).first?.first else {
            throw Failure(code: SQLITE_MISMATCH, message: "no blob")
        }
        return blob
    }

    private func bind(_ value: Value, to statement: OpaquePointer?, at index: Int32) {
        switch value {
        case .null: sqlite3_bind_null(statement, index)
        case .number(let number): sqlite3_bind_int64(statement, index, number)
        case .text(let text):
            lanyard_sqlite3_bind_blob(statement, index, text, Int32(text.utf8.count))
        case .blob(let bytes):
            lanyard_sqlite3_bind_blob(statement, index, bytes, Int32(bytes.count))
        }
    }

    private func value(_ statement: OpaquePointer?, _ column: Int32) -> Value {
        switch sqlite3_column_type(statement, column) {
        case SQLITE_INTEGER: .number(sqlite3_column_int64(statement, column))
        case SQLITE_TEXT: .text(String(cString: sqlite3_column_text(statement, column)))
        case SQLITE_BLOB:
            .blob(
                Array(
                    UnsafeRawBufferPointer(
                        start: sqlite3_column_blob(statement, column),
                        count: Int(sqlite3_column_bytes(statement, column)))))
        default: .null
        }
    }

    private var failure: Failure {
        Failure(
            code: sqlite3_extended_errcode(connection),
            message: String(cString: sqlite3_errmsg(connection)))
    }
}
