package import Glibc
package import LanyardSecrets

/// The rules for folders and files with keys and items: ours alone, and no links.
package enum PrivatePlace {
    /// Throws unless a folder exists that only its owner can access, and we are the owner.
    ///
    /// - Throws: ``Status/noSuchKeychain`` if it is missing, ``Status/writePermissions`` with the
    ///   command that fixes it.
    package static func checkFolder(_ path: String) throws(KeychainError) {
        _ = try PinnedFolder(path)
    }

    /// Throws unless a regular file exists that only its owner can access, and we are the owner.
    ///
    /// - Throws: ``Status/noSuchKeychain`` if it is missing, ``Status/writePermissions`` with the
    ///   command that fixes it.
    package static func checkFile(_ path: String) throws(KeychainError) {
        guard let status = try status(path) else {
            throw KeychainError(.noSuchKeychain, "file '\(path)' not found")
        }
        try check(status, path, kind: S_IFREG)
    }

    /// Opens a file for reading, through links unless another user owns them. It does not wait for
    /// a FIFO's writer.
    ///
    /// - Returns: A descriptor, nil if the file is missing.
    /// - Throws: ``Status/writePermissions`` for another user's link.
    package static func openThroughOwnLinks(_ path: String) throws(KeychainError) -> Int32? {
        let flags = O_RDONLY | O_NONBLOCK | O_NOCTTY
        do throws(SystemCallError) {
            if let descriptor = try SystemCalls.openWithoutLinks(path, flags) {
                return descriptor
            }
        } catch {
            return nil
        }
        let file: Descriptor
        do throws(KeychainError) {
            file = try FolderWalk(to: path, followsLast: true).finish()
        } catch {
            if error.status == .noSuchKeychain {
                return nil
            }
            throw error
        }
        do throws(SystemCallError) {
            return try SystemCalls.open("/proc/self/fd/\(file.number)", flags)
        } catch {
            throw openFailure(error, path)
        }
    }

    /// Throws if anyone but the user and root could have written a descriptor's file.
    ///
    /// - Throws: ``Status/writePermissions`` with the command that fixes it.
    package static func checkNotWritableByOthers(
        _ descriptor: Int32, _ path: String
    ) throws(KeychainError) {
        let status = try status(of: descriptor, path)
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw KeychainError(.writePermissions, "'\(path)' is not a file")
        }
        guard [0, SystemCalls.effectiveUser].contains(status.st_uid) else {
            throw KeychainError(.writePermissions, "the file '\(path)' belongs to another user")
        }
        guard status.st_mode & 0o022 == 0 else {
            throw KeychainError(
                .writePermissions, "other users can write to the file '\(path)'",
                hint: "chmod go-w \(path.shellQuoted)")
        }
    }

    /// Returns whether two paths lead to the same file, following links.
    package static func areSame(_ one: String, _ other: String) -> Bool {
        var first = stat()
        var second = stat()
        // Safe: the paths end with NUL; each call fills in its own variable.
        return unsafe stat(one, &first) == 0 && stat(other, &second) == 0
            && first.st_dev == second.st_dev && first.st_ino == second.st_ino
    }

    /// Returns whether two paths name the same entry of a folder, following links to the folder only. Several hard
    /// links to a file are different entries.
    package static func areSamePlace(_ one: String, _ other: String) -> Bool {
        guard let folder = parent(of: one), let otherFolder = parent(of: other) else {
            return one == other
        }
        return name(of: one) == name(of: other)
            && (folder == otherFolder || areSame(folder, otherFolder))
    }

    /// Returns whether a path is a symbolic link.
    package static func isLink(_ path: String) throws(KeychainError) -> Bool {
        (try status(path)?.st_mode ?? 0) & S_IFMT == S_IFLNK
    }

    /// Returns the names in a folder, none if it is missing.
    package static func files(in folder: String) throws(KeychainError) -> [String] {
        guard try exists(folder) else {
            return []
        }
        return try PinnedFolder(folder).names()
    }

    /// Returns whether a path exists.
    package static func exists(_ path: String) throws(KeychainError) -> Bool {
        try status(path) != nil
    }

    /// Returns the folder of a path, nil for the root and for a bare name.
    package static func parent(of path: String) -> String? {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash != path.startIndex
        else {
            return nil
        }
        return String(path[..<slash])
    }

    /// Returns a path if it exists, else the nearest folder above it that this user can see.
    package static func nearestExisting(_ path: String) -> String {
        var path = path
        while (try? SystemCalls.lstat(path)) == nil {
            guard let parent = parent(of: path) else {
                return "/"
            }
            path = parent
        }
        return path
    }

    package static func check(
        _ status: stat, _ path: String, kind: mode_t
    ) throws(KeychainError) {
        let noun = kind == S_IFDIR ? "folder" : "file"
        switch status.st_mode & S_IFMT {
        case kind:
            break
        case S_IFLNK:
            throw linkRefused(path)
        default:
            throw KeychainError(.writePermissions, "'\(path)' is not a \(noun)")
        }
        guard status.st_uid == SystemCalls.effectiveUser else {
            throw ofAnotherUser(noun, path)
        }
        guard status.st_mode & 0o077 == 0 else {
            throw KeychainError(
                .writePermissions, "the \(noun) '\(path)' is open to other users",
                // A folder like /tmp is for all users, and the system needs its own folders.
                hint: kind == S_IFDIR && status.st_mode & S_ISVTX != 0 || isOfSystem(path)
                    ? "use a \(noun) of its own"
                    : "chmod \(kind == S_IFDIR ? "700" : "600") \(path.shellQuoted)")
        }
    }

    /// Returns the error for a file that can't be opened, with advice about one that another user owns.
    static func openFailure(_ error: SystemCallError, _ path: String) -> KeychainError {
        guard error.code == EACCES, let status = try? SystemCalls.lstat(path),
            status.st_uid != SystemCalls.effectiveUser
        else {
            return refusal(error, "can't open '\(path)'", path)
        }
        return ofAnotherUser("file", path)
    }

    /// Returns a call's error, with advice about the user's own file or folder without permissions.
    static func refusal(
        _ error: SystemCallError, _ action: String, _ path: String
    ) -> KeychainError {
        let plain = error.keychainError(action)
        return error.code == EACCES
            ? KeychainError(plain.status, plain.reason, hint: permissionHint(path)) : plain
    }

    private static func ofAnotherUser(_ noun: String, _ path: String) -> KeychainError {
        KeychainError(
            .writePermissions, "the \(noun) '\(path)' belongs to another user",
            hint: ownershipHint(path))
    }

    /// The error for what root would make there under sudo.
    static func inFolderOfSudoUser(_ failed: String) -> KeychainError {
        KeychainError(
            .writePermissions, "\(failed) as root: it would be in another user's folder",
            hint: "leave out sudo, or use root's own home folder, as sudo -H does")
    }

    package static func linkRefused(_ path: String) -> KeychainError {
        KeychainError(
            .writePermissions, "'\(path)' is a symbolic link", hint: linkHint(path))
    }

    /// Whether a path is in a folder of Lanyard's own.
    static func isLanyards(_ path: String) -> Bool {
        SystemCalls.isInLanyardHome(path) || path.split(separator: "/").contains("lanyard")
    }

    /// Returns the command that moves a link's target here; nil for a link of the user's own, to nothing, or to
    /// what another user owns.
    private static func linkHint(_ path: String) -> String? {
        guard isLanyards(path), let target = SystemCalls.realPath(path),
            (try? SystemCalls.lstat(target).st_uid) == SystemCalls.effectiveUser
        else {
            return nil
        }
        let link = path.shellQuoted
        return "move its target here: rm \(link) && mv \(target.shellQuoted) \(link)"
    }

    /// Returns the status of a descriptor's file. The corresponding C function is `fstat`.
    ///
    /// - Parameter path: Its path, for messages.
    package static func status(
        of descriptor: Int32, _ path: String
    ) throws(KeychainError) -> stat {
        do throws(SystemCallError) {
            return try SystemCalls.fstat(descriptor)
        } catch {
            throw error.keychainError("can't access '\(path)'")
        }
    }

    private static func status(_ path: String) throws(KeychainError) -> stat? {
        do throws(SystemCallError) {
            return try SystemCalls.lstat(path)
        } catch {
            if error.code == ENOENT || error.code == ENOTDIR {
                return nil
            }
            throw refusal(error, "can't access '\(path)'", path)
        }
    }
}
