internal import CLibcrypto
internal import LanyardSecrets

/// AES-GCM as Keychain Services uses it: a vector of 16 bytes, a tag of 16 bytes after the text.
///
/// NIST SP 800-38D.
enum AESGCM {
    static let tagByteCount = 16
    static let vectorByteCount = 16

    /// Returns the text encrypted, with its tag.
    static func encrypt(
        _ text: Span<UInt8>, key: borrowing Secret, vector: Span<UInt8>, authenticating: [UInt8]
    ) throws(KeychainError) -> Secret {
        let context = try Context(.encrypt, key: key, vector: vector, authenticating)
        return try context.finish(text, .encrypt)
    }

    /// Returns the text decrypted.
    ///
    /// - Throws: ``Status/decode`` for another key, text, tag or other authenticated bytes.
    static func decrypt(
        _ bytes: Span<UInt8>, key: borrowing Secret, vector: Span<UInt8>, authenticating: [UInt8]
    ) throws(KeychainError) -> Secret {
        guard bytes.count >= tagByteCount else {
            throw .cantDecrypt
        }
        let count = bytes.count - tagByteCount
        let context = try Context(.decrypt, key: key, vector: vector, authenticating)
        try context.setTag(ByteString(copying: bytes.extracting(droppingFirst: count)).bytes)
        return try context.finish(bytes.extracting(first: count), .decrypt)
    }
}

extension KeychainError {
    /// Always the same, whatever was wrong: more would help to guess.
    static var cantDecrypt: KeychainError {
        KeychainError(.decode, "the data can't be decrypted with this key")
    }
}

extension AESGCM {
    /// The corresponding C type is `EVP_CIPHER_CTX`.
    @safe  // Safe: the context is its own, and freed in `deinit` alone.
    private struct Context: ~Copyable {
        let pointer: OpaquePointer?

        init(
            _ direction: SymmetricCipher.Direction, key: borrowing Secret, vector: Span<UInt8>,
            _ authenticated: [UInt8]
        ) throws(KeychainError) {
            precondition(vector.count == vectorByteCount && [16, 32].contains(key.count))
            Libcrypto.start()
            let pointer = unsafe EVP_CIPHER_CTX_new()  // Safe: freed in `deinit`, or here.
            // Safe: constants.
            let cipher = unsafe key.count == 32 ? EVP_aes_256_gcm() : EVP_aes_128_gcm()
            var count: Int32 = 0
            // Safe: the key and the vector have as many bytes as the cipher reads.
            let isReady = key.withBytes { key in
                unsafe key.withUnsafeBufferPointer { key in
                    unsafe vector.withUnsafeBufferPointer { vector in
                        unsafe EVP_CipherInit_ex2(
                            pointer, cipher, nil, nil, direction.rawValue, nil) == 1
                            && EVP_CIPHER_CTX_ctrl(
                                pointer, EVP_CTRL_AEAD_SET_IVLEN, Int32(vector.count), nil) == 1
                            && EVP_CipherInit_ex2(
                                pointer, nil, key.baseAddress, vector.baseAddress,
                                direction.rawValue, nil) == 1
                    }
                }
            }
            guard isReady,
                unsafe EVP_CipherUpdate(
                    pointer, nil, &count, authenticated, Int32(authenticated.count)) == 1
            else {
                unsafe EVP_CIPHER_CTX_free(pointer)
                throw Libcrypto.error(.allocate)
            }
            unsafe self.pointer = pointer
        }

        deinit {
            unsafe EVP_CIPHER_CTX_free(pointer)  // Safe: the last use.
        }

        func setTag(_ tag: [UInt8]) throws(KeychainError) {
            var tag = tag
            // Safe: the tag is copied by the call.
            try Libcrypto.check(
                unsafe EVP_CIPHER_CTX_ctrl(
                    pointer, EVP_CTRL_AEAD_SET_TAG, Int32(tag.count), &tag), .allocate)
        }

        /// Encrypts and appends the tag, or decrypts.
        func finish(
            _ text: Span<UInt8>, _ direction: SymmetricCipher.Direction
        ) throws(KeychainError) -> Secret {
            let pointer = unsafe pointer  // Safe: used while this lives.
            // Safe: the memory has room for the text and a tag.
            return try unsafe Secret(
                capacity: text.count + tagByteCount
            ) { memory throws(KeychainError) in
                let output = unsafe memory.baseAddress?.assumingMemoryBound(to: UInt8.self)
                var count: Int32 = 0
                var rest: Int32 = 0
                let updated = unsafe text.withUnsafeBufferPointer {
                    unsafe EVP_CipherUpdate(
                        pointer, output, &count, $0.baseAddress, Int32($0.count))
                }
                let end = unsafe output.map { unsafe $0 + Int(count) }
                guard updated == 1, unsafe EVP_CipherFinal_ex(pointer, end, &rest) == 1 else {
                    throw Libcrypto.error(
                        KeychainError.cantDecrypt.status, KeychainError.cantDecrypt.reason)
                }
                guard direction == .encrypt else {
                    return Int(count)
                }
                try Libcrypto.check(
                    unsafe EVP_CIPHER_CTX_ctrl(
                        pointer, EVP_CTRL_AEAD_GET_TAG, Int32(tagByteCount), end), .allocate)
                return Int(count) + tagByteCount
            }
        }
    }
}
