internal import Glibc
internal import KeychainServices

/// Returns the absolute path of a file that the user names.
///
/// - Throws: ``Status/param`` for a path that does not end in a file name.
func absolutePath(_ path: String) throws(KeychainError) -> String {
    guard let last = path.split(separator: "/", omittingEmptySubsequences: false).last,
        !["", ".", ".."].contains(last)
    else {
        throw KeychainError(.param, "'\(path)' is not the path of a file")
    }
    guard !path.hasPrefix("/") else {
        return path
    }
    // Safe: the copy is NUL-terminated, and freed after its last use.
    guard let folder = unsafe getcwd(nil, 0) else {
        throw KeychainError(.io, "the current folder no longer exists")
    }
    defer { unsafe free(folder) }
    return unsafe "\(String(cString: folder))/\(path)"
}
