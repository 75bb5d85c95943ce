#if SecretService
internal import CLibcrypto
internal import KeychainServices
internal import LinuxSystem

/// Encrypts and decrypts the secrets that travel in a session: AES-128 in CBC mode with the padding of
/// PKCS #7. The session's key is used for all of them, each with an initialization vector of its own.
struct SessionCipher: ~Copyable {
    /// How many bytes a block has, and with it a vector.
    static let blockSize = 16

    private let key: Secret

    /// - Parameter key: 16 bytes.
    init(key: consuming Secret) {
        self.key = key
    }

    /// - Returns: The vector, and the secret encrypted.
    borrowing func encrypt(
        _ secret: borrowing Secret
    ) throws(KeychainError) -> (vector: [UInt8], ciphertext: [UInt8]) {
        let vector = try RandomBytes.make(SessionCipher.blockSize)
        let padding = SessionCipher.blockSize - secret.count % SessionCipher.blockSize
        var padded = SecretBuilder(capacity: secret.count + padding)
        padded.append(secret)
        for _ in 0..<padding {
            padded.append(UInt8(padding))
        }
        let text = padded.finish()
        var ciphertext = [UInt8](repeating: 0, count: text.count)
        text.withBytes { input in
            // Safe: the array is as long as the text.
            unsafe ciphertext.withUnsafeMutableBytes {
                unsafe run(input, vector, AES_ENCRYPT, into: $0)
            }
        }
        return (vector, ciphertext)
    }

    /// - Throws: ``Status/decode`` for what was not encrypted with this key.
    borrowing func decrypt(
        _ ciphertext: [UInt8], vector: [UInt8]
    ) throws(KeychainError) -> Secret {
        guard vector.count == SessionCipher.blockSize, !ciphertext.isEmpty,
            ciphertext.count % SessionCipher.blockSize == 0
        else {
            throw SessionCipher.refusal
        }
        // Safe: the memory is as long as the ciphertext.
        let padded = unsafe Secret(capacity: ciphertext.count) { memory in
            unsafe run(ciphertext.span, vector, AES_DECRYPT, into: memory)
            return ciphertext.count
        }
        return try padded.withBytes { bytes throws(KeychainError) in
            let padding = bytes[bytes.count - 1]
            let count = bytes.count - Int(padding)
            guard (1...SessionCipher.blockSize).contains(Int(padding)),
                (count..<bytes.count).allSatisfy({ bytes[$0] == padding })
            else {
                throw SessionCipher.refusal
            }
            return Secret(copying: bytes.extracting(first: count))
        }
    }

    private static let refusal = KeychainError(
        .decode, "a secret from the Secret Service can't be decrypted")

    /// - Parameters:
    ///   - direction: AES_ENCRYPT or AES_DECRYPT.
    ///   - output: Room for as many bytes as the input has.
    private borrowing func run(
        _ input: Span<UInt8>, _ vector: [UInt8], _ direction: Int32,
        into output: UnsafeMutableRawBufferPointer
    ) {
        // Safe: the key has 16 bytes and the vector as many; the caller has room for what comes
        // out.
        var schedule = AES_KEY()
        defer { unsafe OPENSSL_cleanse(&schedule, MemoryLayout<AES_KEY>.size) }
        key.withBytes { bytes in
            unsafe bytes.withUnsafeBufferPointer { key in
                _ =
                    unsafe direction == AES_ENCRYPT
                    ? AES_set_encrypt_key(key.baseAddress, 128, &schedule)
                    : AES_set_decrypt_key(key.baseAddress, 128, &schedule)
            }
        }
        var vector = vector
        unsafe input.withUnsafeBufferPointer { bytes in
            unsafe AES_cbc_encrypt(
                bytes.baseAddress, output.baseAddress?.assumingMemoryBound(to: UInt8.self),
                bytes.count, &schedule, &vector, direction)
        }
    }
}
#endif
