internal import Glibc
internal import KeychainServices

/// The path of a file that a person names, from the root on.
///
/// - Throws: ``Status/param`` for a path that ends in no name of a file.
func absolutePath(_ path: String) throws(KeychainError) -> String {
    guard let last = path.split(separator: "/", omittingEmptySubsequences: false).last,
        !["", ".", ".."].contains(last)
    else {
        throw KeychainError(.param, "'\(path)' is not the path of a file")
    }
    guard !path.hasPrefix("/") else {
        return path
    }
    // Safe: the copy has its NUL at the end, and is freed when nobody uses it any more.
    guard let folder = unsafe getcwd(nil, 0) else {
        throw KeychainError(.io, "there is no current folder any more")
    }
    defer { unsafe free(folder) }
    return unsafe "\(String(cString: folder))/\(path)"
}
