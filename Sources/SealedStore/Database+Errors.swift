internal import CSQLite
internal import Keychain

extension Database {
    /// A failed call in terms of the keychain.
    func error(_ result: Int32) -> KeychainError {
        Database.error(result, connection)
    }

    static func error(_ result: Int32, _ connection: OpaquePointer?) -> KeychainError {
        // EDQUOT and EFBIG reach us as plain I/O errors.
        let isFull =
            result & 0xFF == SQLITE_FULL
            || result & 0xFF == SQLITE_IOERR
                && [SystemCallError.quotaExceeded, SystemCallError.fileTooLarge].contains(
                    connection.map(sqlite3_system_errno) ?? 0)
        if isFull {
            return KeychainError(.diskFull)
        }
        switch result & 0xFF {
        case SQLITE_BUSY:
            return KeychainError(
                .databaseLocked, "another program keeps the keychain busy",
                hint: "try again; if it stays so, look for a lanyard process that hangs")
        case SQLITE_CONSTRAINT where result == lanyard_SQLITE_CONSTRAINT_UNIQUE:
            return KeychainError(.duplicateItem)
        case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_FORMAT, SQLITE_CONSTRAINT, SQLITE_SCHEMA,
            SQLITE_MISMATCH, SQLITE_RANGE:
            return KeychainError(
                .invalidKeychain, hint: "put the keychain file back from a backup")
        case SQLITE_READONLY where result == lanyard_SQLITE_READONLY_ROLLBACK,
            SQLITE_READONLY where result == lanyard_SQLITE_READONLY_RECOVERY:
            return KeychainError(
                .readOnly, "an interrupted change of the keychain can't be undone here",
                hint: "use the keychain once where its folder can be written")
        case SQLITE_READONLY:
            return KeychainError(.readOnly)
        case SQLITE_PERM, SQLITE_AUTH:
            return KeychainError(.writePermissions)
        case SQLITE_NOMEM:
            return KeychainError(.allocate)
        case SQLITE_TOOBIG:
            return KeychainError(.dataTooLarge)
        case SQLITE_CANTOPEN:
            return KeychainError(.io, "the keychain file can't be opened")
        default:
            return KeychainError(.io, "the keychain file can't be read or written (\(result))")
        }
    }
}
