package import Secrets
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

    private static let saltSize = 32
    private static let tagSize = 16

    /// Puts bytes in a box.
    package static func seal(
        _ plaintext: Span<UInt8>, under key: borrowing Secret, use: StaticString,
        associatedData: [UInt8]
    ) throws(KeychainError) -> [UInt8] {
        let salt = try RandomBytes.make(saltSize)
        return [UInt8](room: plaintext.count + overhead) { box in
            box.append(copying: salt)
            box.append(copying: plaintext)
            KeyDerivation.withKey(key, salt: salt.span, use: use) { key in
                AES256GCM.withCipher(key: key, nonce: nonce) { cipher in
                    cipher.authenticate(associatedData.span)
                    seal(last: plaintext.count, of: &box, cipher)
                }
            }
        }
    }

    /// Encrypts the last bytes of an output, and appends the tag.
    private static func seal(
        last count: Int, of output: inout OutputSpan<UInt8>, _ cipher: borrowing AES256GCM
    ) {
        // Safe: the text is within what was written, and there is room for the tag.
        unsafe output.withUnsafeMutableBufferPointer { buffer, end in
            precondition(
                count <= end && tagSize <= buffer.count - end, "there is room for the tag")
            unsafe cipher.encrypt(
                UnsafeMutableBufferPointer(rebasing: buffer[(end - count)..<end]))
            unsafe cipher.finish(tag: buffer.baseAddress! + end)
            end += tagSize
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
