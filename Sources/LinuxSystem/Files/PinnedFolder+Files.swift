internal import Glibc
package import Secrets

extension PinnedFolder {
    /// Reads a whole file, through the one descriptor that was checked like ``checkFile(_:)``.
    ///
    /// - Parameter limit: The most bytes that the file may have; a longer one returns one byte
    ///   more.
    package func read(_ name: String, limit: Int) throws(KeychainError) -> Secret {
        let path = path(of: name)
        let descriptor: Int32
        do throws(SystemCallError) {
            // O_NONBLOCK: a FIFO instead of the file must not block us.
            descriptor = try SystemCalls.open(
                name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK, in: number)
        } catch {
            switch error.code {
            case ENOENT: throw KeychainError(.noSuchKeychain, "file '\(path)' not found")
            case ELOOP: throw PrivatePlace.linkRefused(path)
            default: throw error.keychainError("can't open '\(path)'")
            }
        }
        defer { SystemCalls.close(descriptor) }
        let status: stat
        do throws(SystemCallError) {
            status = try SystemCalls.fstat(descriptor)
        } catch {
            throw error.keychainError("can't access '\(path)'")
        }
        try PrivatePlace.check(status, path, kind: S_IFREG)
        do throws(SystemCallError) {
            // One byte more, to see a file that is longer.
            let capacity = min(Int(status.st_size), limit) + 1
            // Safe: `readAll` writes within the memory that it gets.
            return try unsafe Secret(capacity: capacity) { memory throws(SystemCallError) in
                try unsafe PrivatePlace.readAll(descriptor, memory)
            }
        } catch {
            throw error.keychainError("can't read '\(path)'")
        }
    }
}
