internal import CLibcrypto
internal import LanyardSecrets

/// An operation with a key. The corresponding C type is `EVP_PKEY_CTX`.
@safe  // Safe: the context is its own, and freed in `deinit` alone.
struct KeyContext: ~Copyable {
    let pointer: OpaquePointer

    /// Begins an operation.
    init(_ key: LibcryptoKey, _ operation: KeyOperation) throws(KeychainError) {
        // Safe: the context holds the key, too; freed in `deinit`, or here.
        guard let pointer = unsafe EVP_PKEY_CTX_new(key.pointer, nil) else {
            throw Libcrypto.error(.allocate)
        }
        let result =
            switch operation {
            case .sign: unsafe EVP_PKEY_sign_init(pointer)
            case .verify: unsafe EVP_PKEY_verify_init(pointer)
            case .encrypt: unsafe EVP_PKEY_encrypt_init(pointer)
            case .decrypt: unsafe EVP_PKEY_decrypt_init(pointer)
            case .keyExchange: unsafe EVP_PKEY_derive_init(pointer)
            }
        guard result == 1 else {
            unsafe EVP_PKEY_CTX_free(pointer)
            throw Libcrypto.error(.invalidAlgorithm)
        }
        unsafe self.pointer = pointer
    }

    deinit {
        // Safe: the last use.
        unsafe EVP_PKEY_CTX_free(pointer)
    }

    /// Chooses how an RSA signature is padded, and of which digest it is.
    func set(
        _ padding: KeyAlgorithm.SignaturePadding, _ digest: DigestAlgorithm
    ) throws(KeychainError) {
        let number = padding == .pss ? RSA_PKCS1_PSS_PADDING : RSA_PKCS1_PADDING
        // Safe: the functions are constants.
        guard unsafe EVP_PKEY_CTX_set_rsa_padding(pointer, number) == 1,
            unsafe EVP_PKEY_CTX_set_signature_md(pointer, digest.functions) == 1
        else {
            throw Libcrypto.error(.invalidAlgorithm)
        }
        if padding == .pss {
            try Libcrypto.check(
                unsafe EVP_PKEY_CTX_set_rsa_pss_saltlen(pointer, RSA_PSS_SALTLEN_DIGEST),
                .invalidAlgorithm)
        }
    }

    /// Chooses how RSA encryption is padded: OAEP with a digest, or PKCS #1 v1.5.
    func set(oaep digest: DigestAlgorithm?) throws(KeychainError) {
        let number = digest == nil ? RSA_PKCS1_PADDING : RSA_PKCS1_OAEP_PADDING
        // Safe: the functions are constants.
        try Libcrypto.check(
            unsafe EVP_PKEY_CTX_set_rsa_padding(pointer, number), .invalidAlgorithm)
        if let digest {
            guard unsafe EVP_PKEY_CTX_set_rsa_oaep_md(pointer, digest.functions) == 1,
                unsafe EVP_PKEY_CTX_set_rsa_mgf1_md(pointer, digest.functions) == 1
            else {
                throw Libcrypto.error(.invalidAlgorithm)
            }
        }
    }

    /// Returns what a function of libcrypto's makes of bytes, for example `EVP_PKEY_sign`.
    func apply(
        _ function: (
            OpaquePointer?, UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<Int>?,
            UnsafePointer<UInt8>?, Int
        ) -> Int32,
        _ bytes: Span<UInt8>, _ status: Status, _ reason: String? = nil
    ) throws(KeychainError) -> Secret {
        let pointer = unsafe pointer  // Safe: used while this lives.
        // Safe: the first call asks for the room, which the second is given; the bytes are read during
        // the calls only.
        return try unsafe bytes.withUnsafeBufferPointer { bytes throws(KeychainError) in
            var room = 0
            guard unsafe function(pointer, nil, &room, bytes.baseAddress, bytes.count) == 1 else {
                throw Libcrypto.error(status, reason)
            }
            return try unsafe Secret(capacity: room) { memory throws(KeychainError) in
                var count = room
                guard
                    unsafe function(
                        pointer, memory.baseAddress?.assumingMemoryBound(to: UInt8.self), &count,
                        bytes.baseAddress, bytes.count) == 1
                else {
                    throw Libcrypto.error(status, reason)
                }
                return count
            }
        }
    }
}
