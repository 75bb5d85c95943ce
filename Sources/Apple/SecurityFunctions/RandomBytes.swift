internal import KeychainServices
internal import LinuxSystem

/// Fills memory with random bytes of the system.
@unsafe  // Safe: callers pass memory as they got it.
package func fillWithRandomBytes(_ memory: UnsafeMutableRawBufferPointer) -> Int32 {
    status { () throws(KeychainError) in
        do throws(SystemCallError) {
            // Safe: the caller's memory.
            try unsafe SystemCalls.getrandom(memory)
        } catch {
            throw error.keychainError("the system gives no random numbers")
        }
    }
}
