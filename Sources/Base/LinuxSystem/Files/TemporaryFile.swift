internal import CLinux
internal import Glibc
package import LanyardSecrets

/// A file for its owner alone that gets its name when it is complete and on the disk. Otherwise it
/// is removed; if the process is killed, its temporary name stays until a later replacement. A lock tells
/// others that it is being written.
package struct TemporaryFile: ~Copyable {
    private let folder: PinnedFolder
    private let name: String
    /// Its name until then.
    private let temporaryName: String
    private let descriptor: Int32
    /// Whether it has a temporary name.
    private var isNamed: Bool

    /// The byte that is locked meanwhile: SQLite, which opens some of these files, locks others.
    package static let lockedByte: Int64 = 1 << 62

    private var path: String { folder.path(of: name) }

    /// Its path until then.
    package var temporary: String { folder.path(of: temporaryName) }

    /// Creates an empty file next to its final path.
    ///
    /// - Parameters:
    ///   - rule: The requirements for the folder.
    ///   - isNamed: False for no temporary name either, as far as the file system can do that: nothing is left then
    ///     if the process is killed.
    ///   - isLockOfGit: Whether its temporary name is that of git's lock on the file.
    /// - Throws: ``Status/databaseLocked`` if git's lock is there already; ``Status/writePermissions``,
    ///   ``Status/readOnly``, ``Status/diskFull``, ``Status/io``.
    package init(
        beside path: String, in rule: PinnedFolder.Rule = .isPrivate, isNamed: Bool = true,
        isLockOfGit: Bool = false
    ) throws(KeychainError) {
        let folder = try PinnedFolder(PrivatePlace.folder(of: path), rule)
        let name = PrivatePlace.name(of: path)
        let temporaryName =
            isLockOfGit
            ? TemporaryFile.gitLock(of: name)
            : "\(name).new-\(Hexadecimal.encode(try RandomBytes.make(8)))"
        let unnamed = isNamed ? nil : TemporaryFile.openUnnamed(in: folder)
        let descriptor: Int32
        if let unnamed {
            descriptor = unnamed
        } else {
            do throws(SystemCallError) {
                descriptor = try SystemCalls.open(
                    temporaryName, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600,
                    in: folder.number)
            } catch {
                throw isLockOfGit && error.code == EEXIST
                    ? TemporaryFile.lockedByGit(path) : error.keychainError("can't write '\(path)'")
            }
            // A file system without locks is no error: others then leave the file alone.
            _ = try? SystemCalls.lock(byte: TemporaryFile.lockedByte, of: descriptor, .exclusive)
        }
        self.isNamed = unnamed == nil
        self.folder = folder
        self.name = name
        self.temporaryName = temporaryName
        self.descriptor = descriptor
    }

    /// - Returns: Nil if the file system has no such files, or they could not be named later.
    private static func openUnnamed(in folder: borrowing PinnedFolder) -> Int32? {
        guard ProcFolder.isThere else {
            return nil
        }
        let flags = O_WRONLY | O_DIRECTORY | lanyard_O_TMPFILE
        return try? SystemCalls.open(".", flags, mode: 0o600, in: folder.number)
    }

    /// Returns the path of the lock that git has on a file while it changes it.
    package static func gitLock(of path: String) -> String { "\(path).lock" }

    /// The error for a file that git is changing.
    package static func lockedByGit(_ path: String) -> KeychainError {
        let lock = gitLock(of: path)
        return KeychainError(
            .databaseLocked, "git is changing '\(path)': '\(lock)' exists",
            hint: "if no git is running: rm \(lock.shellQuoted)")
    }

    deinit {
        SystemCalls.close(descriptor)
        if isNamed {
            try? SystemCalls.unlink(temporaryName, in: folder.number)
        }
    }

    /// Gives the file its temporary name if it has none.
    private mutating func nameTemporarily() throws(SystemCallError) {
        if !isNamed {
            try SystemCalls.link(descriptor, temporaryName, in: folder.number)
            isNamed = true
        }
    }

    /// Appends bytes.
    package borrowing func append(_ bytes: Span<UInt8>) throws(KeychainError) {
        do throws(SystemCallError) {
            try SystemCalls.writeAll(descriptor, bytes)
        } catch {
            throw error.keychainError("can't write '\(path)'")
        }
    }

    /// Gives the file a group and permissions. If the user is not in that group, the file's own one may do what all
    /// others may.
    ///
    /// - Parameter group: Nil for the group that new files have there.
    package borrowing func setAccess(
        group: UInt32?, permissions: UInt32
    ) throws(KeychainError) {
        do throws(SystemCallError) {
            var permissions = permissions
            if let group, group != (try SystemCalls.status(of: descriptor)).group {
                do throws(SystemCallError) {
                    try SystemCalls.changeGroup(descriptor, group)
                } catch  where error.code == EPERM {
                    permissions = permissions & ~0o070 | (permissions & 0o007) << 3
                }
            }
            try SystemCalls.changeMode(descriptor, permissions)
        } catch {
            throw error.keychainError("can't write '\(path)'")
        }
    }

    /// Gives the file its final name.
    ///
    /// - Returns: Whether it could; false if the name is taken.
    package consuming func make() throws(KeychainError) -> Bool {
        try sync()
        do throws(SystemCallError) {
            try nameTemporarily()
            try SystemCalls.link(temporaryName, name, in: folder.number)
        } catch {
            switch error.code {
            case EEXIST: return false
            // The usual file systems of memory sticks have no hard links.
            case EPERM, EOPNOTSUPP, ENOSYS:
                guard try renameToFreeName() else {
                    return false
                }
            default: throw error.keychainError("can't make '\(path)'")
            }
        }
        try syncFolder()
        return true
    }

    /// Gives the file its final name in one step, which removes the temporary one.
    ///
    /// - Returns: Whether it could; false if the name is taken.
    private mutating func renameToFreeName() throws(KeychainError) -> Bool {
        do throws(SystemCallError) {
            try SystemCalls.renameWithoutReplacing(temporaryName, name, in: folder.number)
            isNamed = false
            return true
        } catch {
            switch error.code {
            case EEXIST: return false
            // Some file systems, for example of FUSE servers, lack that as well.
            case EINVAL, ENOSYS: return try renameOverEmptyFile()
            default: throw error.keychainError("can't make '\(path)'")
            }
        }
    }

    /// Reserves the final name with an empty file, then replaces that. For a moment other programs
    /// see the empty file. If the process is killed then, another one replaces it: a lock tells who is alive.
    ///
    /// - Returns: Whether it could; false if the name is taken.
    private mutating func renameOverEmptyFile() throws(KeychainError) -> Bool {
        do throws(SystemCallError) {
            // Of an empty file nothing tells whether it is whole.
            let isEmpty = try SystemCalls.fstat(descriptor).st_size == 0
            let flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | (isEmpty ? O_EXCL : 0)
            let reserved = Descriptor(
                owning: try SystemCalls.open(name, flags, mode: 0o600, in: folder.number))
            let byte = TemporaryFile.lockedByte
            // A file system without locks is no error, as above.
            let isOurs = Deadline(milliseconds: 2000).wait {
                (try? SystemCalls.lock(byte: byte, of: reserved.number, .exclusive)) != false
            }
            let status = try SystemCalls.fstat(reserved.number)
            let present = try SystemCalls.lstat(name, in: folder.number)
            guard isOurs, status.st_mode & S_IFMT == S_IFREG, status.st_size == 0,
                status.st_ino == present.st_ino
            else {
                return false
            }
            try SystemCalls.rename(temporaryName, name, in: folder.number)
            isNamed = false
            return true
        } catch {
            // A link, a folder or a device has the name.
            guard ![EEXIST, ELOOP, EISDIR, ENXIO].contains(error.code) else {
                return false
            }
            throw error.keychainError("can't make '\(path)'")
        }
    }

    /// Gives the file its final name, replacing any file of that name in one step. With the folder written to the
    /// disk, which takes long anyway, it also removes what killed programs left beside it.
    ///
    /// - Parameters:
    ///   - syncsFile: Whether the bytes are on the disk when this returns.
    ///   - syncsFolder: Whether the name is, too.
    package consuming func replace(
        syncsFile: Bool = true, syncsFolder: Bool = true
    ) throws(KeychainError) {
        if syncsFile {
            try sync()
        }
        do throws(SystemCallError) {
            try nameTemporarily()
            try SystemCalls.rename(temporaryName, name, in: folder.number)
            isNamed = false
        } catch {
            throw error.keychainError("can't replace '\(path)'")
        }
        if syncsFolder {
            folder.removeAbandoned(of: name)
            try syncFolder()
        }
    }

    /// Removes the file whose name this one would have got.
    package consuming func removeOriginal() throws(KeychainError) {
        do throws(SystemCallError) {
            try SystemCalls.unlink(name, in: folder.number)
            try SystemCalls.unlink(temporaryName, in: folder.number)
            isNamed = false
        } catch {
            throw error.keychainError("can't remove '\(path)'")
        }
        folder.removeAbandoned(of: name)
        try syncFolder()
    }

    private borrowing func syncFolder() throws(KeychainError) {
        do throws(SystemCallError) {
            try PrivatePlace.syncFolder(in: folder.number)
        } catch {
            throw error.keychainError("can't write the folder '\(folder.path)' to the disk")
        }
    }

    /// Writes the bytes to the disk.
    package borrowing func sync() throws(KeychainError) {
        do throws(SystemCallError) {
            try SystemCalls.fsync(descriptor)
        } catch {
            throw error.keychainError("can't write '\(path)'")
        }
    }
}

