internal import CSodium
package import LanyardSecrets

/// A key to whose public half anyone can encrypt: X25519, RFC 7748, in libsodium's sealed boxes.
///
/// A sealed box does not say who made it: sign it, or what contains it.
package struct EncryptionKey: ~Copyable, Sendable {
    /// The public key, 32 bytes.
    package let publicKey: [UInt8]
    private let secretKey: Secret

    /// The size of a public key in bytes.
    package static let publicKeySize = 32

    /// Creates the key of a seed.
    ///
    /// The corresponding C function is `crypto_box_seed_keypair`.
    ///
    /// - Parameter seed: 32 random bytes, or a derived key.
    package init(seed: borrowing Secret) {
        precondition(seed.count == 32, "a seed has 32 bytes")
        Sodium.setUp()
        var publicKey = [UInt8](repeating: 0, count: EncryptionKey.publicKeySize)
        // Safe: libsodium reads the seed's 32 bytes, and writes the 32 of the public key and the 32
        // of the memory, which has no other type.
        secretKey = unsafe Secret(capacity: 32) { memory in
            let output = unsafe memory.baseAddress!.assumingMemoryBound(to: UInt8.self)
            seed.withBytes { seed in
                unsafe seed.withAddress { seed, _ in
                    _ = unsafe crypto_box_seed_keypair(&publicKey, output, seed)
                }
            }
            return 32
        }
        Sodium.wipeStack()
        self.publicKey = publicKey
    }

    /// Encrypts bytes to a public key.
    ///
    /// The corresponding C function is `crypto_box_seal`.
    ///
    /// - Throws: ``Status/decode`` for a public key that no device has.
    package static func seal(
        _ plaintext: borrowing Secret, to publicKey: [UInt8]
    ) throws(KeychainError) -> [UInt8] {
        guard publicKey.count == publicKeySize else {
            throw KeychainError(.decode)
        }
        Sodium.setUp()
        var box = [UInt8](repeating: 0, count: plaintext.count + crypto_box_sealbytes())
        let result = plaintext.withBytes { text in
            // Safe: libsodium reads the text's own count and the key's 32 bytes, and writes the
            // text's count and the overhead.
            unsafe text.withUnsafeBufferPointer {
                unsafe crypto_box_seal(&box, $0.baseAddress, UInt64($0.count), publicKey)
            }
        }
        Sodium.wipeStack()
        guard result == 0 else {
            throw KeychainError(.decode)
        }
        return box
    }

    /// Decrypts a box made by ``seal(_:to:)``.
    ///
    /// The corresponding C function is `crypto_box_seal_open`.
    ///
    /// - Throws: ``Status/decode`` if the box is for another key, or was changed.
    package borrowing func open(_ box: [UInt8]) throws(KeychainError) -> Secret {
        let overhead = crypto_box_sealbytes()
        guard box.count >= overhead else {
            throw KeychainError(.decode)
        }
        let publicKey = publicKey
        return try secretKey.withBytes { key throws(KeychainError) in
            // Safe: libsodium reads the box's own count and the keys' 32 bytes, and fills the memory,
            // which has no other type.
            try unsafe Secret(capacity: box.count - overhead) { memory throws(KeychainError) in
                let output = unsafe memory.baseAddress!.assumingMemoryBound(to: UInt8.self)
                let result = unsafe key.withAddress { key, _ in
                    unsafe crypto_box_seal_open(output, box, UInt64(box.count), publicKey, key)
                }
                Sodium.wipeStack()
                guard result == 0 else {
                    throw KeychainError(.decode)
                }
                return box.count - overhead
            }
        }
    }
}
