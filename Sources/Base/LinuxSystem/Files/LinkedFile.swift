package import LanyardSecrets

/// A file of the user's, with the symbolic links in its path resolved.
package struct LinkedFile: Sendable {
    /// The path that programs use.
    package let path: String
    /// The path with symbolic links resolved.
    package let realPath: String
    /// The file's status, nil if it is missing.
    package let status: FileStatus?

    /// Follows symbolic links to a file, or to the place of a missing one.
    ///
    /// - Throws: ``Status/writePermissions`` if it is not a file, ``Status/io``.
    package init(_ path: String) throws(KeychainError) {
        self.path = path
        (realPath, status) = try LinkedFile.resolve(path)
    }

    private static func resolve(
        _ path: String
    ) throws(KeychainError) -> (String, FileStatus?) {
        var current = path
        // Linux's own limit.
        for _ in 0..<40 {
            let status: FileStatus
            let target: String?
            do throws(SystemCallError) {
                status = try SystemCalls.status(at: current)
                target = status.kind == .link ? try SystemCalls.readLink(current) : nil
            } catch {
                switch error.code {
                case SystemCallError.noEntry: return (current, nil)
                case SystemCallError.notAFolder: throw notAFile(path)
                default: throw error.keychainError("can't access '\(path)'")
                }
            }
            switch status.kind {
            case .file:
                return (current, status)
            case .link:
                guard let target else {
                    return (current, nil)
                }
                let folder = PrivatePlace.parent(of: current) ?? ""
                current = target.hasPrefix("/") ? target : "\(folder)/\(target)"
            case .folder:
                throw KeychainError(.writePermissions, "'\(path)' is a folder, not a file")
            case .socket, .other:
                throw notAFile(path)
            }
        }
        throw KeychainError(.io, "too many symbolic links: '\(path)'")
    }

    private static func notAFile(_ path: String) -> KeychainError {
        KeychainError(.writePermissions, "'\(path)' is not a valid file name")
    }

    /// Returns the error for a missing file that the user named.
    package static func notFound(_ path: String) -> KeychainError {
        KeychainError(.itemNotFound, "file '\(path)' not found")
    }

    /// Throws unless this user can replace the file, if it exists, and keep its owner.
    ///
    /// The permission bits apply to root as well: a user who makes a file read-only means it.
    ///
    /// - Throws: ``Status/writePermissions`` or ``Status/readOnly`` with the obstacle.
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
                hint: "chmod u+w \(realPath.shellQuoted)")
        }
        do throws(SystemCallError) {
            try SystemCalls.checkFileAccess(realPath)
        } catch {
            throw error.keychainError("can't write '\(realPath)'")
        }
    }

    /// Throws if root would create a file in a folder of the user who ran sudo: that user could not use it.
    ///
    /// - Throws: ``Status/writePermissions``.
    package static func checkCreatable(
        _ path: String, in folder: String
    ) throws(KeychainError) {
        if let user = SystemCalls.sudoUser,
            (try? SystemCalls.statusBehindLinks(at: folder))?.owner == user
        {
            throw PrivatePlace.inFolderOfSudoUser("can't make '\(path)'")
        }
    }

    /// Throws unless this user can create and remove files in a folder; its permission bits apply
    /// to root as well.
    ///
    /// - Throws: As ``checkReplaceable()``.
    package static func checkChangeable(folder: String) throws(KeychainError) {
        let status: FileStatus
        do throws(SystemCallError) {
            status = try SystemCalls.status(at: folder)
        } catch {
            throw error.keychainError("can't access '\(folder)'")
        }
        guard
            status.kind != .folder || status.owner != SystemCalls.effectiveUser
                || status.permissions & 0o200 != 0
        else {
            throw KeychainError(
                .writePermissions, "the folder '\(folder)' is read-only",
                hint: "chmod u+w \(folder.shellQuoted)")
        }
        do throws(SystemCallError) {
            try SystemCalls.checkFolderAccess(folder)
        } catch {
            throw error.keychainError("can't write in the folder '\(folder)'")
        }
    }
}
