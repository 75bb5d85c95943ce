package import Secrets

/// A file of a person's own, behind the symbolic links that its path leads over.
package struct LinkedFile: Sendable {
    /// The path that programs know.
    package let path: String
    /// The path behind symbolic links.
    package let realPath: String
    /// What stands there, nil for nothing.
    package let status: FileStatus?

    /// Follows symbolic links to a file, or to the place where none is yet.
    ///
    /// - Throws: ``Status/writePermissions`` if it is something else than a file, ``Status/io``.
    package init(_ path: String) throws(KeychainError) {
        self.path = path
        (realPath, status) = try LinkedFile.resolve(path)
    }

    private static func resolve(
        _ path: String
    ) throws(KeychainError) -> (String, FileStatus?) {
        var current = path
        // As many as Linux follows.
        for _ in 0..<40 {
            do throws(SystemCallError) {
                let status = try SystemCalls.status(at: current)
                switch status.kind {
                case .file:
                    return (current, status)
                case .link:
                    guard let target = try SystemCalls.readLink(current) else {
                        throw SystemCallError(call: "readlink", code: SystemCallError.noEntry)
                    }
                    let folder = PrivatePlace.parent(of: current) ?? ""
                    current = target.hasPrefix("/") ? target : "\(folder)/\(target)"
                case .folder, .socket, .other:
                    throw SystemCallError(call: "lstat", code: SystemCallError.notAFolder)
                }
            } catch {
                switch error.code {
                case SystemCallError.noEntry:
                    return (current, nil)
                case SystemCallError.notAFolder:
                    throw KeychainError(.writePermissions, "'\(path)' can't be a file")
                default:
                    throw error.keychainError("can't look at '\(path)'")
                }
            }
        }
        throw KeychainError(.io, "'\(path)' leads from one symbolic link to the next without end")
    }

    /// Throws unless the file, if there is one, can be replaced by this user with its owner kept.
    ///
    /// The permission bits count for root as well: who has made a file read-only means it.
    ///
    /// - Throws: ``Status/writePermissions`` or ``Status/readOnly`` with what is in the way.
    package func checkReplaceable() throws(KeychainError) {
        guard let status else {
            return
        }
        guard status.owner == SystemCalls.effectiveUser else {
            throw KeychainError(
                .writePermissions, "the file '\(realPath)' belongs to another user",
                hint: "run this as its owner")
        }
        guard status.permissions & 0o200 != 0 else {
            throw KeychainError(
                .writePermissions, "the file '\(realPath)' is read-only",
                hint: "chmod u+w \(PrivatePlace.quoted(realPath))")
        }
        do throws(SystemCallError) {
            try SystemCalls.checkFileAccess(realPath)
        } catch {
            throw error.keychainError("can't write '\(realPath)'")
        }
    }

    /// Throws unless names can be made and taken away in a folder by this user, to whom its permission
    /// bits count for root as well.
    ///
    /// - Throws: As ``checkReplaceable()``.
    package static func checkChangeable(folder: String) throws(KeychainError) {
        let status: FileStatus
        do throws(SystemCallError) {
            status = try SystemCalls.status(at: folder)
        } catch {
            throw error.keychainError("can't look at '\(folder)'")
        }
        guard
            status.kind != .folder || status.owner != SystemCalls.effectiveUser
                || status.permissions & 0o200 != 0
        else {
            throw KeychainError(
                .writePermissions, "the folder '\(folder)' is read-only",
                hint: "chmod u+w \(PrivatePlace.quoted(folder))")
        }
        do throws(SystemCallError) {
            try SystemCalls.checkFolderAccess(folder)
        } catch {
            throw error.keychainError("can't write in the folder '\(folder)'")
        }
    }
}
