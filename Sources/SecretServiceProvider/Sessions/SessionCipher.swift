#if SecretService
internal import CLibcrypto
internal import Certificates
internal import KeychainServices
internal import LinuxSystem

/// Encrypts and decrypts the secrets of a session: AES-128 in CBC mode with PKCS #7 padding.
enum SessionCipher {
    /// The size of a block and of the parameter, in bytes.
    static let blockSize = 16

    /// A secret as it is transferred.
    struct Encrypted: ~Copyable {
        let parameter: Secret
        let value: Secret
    }

    static func encrypt(
        _ secret: borrowing Secret, key: borrowing Secret
    ) -> Encrypted? {
        guard let random = try? RandomBytes.make(blockSize) else {
            return nil
        }
        let parameter = Secret(copying: random.span)
        switch run(secret, key: key, parameter: parameter, encrypts: true) {
        case .some(let value): return Encrypted(parameter: parameter, value: value)
        case .none: return nil
        }
    }

    /// - Returns: nil if the parameter or the padding is wrong.
    static func decrypt(
        _ value: borrowing Secret, key: borrowing Secret, parameter: borrowing Secret
    ) -> Secret? {
        guard parameter.count == blockSize, value.count % blockSize == 0, value.count > 0 else {
            return nil
        }
        return run(value, key: key, parameter: parameter, encrypts: false)
    }

    private static func run(
        _ text: borrowing Secret, key: borrowing Secret, parameter: borrowing Secret, encrypts: Bool
    ) -> Secret? {
        Libcrypto.start()
        // Safe: freed at the end of the scope.
        let context = unsafe EVP_CIPHER_CTX_new()
        defer { unsafe EVP_CIPHER_CTX_free(context) }
        let isStarted = key.withBytes { key in
            parameter.withBytes { parameter in
                // Safe: AES-128 reads 16 bytes of each.
                unsafe key.withUnsafeBufferPointer { key in
                    unsafe parameter.withUnsafeBufferPointer { parameter in
                        unsafe EVP_CipherInit_ex2(
                            context, EVP_aes_128_cbc(), key.baseAddress, parameter.baseAddress,
                            encrypts ? 1 : 0, nil) == 1
                    }
                }
            }
        }
        var isWhole = false
        let result = unsafe Secret(capacity: text.count + blockSize) { memory in
            let start = unsafe memory.baseAddress!.assumingMemoryBound(to: UInt8.self)
            var count: Int32 = 0
            var rest: Int32 = 0
            let isRead = text.withBytes { text in
                // Safe: the output has at most one block more than the input.
                unsafe text.withUnsafeBufferPointer {
                    unsafe EVP_CipherUpdate(
                        context, start, &count, $0.baseAddress, Int32($0.count)) == 1
                }
            }
            // Safe: as above.
            let end = unsafe EVP_CipherFinal_ex(context, start + Int(count), &rest)
            isWhole = isStarted && isRead && end == 1
            return isWhole ? Int(count + rest) : 0
        }
        ERR_clear_error()
        guard isWhole else {
            return nil
        }
        return result
    }
}
#endif
