internal import Glibc
package import Secrets

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
        while (try? SystemCalls.lock(descriptor.number)) == false {
            guard !deadline.hasPassed else {
                return nil
            }
            SystemCalls.sleep(milliseconds: 5)
        }
        return descriptor
    }

    /// Locks a file in the folder for this open descriptor alone, and creates it if it is missing. The lock ends
    /// with the descriptor.
    ///
    /// - Returns: The descriptor, nil if another process has the lock at the deadline.
    package func lock(_ name: String, until deadline: Deadline) throws(KeychainError) -> Int32? {
        do throws(SystemCallError) {
            let descriptor = try SystemCalls.open(
                name, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK, mode: 0o600, in: number)
            do throws(SystemCallError) {
                while try !SystemCalls.lock(byte: 0, of: descriptor, .exclusive) {
                    guard !deadline.hasPassed else {
                        SystemCalls.close(descriptor)
                        return nil
                    }
                    SystemCalls.sleep(milliseconds: 5)
                }
            } catch {
                SystemCalls.close(descriptor)
                throw error
            }
            return descriptor
        } catch {
            throw error.keychainError("can't lock '\(path(of: name))'")
        }
    }
}