extension PinnedFolder {
    /// Returns the names of the temporary files of a file that are at least an hour old and not being written.
    package func abandoned(of name: String) throws(KeychainError) -> [String] {
        try names().filter { TemporaryFile.isName($0, of: name) && isAbandoned($0) }
    }

    /// Removes the temporary files of a file that killed programs left, as far as it can.
    package func removeAbandoned(of name: String) {
        for name in (try? abandoned(of: name)) ?? [] {
            try? SystemCalls.unlink(name, in: number)
        }
    }

    private func isAbandoned(_ name: String) -> Bool {
        let flags = O_WRONLY | O_NOFOLLOW | O_NONBLOCK
        guard let number = try? SystemCalls.open(name, flags, in: number) else {
            return false
        }
        let file = Descriptor(owning: number)
        guard let status = try? SystemCalls.fstat(file.number),
            status.st_mode & S_IFMT == S_IFREG, status.st_uid == SystemCalls.effectiveUser,
            // A program may have created it and not locked it yet.
            Int64(status.st_mtim.tv_sec) < SystemCalls.now().secondsSinceEpoch - 3600
        else {
            return false
        }
        let byte = TemporaryFile.lockedByte
        return (try? SystemCalls.lock(byte: byte, of: file.number, .exclusive)) == true
    }
}

extension TemporaryFile {
    /// Whether a name is that of a temporary file of another one.
    fileprivate static func isName(_ name: String, of base: String) -> Bool {
        let beginning = "\(base).new-"
        guard name.hasPrefix(beginning) else {
            return false
        }
        let digits = name.utf8.dropFirst(beginning.utf8.count)
        return digits.count == 16 && digits.allSatisfy { "0123456789abcdef".utf8.contains($0) }
    }
}
