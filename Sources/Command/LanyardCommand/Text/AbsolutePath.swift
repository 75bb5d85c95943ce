internal import Glibc
internal import KeychainServices
internal import LinuxSystem

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
    let current = unsafe String(cString: folder)
    return current == "/" ? "/\(path)" : "\(current)/\(path)"
}

/// Returns the absolute path of a file that the user wants to be written.
///
/// - Throws: ``Status/itemNotFound`` if its folder is missing, ``Status/param`` for a path that does not end in a file
///   name, or has a file in front of that.
func absolutePath(toWrite path: String) throws(KeychainError) -> String {
    let path = try absolutePath(path)
    let folder = PrivatePlace.folder(of: path)
    let kind: FileStatus.Kind
    do throws(SystemCallError) {
        kind = try SystemCalls.statusBehindLinks(at: folder).kind
    } catch {
        guard error.code == ENOENT || error.code == ENOTDIR else {
            throw error.keychainError("can't access '\(folder)'")
        }
        // A link to nothing, or a file in the path, would be in the command's way.
        let isLink = try PrivatePlace.isLink(folder)
        throw KeychainError(
            .itemNotFound, "folder '\(folder)' not found",
            hint: isLink || error.code == ENOTDIR
                ? nil : "mkdir -p \(folder.shellQuoted)")
    }
    guard kind == .folder else {
        throw KeychainError(.param, "'\(folder)' is not a folder")
    }
    return path
}
