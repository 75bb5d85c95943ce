package import LanyardSecrets

/// The system's random bytes.
package enum RandomBytes {
    /// Returns random bytes that need not stay secret, such as a salt.
    package static func make(_ count: Int) throws(KeychainError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var result = Result<Void, SystemCallError>.success(())
        // Safe: the buffer has the array's own count.
        unsafe bytes.withUnsafeMutableBytes { buffer in
            result = Result { () throws(SystemCallError) in try unsafe SystemCalls.getrandom(buffer)
            }
        }
        do throws(SystemCallError) {
            try result.get()
        } catch {
            throw error.keychainError("can't get random numbers")
        }
        return bytes
    }

    /// Returns a new key of 32 bytes.
    package static func makeKey() throws(KeychainError) -> Secret {
        do throws(SystemCallError) {
            // Safe: all of the memory is filled, because `getrandom` fills the whole buffer.
            return try unsafe Secret(capacity: 32) { memory throws(SystemCallError) in
                try unsafe SystemCalls.getrandom(memory)
                return 32
            }
        } catch {
            throw error.keychainError("can't get random numbers")
        }
    }
}
