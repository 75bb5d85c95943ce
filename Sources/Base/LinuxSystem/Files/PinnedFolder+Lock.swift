internal import Glibc
package import LanyardSecrets

extension PinnedFolder {
    /// Locks the folder itself for this open descriptor alone. The lock ends with the descriptor. On a file system
    /// without locks it succeeds at once.
    ///
    /// - Returns: The descriptor, nil if another process has the lock at the deadline.
    package func lock(until deadline: Deadline) throws(KeychainError) -> Descriptor? {
        let descriptor: Descriptor
        do throws(SystemCallError) {
            descriptor = Descriptor(owning: try openForReading())
        } catch {
            throw error.keychainError("can't lock '\(path)'")
        }
        guard SystemCalls.lock(descriptor.number, until: deadline) else {
            return nil
        }
        return descriptor
    }

    /// Locks a file in the folder for this open descriptor alone, and creates it if it is missing. The lock ends
    /// with the descriptor.
    ///
    /// - Returns: The descriptor, nil if another process has the lock at the deadline.
    package func lock(_ name: String, until deadline: Deadline) throws(KeychainError) -> Descriptor?
    {
        do throws(SystemCallError) {
            let file = Descriptor(
                owning: try SystemCalls.open(
                    name, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK, mode: 0o600, in: number))
            let isLocked = try deadline.wait { () throws(SystemCallError) in
                try SystemCalls.lock(byte: 0, of: file.number, .exclusive)
            }
            guard isLocked else {
                return nil
            }
            return file
        } catch {
            throw error.keychainError("can't lock '\(path(of: name))'")
        }
    }
}
