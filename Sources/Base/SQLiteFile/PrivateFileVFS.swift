internal import CSQLite
internal import Glibc
internal import LinuxSystem
internal import LanyardSecrets
internal import Synchronization

/// SQLite's file access, limited to what a keychain needs: its file, its journal, and temporary
/// files without a name. The corresponding type is sqlite3_vfs.
///
/// SQLite trusts a journal too much for a keychain. It deletes the super-journal that a journal
/// names, which can be any file of the user, and waits for a FIFO in a journal's place. This VFS
/// only opens regular files of this user alone, and checks that on the descriptor in use. It
/// refuses super-journals and write-ahead logs, and deletes only a keychain's own journal. It uses
/// paths verbatim: SQLite would resolve links in them, and lose the folder that is held open.
enum PrivateFileVFS {
    /// Returns its name for SQLite.
    ///
    /// - Throws: ``Status/io`` if SQLite does not register it. No file may be opened without it.
    static func name() throws(KeychainError) -> String {
        guard isRegistered else {
            throw KeychainError(.io, "SQLite does not let Lanyard check its files")
        }
        return text
    }

    /// Allows the journal of a database while it is open.
    static func begin(_ database: String) {
        databases.withLock { $0.append(database) }
    }

    /// Ends the permission that ``begin(_:)`` gave.
    static func end(_ database: String) {
        databases.withLock { databases in
            if let index = databases.firstIndex(of: database) {
                databases.remove(at: index)
            }
        }
    }

    private static let text = "lanyard"
    /// The paths of the open databases, once for each time they are open.
    private static let databases = Mutex<[String]>([])

    /// The methods that do the work, found by name: a program that uses SQLite itself may have
    /// another default.
    // Safe: SQLite keeps it as long as the process runs.
    private nonisolated(unsafe) static let usual = unsafe sqlite3_vfs_find("unix")

    private static let isRegistered: Bool = {
        // Safe: the table, a copy of SQLite's own, and the name stay as long as the process runs.
        guard let usual = unsafe usual,
            unsafe lanyard_sqlite3_check_opened_files(usual) == SQLITE_OK
        else {
            return false
        }
        let files = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        unsafe files.initialize(to: usual.pointee)
        unsafe files.pointee.zName = UnsafePointer(strdup(text))
        unsafe files.pointee.pNext = nil
        unsafe files.pointee.xFullPathname = takeLiterally
        unsafe files.pointee.xOpen = open
        unsafe files.pointee.xAccess = lookFor
        unsafe files.pointee.xDelete = delete
        let result = try? SystemCalls.perform("sqlite3_vfs_register") {
            // -1 means failure here.
            unsafe sqlite3_vfs_register(files, 0) == SQLITE_OK ? 0 : -1
        }
        return result == 0
    }()

    private static let takeLiterally:
        @convention(c) (
            UnsafeMutablePointer<sqlite3_vfs>?, UnsafePointer<CChar>?, Int32,
            UnsafeMutablePointer<CChar>?
        ) -> Int32 = { _, path, capacity, result in
            // Safe: a path is copied with its final NUL, and only if it fits.
            guard let path = unsafe path, let result = unsafe result,
                unsafe strlen(path) < capacity
            else {
                return SQLITE_CANTOPEN
            }
            unsafe strcpy(result, path)
            return SQLITE_OK
        }

    private static let open:
        @convention(c) (
            UnsafeMutablePointer<sqlite3_vfs>?, UnsafePointer<CChar>?,
            UnsafeMutablePointer<sqlite3_file>?, Int32, UnsafeMutablePointer<Int32>?
        ) -> Int32 = { files, path, file, flags, flagsInForce in
            // Safe: SQLite's arguments are passed on unchanged.
            guard let usual = unsafe usual else {
                return SQLITE_CANTOPEN
            }
            guard let path = unsafe path else {
                // A temporary file, which SQLite creates and removes at once.
                return unsafe usual.pointee.xOpen(files, path, file, flags, flagsInForce)
            }
            // SQLite closes every file that has methods.
            unsafe file?.pointee.pMethods = nil
            guard flags & (SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_MAIN_JOURNAL) != 0 else {
                errno = EPERM
                return SQLITE_CANTOPEN
            }
            return unsafe lanyard_sqlite3_open_private_file(
                usual, files, path, file, flags, flagsInForce)
        }

    private static let lookFor:
        @convention(c) (
            UnsafeMutablePointer<sqlite3_vfs>?, UnsafePointer<CChar>?, Int32,
            UnsafeMutablePointer<Int32>?
        ) -> Int32 = { files, path, flags, result in
            // Safe: SQLite's arguments are passed on unchanged; the path ends with NUL.
            guard let usual = unsafe usual, let path = unsafe path, let result = unsafe result
            else {
                return lanyard_SQLITE_IOERR_ACCESS
            }
            let isLog = unsafe isBesideDatabase(path, "-wal")
            // SQLite examines a folder for temporary files with other flags.
            guard
                unsafe flags != SQLITE_ACCESS_EXISTS || isLog
                    || isBesideDatabase(path, "-journal")
            else {
                return lanyard_SQLITE_IOERR_ACCESS
            }
            let code = unsafe usual.pointee.xAccess(files, path, flags, result)
            return unsafe code == SQLITE_OK && isLog && result.pointee != 0
                ? lanyard_SQLITE_IOERR_ACCESS : code
        }

    private static let delete:
        @convention(c) (
            UnsafeMutablePointer<sqlite3_vfs>?, UnsafePointer<CChar>?, Int32
        ) -> Int32 = { files, path, syncsFolder in
            // Safe: SQLite's arguments are passed on unchanged; the path ends with NUL.
            guard let usual = unsafe usual, let path = unsafe path,
                unsafe isBesideDatabase(path, "-journal")
            else {
                return lanyard_SQLITE_IOERR_DELETE
            }
            return unsafe usual.pointee.xDelete(files, path, syncsFolder)
        }

    /// Returns whether a path is that of an open database with an ending.
    private static func isBesideDatabase(_ path: UnsafePointer<CChar>, _ ending: String) -> Bool {
        // Safe: all texts end with NUL, and nothing is read after it.
        let length = unsafe strlen(path) - ending.utf8.count
        guard length > 0, unsafe strcmp(path + length, ending) == 0 else {
            return false
        }
        return databases.withLock { databases in
            // Safe: as above.
            databases.contains { database in
                unsafe database.utf8.count == length && strncmp(database, path, length) == 0
            }
        }
    }
}
