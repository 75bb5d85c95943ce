internal import Glibc
package import Secrets

extension SystemCalls {
    /// Keeps a secret's memory off the disk, as far as the limits allow. It stays locked until the
    /// process ends, because other secrets may be on the same page. The corresponding C function is
    /// `mlock`.
    package static func lockInMemory(_ secret: borrowing Secret) {
        secret.withBytes { bytes in
            // Safe: only the pages of the secret's own bytes; nothing is written.
            unsafe bytes.withUnsafeBytes { memory in
                _ = try? perform("mlock") { unsafe mlock(memory.baseAddress!, memory.count) }
            }
        }
    }
}

extension Secret {
    /// Returns the same secret, with its memory kept off the disk like
    /// ``SystemCalls/lockInMemory(_:)``.
    package consuming func locked() -> Secret {
        SystemCalls.lockInMemory(self)
        return self
    }
}
