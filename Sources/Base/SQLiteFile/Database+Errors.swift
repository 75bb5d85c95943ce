internal import CSQLite
internal import Glibc
internal import LinuxSystem
package import LanyardSecrets

extension Database {
    /// How errors name a database's file.
    package struct Errors: Sendable {
        /// What the file is and its name, such as "the keychain 'login'".
        let name: String
        /// The error of a file that is no such database, or is damaged.
        let invalidFile: KeychainError

        /// Names a file.
        package init(_ name: String, invalidFile: KeychainError) {
            self.name = name
            self.invalidFile = invalidFile
        }

        static let inMemory = Errors(
            "a database in memory", invalidFile: KeychainError(.invalidKeychain))
    }
}

extension Database.Errors {
    private var full: KeychainError {
        KeychainError(.diskFull, "can't write \(name): the disk is full")
    }

    /// Returns a failed call's error.
    func error(_ result: Int32, _ connection: OpaquePointer?) -> KeychainError {
        if result & 0xFF == SQLITE_FULL {
            return full
        }
        // Safe: the caller's connection is alive, or nil.
        switch result & 0xFF {
        case SQLITE_BUSY:
            // SQLite reports a file system without locks in the same way.
            return KeychainError(
                .databaseLocked, "another program is using \(name)",
                hint: "try again, look for a lanyard process that hangs, or run lanyard doctor")
        case SQLITE_CONSTRAINT where result == lanyard_SQLITE_CONSTRAINT_UNIQUE:
            return KeychainError(.duplicateItem)
        case SQLITE_ERROR, SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_FORMAT, SQLITE_CONSTRAINT,
            SQLITE_SCHEMA, SQLITE_MISMATCH, SQLITE_RANGE:
            // SQLITE_ERROR included: our SQL is correct, so the file must be invalid.
            return invalidFile
        case SQLITE_READONLY where result == lanyard_SQLITE_READONLY_ROLLBACK,
            SQLITE_READONLY where result == lanyard_SQLITE_READONLY_RECOVERY,
            // The journal has been played back, but its folder is not writable.
            SQLITE_IOERR where result == lanyard_SQLITE_IOERR_DELETE:
            return KeychainError(
                .readOnly,
                "an interrupted change of \(name) can't be undone here",
                hint: "use the keychain once where its folder is writable")
        case SQLITE_READONLY:
            return KeychainError(.readOnly)
        case SQLITE_PERM, SQLITE_AUTH:
            return KeychainError(.writePermissions)
        case SQLITE_NOMEM:
            return KeychainError(.allocate)
        case SQLITE_TOOBIG:
            return KeychainError(.dataTooLarge)
        case SQLITE_CANTOPEN where !ProcFolder.isThere:
            return ProcFolder.missing
        case SQLITE_CANTOPEN where unsafe Self.hasNoRoomForFiles(connection):
            return full
        case SQLITE_CANTOPEN:
            return unsafe Self.systemError(
                connection.map(sqlite3_system_errno), "\(name) can't be opened")
        case SQLITE_IOERR where result == lanyard_SQLITE_IOERR_GETTEMPPATH:
            return KeychainError(
                .io, "no folder for temporary files is writable", hint: "set TMPDIR to one")
        case SQLITE_IOERR:
            return unsafe Self.systemError(
                Self.errorOfFiles(connection),
                "\(name) can't be read or written")
        default:
            return KeychainError(
                .io, "\(name) can't be read or written (\(result))")
        }
    }

    /// Returns whether there is no room for the journal. SQLite then tries to read it again, and
    /// only ENOENT remains.
    private static func hasNoRoomForFiles(_ connection: OpaquePointer?) -> Bool {
        // Safe: the name belongs to the connection, which the caller keeps alive, and is copied.
        guard let path = unsafe connection.flatMap({ unsafe sqlite3_db_filename($0, "main") })
        else {
            return false
        }
        return unsafe SystemCalls.hasNoRoomForFiles(String(cString: path))
    }

    /// Returns the errno of a failed read or write. SQLite has none for the journal; apart from a
    /// full disk, that fails at a limit on file sizes.
    private static func errorOfFiles(_ connection: OpaquePointer?) -> Int32? {
        // Safe: the caller's connection is alive.
        let code = unsafe connection.map(lanyard_sqlite3_last_errno)
        return code == 0 && SystemCalls.isFileSizeLimited ? EFBIG : code
    }

    /// Returns an error with the system's text, which often says most: a full quota, no permission.
    private static func systemError(_ code: Int32?, _ action: String) -> KeychainError {
        guard let code, code != 0 else {
            return KeychainError(.io, action)
        }
        return SystemCallError(call: "sqlite3", code: code).keychainError(action)
    }
}
