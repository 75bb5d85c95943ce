package import Keychain
internal import LinuxSystem

/// Bytes encrypted and authenticated under a key that is used this once: AES-256-GCM, NIST SP
/// 800-38D.
///
/// In a box stand a random salt (32 bytes), the ciphertext (as long as the plaintext) and the tag
/// (16 bytes). Its key is ``KeyDerivation/derive(_:salt:use:)`` of the salt; since no other box
/// ever has this key, the nonce is 12 zeros.
package enum SealedBox {
    /// How many bytes longer than the plaintext a box is.
    package static let overhead = 48
    private static let nonce = [UInt8](repeating: 0, count: 12)

    /// How many bytes of salt a box has.
    package static let saltSize = 32

    /// Puts bytes in a box.
    ///
    /// - Parameter salt: Random bytes that no other box has, nil for new ones.
    package static func seal(
        _ plaintext: Span<UInt8>, under key: borrowing Secret, use: StaticString,
        associatedData: [UInt8], salt: [UInt8]? = nil
    ) throws(KeychainError) -> [UInt8] {
        let salt = if let salt { salt } else { try RandomBytes.make(saltSize) }
        precondition(salt.count == saltSize, "a salt has 32 bytes")
        return KeyDerivation.withKey(key, salt: salt.span, use: use) { key in
            AES256GCM.withCipher(key: key, nonce: nonce) { cipher in
                // Safe: the box has 32 bytes of salt, room for as many as the plaintext has, and the tag's
                // 16, all of which are written before it is returned.
                unsafe [UInt8](unsafeUninitializedCapacity: plaintext.count + overhead) {
                    buffer, count in
                    count = plaintext.count + overhead
                    _ = unsafe buffer.update(fromContentsOf: salt)
                    cipher.authenticate(associatedData.span)
                    unsafe cipher.encrypt(plaintext, into: buffer.baseAddress! + saltSize)
                    unsafe cipher.finish(
                        tag: buffer.baseAddress! + (saltSize + plaintext.count))
                }
            }
        }
    }

    /// Takes the bytes out of a box.
    ///
    /// - Throws: ``Status/decode`` if the box was made with another key, use or associated data,
    ///   or was changed.
    package static func open(
        _ box: Span<UInt8>, under key: borrowing Secret, use: StaticString,
        associatedData: [UInt8]
    ) throws(KeychainError) -> Secret {
        guard box.count >= overhead else {
            throw KeychainError(.decode)
        }
        let count = box.count - overhead
        let ciphertext = box.extracting(32..<(32 + count))
        let tag = box.extracting(last: 16)
        // Safe: the memory has as many bytes as the ciphertext, and nobody has another type for it.
        return try unsafe Secret(capacity: count) { memory throws(KeychainError) in
            let output = unsafe memory.baseAddress!.assumingMemoryBound(to: UInt8.self)
            let isRight = KeyDerivation.withKey(key, salt: box.extracting(first: 32), use: use) {
                AES256GCM.withCipher(key: $0, nonce: nonce) { cipher in
                    cipher.authenticate(associatedData.span)
                    unsafe cipher.decrypt(ciphertext, into: output)
                    return cipher.isTag(tag)
                }
            }
            guard isRight else {
                throw KeychainError(.decode)
            }
            return count
        }
    }
}
