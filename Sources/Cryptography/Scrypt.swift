internal import CSodium
package import Secrets

/// A key made from a passphrase, at a price for each guess: scrypt, RFC 7914.
package enum Scrypt {
    /// Whether parameters that come out of a file may be used: r is 8, N is at least 2^15, and N · p at
    /// most 2^18. That is twice the memory and the time of what Lanyard itself writes.
    package static func isWithinBounds(log2N: UInt8, r: UInt32, p: UInt32) -> Bool {
        (15...18).contains(log2N) && r == 8 && (1...(1 << (18 - UInt32(log2N)))).contains(p)
    }

    /// A key of 32 bytes.
    ///
    /// It takes 128 · 2^log2N · r bytes of memory and p times the time of that: parameters that come
    /// out of a file are bounded by the caller. The corresponding C function is
    /// `crypto_pwhash_scryptsalsa208sha256_ll`.
    ///
    /// - Throws: ``Status/allocate`` if there is not so much memory, or no such scrypt.
    package static func derive(
        _ passphrase: borrowing Secret, salt: [UInt8], log2N: UInt8, r: UInt32, p: UInt32
    ) throws(KeychainError) -> Secret {
        // It finds out what the processor can do; a second call does nothing.
        _ = sodium_init()
        // Safe: libsodium is told the passphrase's and the salt's own counts, and the 32 bytes of
        // the memory, which nobody has another type for. A secret's memory is never nil.
        return try unsafe Secret(capacity: 32) { memory throws(KeychainError) in
            let output = unsafe memory.baseAddress!.assumingMemoryBound(to: UInt8.self)
            let result = passphrase.withBytes { bytes in
                unsafe bytes.withUnsafeBufferPointer { passphrase in
                    unsafe crypto_pwhash_scryptsalsa208sha256_ll(
                        passphrase.baseAddress!, passphrase.count, salt, salt.count,
                        1 << UInt64(log2N), r, p, output, 32)
                }
            }
            // libsodium leaves the key there.
            sodium_stackzero(4096)
            guard result == 0 else {
                throw KeychainError(
                    .allocate, "there is not enough memory to make a key from the passphrase")
            }
            return 32
        }
    }
}
