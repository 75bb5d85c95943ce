internal import Glibc
package import Keychain

/// A file for its owner alone that gets its name when it is whole and on the disk. One that does not
/// get that far is gone.
package struct TemporaryFile: ~Copyable {
    private let path: String
    /// Its name until then.
    package let temporary: String
    private let descriptor: Int32

    /// Makes an empty file beside the one that it is to become.
    ///
    /// - Throws: ``Status/writePermissions``, ``Status/readOnly``, ``Status/diskFull``, ``Status/io``.
    package init(beside path: String) throws(KeychainError) {
        let name = "\(path).new-\(hexadecimal(try RandomBytes.make(8)))"
        let descriptor = try TemporaryFile.open(name, for: path)
        self.path = path
        self.descriptor = descriptor
        temporary = name
    }

    private static func open(_ name: String, for path: String) throws(KeychainError) -> Int32 {
        do throws(SystemCallError) {
            return try SystemCalls.open(
                name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
        } catch {
            throw error.keychainError("can't write '\(path)'")
        }
    }

    deinit {
        SystemCalls.close(descriptor)
        try? SystemCalls.unlink(temporary)
    }

    /// Writes bytes at its end.
    package borrowing func append(_ bytes: Span<UInt8>) throws(KeychainError) {
        do throws(SystemCallError) {
            try SystemCalls.writeAll(descriptor, bytes)
        } catch {
            throw error.keychainError("can't write '\(path)'")
        }
    }

    /// Gives the file its name.
    ///
    /// - Returns: Whether it has it; not if there is something of that name already.
    package consuming func make() throws(KeychainError) -> Bool {
        try sync()
        do throws(SystemCallError) {
            try SystemCalls.link(temporary, path)
        } catch {
            if error.code == EEXIST {
                return false
            }
            throw error.keychainError("can't make '\(path)'")
        }
        try PrivatePlace.syncFolder(PrivatePlace.parent(of: path) ?? "/")
        return true
    }

    /// Gives the file its name, in the place of what has it, in one step.
    package consuming func replace() throws(KeychainError) {
        try sync()
        do throws(SystemCallError) {
            try SystemCalls.rename(temporary, path)
        } catch {
            throw error.keychainError("can't replace '\(path)'")
        }
        try PrivatePlace.syncFolder(PrivatePlace.parent(of: path) ?? "/")
    }

    private borrowing func sync() throws(KeychainError) {
        do throws(SystemCallError) {
            try SystemCalls.fsync(descriptor)
        } catch {
            throw error.keychainError("can't write '\(path)'")
        }
    }
}
