internal import CSQLite
internal import Glibc

/// SQLite's usual access to files, but that a path is taken as it is. SQLite would else put what links
/// lead to in their place, and so lose the folder that is held open. The corresponding type is
/// sqlite3_vfs.
enum LiteralPaths {
    /// Its name; nil where there is none, and paths are taken as usual.
    static var name: String? { isThere ? text : nil }

    private static let text = "lanyard"

    private static let isThere: Bool = {
        // Safe: a table and a name that stay for as long as the process runs, the table a copy of
        // SQLite's own; a path is copied where it has room, with the NUL at its end.
        guard let usual = unsafe sqlite3_vfs_find(nil) else {
            return false
        }
        let files = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        unsafe files.initialize(to: usual.pointee)
        unsafe files.pointee.zName = UnsafePointer(strdup(text))
        unsafe files.pointee.pNext = nil
        unsafe files.pointee.xFullPathname = { _, path, capacity, result in
            guard let path = unsafe path, let result = unsafe result,
                unsafe strlen(path) < capacity
            else {
                return SQLITE_CANTOPEN
            }
            unsafe strcpy(result, path)
            return SQLITE_OK
        }
        return unsafe sqlite3_vfs_register(files, 0) == SQLITE_OK
    }()
}
