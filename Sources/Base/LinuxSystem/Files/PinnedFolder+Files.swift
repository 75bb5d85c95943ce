internal import Glibc
package import LanyardSecrets

extension PinnedFolder {
    /// Reads a whole file, through the one descriptor that was checked like ``checkFile(_:)``.
    ///
    /// - Parameter limit: The most bytes that the file may have; a longer one returns one byte
    ///   more.
    package func read(_ name: String, limit: Int) throws(KeychainError) -> Secret {
        let file = try PrivateFile(name, in: self)
        do throws(SystemCallError) {
            // One byte more, to see a file that is longer.
            let capacity = min(file.size, limit) + 1
            // Safe: `readAll` writes within the memory that it gets.
            return try unsafe Secret(capacity: capacity) { memory throws(SystemCallError) in
                try unsafe PrivatePlace.readAll(file.descriptor.number, memory)
            }
        } catch {
            throw error.keychainError("can't read '\(file.path)'")
        }
    }
}
