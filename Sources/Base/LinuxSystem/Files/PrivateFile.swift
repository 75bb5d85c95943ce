internal import Glibc
package import LanyardSecrets

/// A file that is open for reading, and was checked like ``PinnedFolder/checkFile(_:)``.
package struct PrivateFile: ~Copyable {
    /// The size in bytes when it was opened.
    package let size: Int
    /// The path for messages.
    let path: String
    let descriptor: Descriptor

    /// Opens a file in a folder.
    ///
    /// - Throws: ``Status/noSuchKeychain`` if it is missing, ``Status/writePermissions`` with the
    ///   command that fixes it.
    package init(_ name: String, in folder: borrowing PinnedFolder) throws(KeychainError) {
        let path = folder.path(of: name)
        let number: Int32
        do throws(SystemCallError) {
            // O_NONBLOCK: a FIFO instead of the file must not block us.
            number = try SystemCalls.open(
                name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK, in: folder.number)
        } catch {
            switch error.code {
            case ENOENT: throw KeychainError(.noSuchKeychain, "file '\(path)' not found")
            case ELOOP: throw PrivatePlace.linkRefused(path)
            default: throw PrivatePlace.openFailure(error, path)
            }
        }
        let descriptor = Descriptor(owning: number)
        let status = try PrivatePlace.status(of: number, path)
        try PrivatePlace.check(status, path, kind: S_IFREG)
        size = Int(status.st_size)
        self.path = path
        self.descriptor = descriptor
    }

    /// Reads bytes from an offset: fewer than this number only at the file's end.
    package func read(_ count: Int, at offset: Int) throws(KeychainError) -> [UInt8] {
        do throws(SystemCallError) {
            var bytes = try SystemCalls.read(descriptor.number, count, at: offset)
            while bytes.count < count {
                let more = try SystemCalls.read(
                    descriptor.number, count - bytes.count, at: offset + bytes.count)
                guard !more.isEmpty else {
                    break
                }
                bytes += more
            }
            return bytes
        } catch {
            throw error.keychainError("can't read '\(path)'")
        }
    }
}
