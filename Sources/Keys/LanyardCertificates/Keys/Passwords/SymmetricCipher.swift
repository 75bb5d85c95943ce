internal import CLibcrypto
package import LanyardSecrets

/// A cipher that formats and protocols use. The corresponding C type is `EVP_CIPHER`.
package enum SymmetricCipher: CaseIterable {
    case aes128CBC, aes192CBC, aes256CBC, desEDE3CBC, aes128CTR, aes192CTR, aes256CTR

    var keyByteCount: Int {
        switch self {
        case .aes128CBC, .aes128CTR: 16
        case .aes192CBC, .aes192CTR, .desEDE3CBC: 24
        case .aes256CBC, .aes256CTR: 32
        }
    }

    /// The number of bytes of an initialization vector.
    var vectorByteCount: Int { self == .desEDE3CBC ? 8 : 16 }

    /// The name in a DEK-Info header, nil for ciphers that OpenSSL doesn't use there.
    var headerName: String? {
        switch self {
        case .aes128CBC: "AES-128-CBC"
        case .aes192CBC: "AES-192-CBC"
        case .aes256CBC: "AES-256-CBC"
        case .desEDE3CBC: "DES-EDE3-CBC"
        case .aes128CTR, .aes192CTR, .aes256CTR: nil
        }
    }

    var functions: OpaquePointer? {
        // Safe: constants that live as long as the program.
        switch self {
        case .aes128CBC: unsafe EVP_aes_128_cbc()
        case .aes192CBC: unsafe EVP_aes_192_cbc()
        case .aes256CBC: unsafe EVP_aes_256_cbc()
        case .desEDE3CBC: unsafe EVP_des_ede3_cbc()
        case .aes128CTR: unsafe EVP_aes_128_ctr()
        case .aes192CTR: unsafe EVP_aes_192_ctr()
        case .aes256CTR: unsafe EVP_aes_256_ctr()
        }
    }

    /// Whether a call encrypts or decrypts.
    package enum Direction: Int32, Sendable {
        case decrypt = 0
        case encrypt = 1
    }

    /// Returns the bytes encrypted or decrypted.
    ///
    /// - Parameter isPadded: Whether the last block is filled up as in PKCS #7.
    /// - Throws: ``Status/authFailed`` for another padding.
    package func apply(
        _ direction: Direction, _ bytes: Span<UInt8>, key: borrowing Secret, vector: Span<UInt8>,
        isPadded: Bool
    ) throws(KeychainError) -> Secret {
        precondition(key.count == keyByteCount && vector.count == vectorByteCount)
        // Safe: both have as many bytes as the cipher needs.
        return try unsafe SymmetricCipher.apply(
            functions, direction, bytes, key: key, vector: vector, isPadded: isPadded,
            wrong: KeychainError(.authFailed, wrongPassword))
    }

    /// Returns the bytes encrypted or decrypted.
    ///
    /// - Parameters:
    ///   - functions: The corresponding C type is `EVP_CIPHER`.
    ///   - vector: Empty for the cipher's own.
    ///   - wrong: The error if the bytes can't be of this key.
    static func apply(
        _ functions: OpaquePointer?, _ direction: Direction, _ bytes: Span<UInt8>,
        key: borrowing Secret, vector: Span<UInt8>, isPadded: Bool, wrong: KeychainError
    ) throws(KeychainError) -> Secret {
        Libcrypto.start()
        // Safe: freed at the end.
        let context = unsafe EVP_CIPHER_CTX_new()
        defer { unsafe EVP_CIPHER_CTX_free(context) }
        unsafe EVP_CIPHER_CTX_set_flags(context, EVP_CIPHER_CTX_FLAG_WRAP_ALLOW)
        // Safe: both have as many bytes as the cipher needs, and are read during the call only.
        let started = key.withBytes { key in
            unsafe key.withUnsafeBufferPointer { key in
                unsafe vector.withUnsafeBufferPointer { vector in
                    unsafe EVP_CipherInit_ex2(
                        context, functions, key.baseAddress, vector.baseAddress,
                        direction.rawValue, nil)
                }
            }
        }
        guard started == 1, unsafe EVP_CIPHER_CTX_set_padding(context, isPadded ? 1 : 0) == 1 else {
            throw Libcrypto.error(.allocate)
        }
        // Safe: there is room for the bytes and one block more.
        return try unsafe Secret(capacity: bytes.count + 32) { memory throws(KeychainError) in
            let output = unsafe memory.baseAddress?.assumingMemoryBound(to: UInt8.self)
            var count: Int32 = 0
            var rest: Int32 = 0
            let updated = unsafe bytes.withUnsafeBufferPointer {
                unsafe EVP_CipherUpdate(
                    context, output, &count, $0.baseAddress, Int32($0.count))
            }
            guard updated == 1,
                unsafe EVP_CipherFinal_ex(context, output.map { unsafe $0 + Int(count) }, &rest)
                    == 1
            else {
                throw Libcrypto.error(wrong.status, wrong.reason)
            }
            return Int(count + rest)
        }
    }
}

/// What can't be told apart in formats without a checksum.
let wrongPassword = "wrong passphrase, or the key is damaged"

extension Libcrypto {
    /// Returns random bytes, for salts and the like. The corresponding function is `RAND_bytes`.
    static func randomBytes(_ count: Int) throws(KeychainError) -> [UInt8] {
        start()
        var bytes = [UInt8](repeating: 0, count: count)
        // Safe: there is room for the bytes.
        try check(unsafe RAND_bytes(&bytes, Int32(count)), .notAvailable, "no random numbers")
        return bytes
    }
}
