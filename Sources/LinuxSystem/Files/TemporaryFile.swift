internal import Glibc
package import Secrets

/// A file for its owner alone that gets its name when it is complete and on the disk. Otherwise it
/// is removed.
package struct TemporaryFile: ~Copyable {
    private let folder: PinnedFolder
    private let name: String
    /// Its name until then.
    private let temporaryName: String
    private let descriptor: Int32

    private var path: String { folder.path(of: name) }

    /// Its path until then.
    package var temporary: String { folder.path(of: temporaryName) }

    /// Creates an empty file next to its final path.
    ///
    /// - Parameter rule: The requirements for the folder.
    /// - Throws: ``Status/writePermissions``, ``Status/readOnly``, ``Status/diskFull``,
    ///   ``Status/io``.
    package init(
        beside path: String, in rule: PinnedFolder.Rule = .isPrivate
    ) throws(KeychainError) {
        let folder = try PinnedFolder(PrivatePlace.folder(of: path), rule)
        let name = PrivatePlace.name(of: path)
        let temporaryName = "\(name).new-\(Hexadecimal.encode(try RandomBytes.make(8)))"
        let descriptor = try TemporaryFile.open(temporaryName, in: folder, for: path)
        self.folder = folder
        self.name = name
        self.temporaryName = temporaryName
        self.descriptor = descriptor
    }

    private static func open(
        _ name: String, in folder: borrowing PinnedFolder, for path: String
    ) throws(KeychainError) -> Int32 {
        do throws(SystemCallError) {
            return try SystemCalls.open(
                name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600, in: folder.number)
        } catch {
            throw error.keychainError("can't write '\(path)'")
        }
    }

    deinit {
        SystemCalls.close(descriptor)
        try? SystemCalls.unlink(temporaryName, in: folder.number)
    }

    /// Appends bytes.
    package borrowing func append(_ bytes: Span<UInt8>) throws(KeychainError) {
        do throws(SystemCallError) {
            try SystemCalls.writeAll(descriptor, bytes)
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
    private borrowing func renameToFreeName() throws(KeychainError) -> Bool {
        do throws(SystemCallError) {
            try SystemCalls.renameWithoutReplacing(temporaryName, name, in: folder.number)
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
    /// see the empty file.
    ///
    /// - Returns: Whether it could; false if the name is taken.
    private borrowing func renameOverEmptyFile() throws(KeychainError) -> Bool {
        do throws(SystemCallError) {
            SystemCalls.close(
                try SystemCalls.open(
                    name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600,
                    in: folder.number))
            try SystemCalls.rename(temporaryName, name, in: folder.number)
            return true
        } catch {
            guard error.code == EEXIST else {
                throw error.keychainError("can't make '\(path)'")
            }
            return false
        }
    }

    /// Gives the file its final name, replacing any file of that name in one step.
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
            try SystemCalls.rename(temporaryName, name, in: folder.number)
        } catch {
            throw error.keychainError("can't replace '\(path)'")
        }
        if syncsFolder {
            try syncFolder()
        }
    }

    private borrowing func syncFolder() throws(KeychainError) {
        do throws(SystemCallError) {
            try PrivatePlace.syncFolder(in: folder.number)
        } catch {
            throw error.keychainError("can't write the folder '\(folder.path)' to the disk")
        }
    }

    private borrowing func sync() throws(KeychainError) {
        do throws(SystemCallError) {
            try SystemCalls.fsync(descriptor)
        } catch {
            throw error.keychainError("can't write '\(path)'")
        }
    }
}
