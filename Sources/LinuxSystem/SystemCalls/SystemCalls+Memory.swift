internal import Glibc
package import Secrets

extension SystemCalls {
    /// Keeps the memory that a secret is in off the disk, where the limits allow. It stays so for
    /// the rest of the process: other secrets may be on the same page. The corresponding C function
    /// is `mlock`.
    package static func lockInMemory(_ secret: borrowing Secret) {
        secret.withBytes { bytes in
            // Safe: the pages of the secret's own bytes; nothing is written.
            unsafe bytes.withUnsafeBytes { memory in
                _ = try? perform("mlock") { unsafe mlock(memory.baseAddress!, memory.count) }
            }
        }
    }
}

extension Secret {
    /// The same secret, its memory kept off the disk as ``SystemCalls/lockInMemory(_:)`` does.
    package consuming func locked() -> Secret {
        SystemCalls.lockInMemory(self)
        return self
    }
}
