internal import CSodium
internal import LinuxSystem
package import LanyardSecrets

/// Encrypted and authenticated bytes: XChaCha20-Poly1305, draft-irtf-cfrg-xchacha-03.
///
/// A box has a random nonce (24 bytes), the ciphertext (as long as the plaintext) and the tag (16
/// bytes). The nonce is long enough that random ones never repeat.
package enum SealedBox {
    /// The number of bytes that a box adds to its plaintext.
    package static let overhead = nonceSize + tagSize
    /// The size of a key in bytes.
    package static let keySize = 32
    /// The size of the nonce at a box's start, in bytes; it makes every box unique.
    package static let nonceSize = 24

    private static let tagSize = 16

    /// Encrypts bytes into a box.
    ///
    /// The corresponding C function is `crypto_aead_xchacha20poly1305_ietf_encrypt`.
    ///
    /// - Parameters:
    ///   - key: 32 bytes, derived for this use alone.
    ///   - associatedData: Data outside the box that must be the same for opening it.
    /// - Throws: ``Status/io`` if the system has no random numbers.
    package static func seal(
        _ plaintext: Span<UInt8>, under key: Span<UInt8>, associatedData: [UInt8]
    ) throws(KeychainError) -> [UInt8] {
        let nonce = try RandomBytes.make(nonceSize)
        return seal(plaintext, under: key, nonce: nonce, associatedData: associatedData)
    }

    /// Encrypts bytes into a box with a secret key.
    package static func seal(
        _ plaintext: Span<UInt8>, under key: borrowing Secret, associatedData: [UInt8]
    ) throws(KeychainError) -> [UInt8] {
        try key.withBytes { key throws(KeychainError) in
            try seal(plaintext, under: key, associatedData: associatedData)
        }
    }

    /// - Parameter nonce: 24 bytes, never used twice with the same key.
    static func seal(
        _ plaintext: Span<UInt8>, under key: Span<UInt8>, nonce: [UInt8], associatedData: [UInt8]
    ) -> [UInt8] {
        precondition(key.count == keySize && nonce.count == nonceSize, "a key has 32 bytes")
        Sodium.setUp()
        let size = plaintext.count + overhead
        // Safe: libsodium gets the own counts of text and associated data, and reads exactly the
        // key and the nonce. It writes the ciphertext and the tag after the nonce, all within the
        // box.
        let box = unsafe [UInt8](unsafeUninitializedCapacity: size) { box, count in
            unsafe box.baseAddress!.initialize(from: nonce, count: nonceSize)
            let output = unsafe box.baseAddress! + nonceSize
            unsafe plaintext.withAddress { text, count in
                unsafe key.withAddress { key, _ in
                    _ = unsafe crypto_aead_xchacha20poly1305_ietf_encrypt(
                        output, nil, text, UInt64(count), associatedData,
                        UInt64(associatedData.count), nil, nonce, key)
                }
            }
            count = size
        }
        Sodium.wipeStack()
        return box
    }

    /// Decrypts the bytes of a box.
    ///
    /// The corresponding C function is `crypto_aead_xchacha20poly1305_ietf_decrypt`.
    ///
    /// - Throws: ``Status/decode`` if the box was made with another key or associated data, or was
    ///   changed.
    package static func open(
        _ box: Span<UInt8>, under key: Span<UInt8>, associatedData: [UInt8]
    ) throws(KeychainError) -> Secret {
        precondition(key.count == keySize, "a key has 32 bytes")
        guard box.count >= overhead else {
            throw KeychainError(.decode)
        }
        Sodium.setUp()
        let count = box.count - overhead
        // Safe: libsodium gets the own counts of box and associated data, reads exactly the key and
        // the nonce, and fills the memory, which has no other type.
        return try unsafe Secret(capacity: count) { memory throws(KeychainError) in
            let output = unsafe memory.baseAddress!.assumingMemoryBound(to: UInt8.self)
            let result = unsafe box.withAddress { box, size in
                unsafe key.withAddress { key, _ in
                    unsafe crypto_aead_xchacha20poly1305_ietf_decrypt(
                        output, nil, nil, box + nonceSize, UInt64(size - nonceSize),
                        associatedData, UInt64(associatedData.count), box, key)
                }
            }
            Sodium.wipeStack()
            guard result == 0 else {
                throw KeychainError(.decode)
            }
            return count
        }
    }

    /// Decrypts the bytes of a box with a secret key.
    ///
    /// - Throws: As ``open(_:under:associatedData:)-(_,Span<UInt8>,_)``.
    package static func open(
        _ box: Span<UInt8>, under key: borrowing Secret, associatedData: [UInt8]
    ) throws(KeychainError) -> Secret {
        try key.withBytes { key throws(KeychainError) in
            try open(box, under: key, associatedData: associatedData)
        }
    }
}
