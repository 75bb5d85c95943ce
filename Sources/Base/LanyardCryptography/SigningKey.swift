internal import CSodium
package import LanyardSecrets

/// A key that signs: Ed25519, RFC 8032.
package struct SigningKey: ~Copyable, Sendable {
    /// The public key, 32 bytes.
    package let publicKey: [UInt8]
    private let secretKey: Secret

    /// The size of a public key in bytes.
    package static let publicKeySize = 32
    /// The size of a signature in bytes.
    package static let signatureSize = 64

    /// Creates the key of a seed.
    ///
    /// The corresponding C function is `crypto_sign_seed_keypair`.
    ///
    /// - Parameter seed: 32 random bytes, or a derived key.
    package init(seed: borrowing Secret) {
        precondition(seed.count == 32, "a seed has 32 bytes")
        Sodium.setUp()
        var publicKey = [UInt8](repeating: 0, count: SigningKey.publicKeySize)
        // Safe: libsodium reads the seed's 32 bytes, and writes the 32 of the public key and the 64
        // of the memory, which has no other type.
        secretKey = unsafe Secret(capacity: 64) { memory in
            let output = unsafe memory.baseAddress!.assumingMemoryBound(to: UInt8.self)
            seed.withBytes { seed in
                unsafe seed.withAddress { seed, _ in
                    _ = unsafe crypto_sign_ed25519_seed_keypair(&publicKey, output, seed)
                }
            }
            return 64
        }
        Sodium.wipeStack()
        self.publicKey = publicKey
    }

    /// Returns the signature of a message, 64 bytes.
    ///
    /// The corresponding C function is `crypto_sign_detached`.
    package borrowing func sign(_ message: [UInt8]) -> [UInt8] {
        var signature = [UInt8](repeating: 0, count: SigningKey.signatureSize)
        secretKey.withBytes { key in
            // Safe: libsodium reads the message's own count and the key's 64 bytes, and writes the 64
            // of the signature.
            unsafe key.withAddress { key, _ in
                _ = unsafe crypto_sign_ed25519_detached(
                    &signature, nil, message, UInt64(message.count), key)
            }
        }
        Sodium.wipeStack()
        return signature
    }

    /// Whether a signature is of this message and by the owner of a public key.
    ///
    /// The corresponding C function is `crypto_sign_verify_detached`.
    package static func isValid(
        _ signature: [UInt8], of message: [UInt8], by publicKey: [UInt8]
    ) -> Bool {
        guard signature.count == signatureSize, publicKey.count == publicKeySize else {
            return false
        }
        Sodium.setUp()
        // Safe: the counts of signature and key were checked; the message has its own.
        return unsafe crypto_sign_ed25519_verify_detached(
            signature, message, UInt64(message.count), publicKey) == 0
    }
}
