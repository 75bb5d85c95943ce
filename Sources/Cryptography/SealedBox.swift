internal import CLibcrypto
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

    /// Puts bytes in a box.
    package static func seal(
        _ plaintext: Span<UInt8>, under key: borrowing Secret, use: StaticString,
        associatedData: [UInt8]
    ) throws(KeychainError) -> [UInt8] {
        var box = try RandomBytes.make(32)
        let boxKey = KeyDerivation.derive(key, salt: box, use: use)
        let context = try CipherContext(boxKey, direction: 1)
        box.reserveCapacity(plaintext.count + overhead)
        box += [UInt8](repeating: 0, count: plaintext.count + 16)
        // Safe: the box has 32 bytes of salt, room for as many as the plaintext has, and the tag's
        // 16.
        let sealed = unsafe box.withUnsafeMutableBufferPointer { buffer in
            unsafe context.process(associatedData.span, into: nil)
                && context.process(plaintext, into: buffer.baseAddress! + 32)
                && context.finishEncryption(
                    tag: buffer.baseAddress! + (32 + plaintext.count))
        }
        guard sealed else {
            throw KeychainError(.allocate, "libcrypto can't encrypt")
        }
        return box
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
        let salt = ByteString(copying: box.extracting(first: 32)).bytes
        let boxKey = KeyDerivation.derive(key, salt: salt, use: use)
        let context = try CipherContext(boxKey, direction: 0)
        let count = box.count - overhead
        let ciphertext = box.extracting(32..<(32 + count))
        let tag = box.extracting(last: 16)
        // Safe: the memory has as many bytes as the ciphertext, and nobody has another type for it.
        return try unsafe Secret(capacity: count) { memory throws(KeychainError) in
            let output = unsafe memory.baseAddress!.assumingMemoryBound(to: UInt8.self)
            guard unsafe context.process(associatedData.span, into: nil),
                unsafe context.process(ciphertext, into: output),
                context.finishDecryption(tag: tag)
            else {
                throw KeychainError(.decode)
            }
            return count
        }
    }
}

/// One run of the cipher. The corresponding type is EVP_CIPHER_CTX.
@safe  // Safe: the context is its own, and freed in `deinit` alone.
private struct CipherContext: ~Copyable {
    private let context: OpaquePointer

    /// - Parameter direction: 1 to encrypt, 0 to decrypt.
    init(_ key: borrowing Secret, direction: Int32) throws(KeychainError) {
        // Safe: a key has the 32 bytes and the nonce the 12 that the cipher reads. The context is
        // freed here, or in `deinit`.
        guard let context = unsafe EVP_CIPHER_CTX_new() else {
            throw KeychainError(.allocate, "libcrypto can't start AES-256-GCM")
        }
        let nonce = [UInt8](repeating: 0, count: 12)
        let result = key.withBytes { bytes in
            unsafe bytes.withUnsafeBufferPointer {
                unsafe EVP_CipherInit_ex2(
                    context, CipherContext.cipher, $0.baseAddress, nonce, direction, nil)
            }
        }
        guard result == 1 else {
            unsafe EVP_CIPHER_CTX_free(context)
            throw KeychainError(.allocate, "libcrypto can't start AES-256-GCM")
        }
        unsafe self.context = context
    }

    deinit {
        // Safe: nobody else has the context, and nothing comes after.
        unsafe EVP_CIPHER_CTX_free(context)
    }

    /// Fetched once and kept: looking an algorithm up is half of libcrypto's start.
    // Safe: it is never changed nor freed, and libcrypto lets threads share it.
    nonisolated(unsafe) private static let cipher: OpaquePointer? = {
        _ = lanyard_crypto_init()
        return unsafe EVP_CIPHER_fetch(nil, "AES-256-GCM", nil)
    }()

    /// Encrypts or decrypts; without an output the bytes are associated data.
    ///
    /// - Parameter output: Room for as many bytes.
    borrowing func process(_ bytes: Span<UInt8>, into output: UnsafeMutablePointer<UInt8>?) -> Bool
    {
        guard !bytes.isEmpty else {
            return true
        }
        var written: Int32 = 0
        // Safe: the span's own bytes and count; GCM writes no more than it reads, for which the
        // caller has room.
        return unsafe bytes.withUnsafeBufferPointer {
            unsafe EVP_CipherUpdate(context, output, &written, $0.baseAddress, Int32($0.count)) == 1
        }
    }

    /// - Parameter tag: Room for 16 bytes.
    borrowing func finishEncryption(tag: UnsafeMutablePointer<UInt8>) -> Bool {
        var written: Int32 = 0
        // Safe: GCM writes nothing at the end, but wants a place for it; the tag has its 16 bytes.
        var nothing: UInt64 = 0
        return unsafe withUnsafeMutableBytes(of: &nothing) {
            unsafe EVP_CipherFinal_ex(
                context, $0.baseAddress?.assumingMemoryBound(to: UInt8.self), &written) == 1
                && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, 16, tag) == 1
        }
    }

    borrowing func finishDecryption(tag: Span<UInt8>) -> Bool {
        var expected = ByteString(copying: tag).bytes
        // Safe: the caller's tag has 16 bytes; GCM writes nothing at the end.
        guard unsafe EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, 16, &expected) == 1 else {
            return false
        }
        var written: Int32 = 0
        var nothing: UInt64 = 0
        return unsafe withUnsafeMutableBytes(of: &nothing) {
            unsafe EVP_CipherFinal_ex(
                context, $0.baseAddress?.assumingMemoryBound(to: UInt8.self), &written) == 1
        }
    }
}
