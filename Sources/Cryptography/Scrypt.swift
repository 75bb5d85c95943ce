internal import CLibcrypto
package import Keychain

/// A key made from a passphrase, at a price for each guess: scrypt, RFC 7914.
package enum Scrypt {
    /// Whether parameters that come out of a file may be used: r is 8, N from 2^15 to 2^20, p up to 4,
    /// which is 1 GiB of memory at most.
    package static func isWithinBounds(log2N: UInt8, r: UInt32, p: UInt32) -> Bool {
        (15...20).contains(log2N) && r == 8 && (1...4).contains(p)
    }

    /// A key of 32 bytes.
    ///
    /// It takes 128 · 2^log2N · r bytes of memory and p times the time of that: parameters that come
    /// out of a file are bounded by the caller. The corresponding C function is `EVP_PBE_scrypt`.
    ///
    /// - Throws: ``Status/allocate`` if there is not so much memory, or no such scrypt.
    package static func derive(
        _ passphrase: borrowing Secret, salt: [UInt8], log2N: UInt8, r: UInt32, p: UInt32
    ) throws(KeychainError) -> Secret {
        _ = lanyard_crypto_init()
        // Safe: libcrypto is told the passphrase's and the salt's own counts, and the 32 bytes of
        // the memory, which nobody has another type for.
        return try unsafe Secret(capacity: 32) { memory throws(KeychainError) in
            let output = unsafe memory.baseAddress!.assumingMemoryBound(to: UInt8.self)
            let result = passphrase.withBytes { bytes in
                unsafe bytes.withUnsafeBytes { passphrase in
                    // libcrypto's own limit of 32 MiB is below what RFC 7914 recommends.
                    unsafe EVP_PBE_scrypt(
                        passphrase.baseAddress, passphrase.count, salt, salt.count,
                        1 << UInt64(log2N), UInt64(r), UInt64(p), UInt64.max, output, 32)
                }
            }
            guard result == 1 else {
                throw KeychainError(
                    .allocate, "there is not enough memory to make a key from the passphrase")
            }
            return 32
        }
    }
}
