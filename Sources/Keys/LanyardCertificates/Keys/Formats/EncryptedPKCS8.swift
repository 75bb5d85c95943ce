internal import CLibcrypto
public import LanyardSecrets

extension PrivateKey {
    /// Creates a key from an EncryptedPrivateKeyInfo in DER.
    ///
    /// What libcrypto's default provider has is read: PBES2 with PBKDF2 or scrypt, and the 3DES
    /// of PKCS #12.
    ///
    /// - Throws: ``Status/authFailed`` for a wrong password, which can't be told from damage;
    ///   ``Status/dataTooLarge`` for over 10 million iterations, or scrypt over 32 MiB;
    ///   ``Status/unsupportedKeyFormat`` for other ciphers; what ``init(pkcs8:)`` throws.
    ///
    /// RFC 5958, section 3; RFC 8018, section 6.2.
    public convenience init(
        encryptedPKCS8 secret: borrowing Secret, password: borrowing Secret
    ) throws(KeychainError) {
        let info = try Self.decrypt(encryptedPKCS8: secret, password: password)
        do throws(KeychainError) {
            try self.init(pkcs8: info)
        } catch {
            // With a wrong password one of 256 padding checks passes, and something else appears.
            guard error.status != .invalidKeyFormat else {
                throw KeychainError(.authFailed, wrongPassword)
            }
            throw error
        }
    }

    /// The key as an EncryptedPrivateKeyInfo in DER: PBES2 with AES-256-CBC, its key from PBKDF2 with
    /// HMAC-SHA-256 and 600,000 iterations.
    ///
    /// scrypt would resist guessing better, but other libraries don't read it.
    ///
    /// RFC 8018, section 6.2.
    public func encryptedPKCS8(password: borrowing Secret) throws(KeychainError) -> Secret {
        Libcrypto.start()
        // Safe: the bytes are read during the call only; all that libcrypto makes is freed here.
        let info = unsafe try pkcs8().withBytes { bytes in
            unsafe bytes.withUnsafeBufferPointer { buffer in
                var position = buffer.baseAddress
                return unsafe d2i_PKCS8_PRIV_KEY_INFO(nil, &position, buffer.count)
            }
        }
        guard let info = unsafe info else {
            throw Libcrypto.error(.allocate)
        }
        defer { unsafe PKCS8_PRIV_KEY_INFO_free(info) }
        // Without a scheme of its own it is PBES2, and without a salt 16 random bytes.
        let encrypted = unsafe password.withCharacters { password, length in
            unsafe PKCS8_encrypt(
                -1, EVP_aes_256_cbc(), password, length, nil, 16, 600_000, info)
        }
        guard let encrypted = unsafe encrypted else {
            throw Libcrypto.error(.allocate)
        }
        defer { unsafe X509_SIG_free(encrypted) }
        return Secret(try unsafe Libcrypto.encoding { unsafe i2d_X509_SIG(encrypted, $0) })
    }

    /// Returns the PrivateKeyInfo of an EncryptedPrivateKeyInfo.
    private static func decrypt(
        encryptedPKCS8 secret: borrowing Secret, password: borrowing Secret
    ) throws(KeychainError) -> Secret {
        Libcrypto.start()
        return try secret.withBytes { bytes throws(KeychainError) in
            var reader = try DERReader.sequence(bytes)
            let algorithm = try reader.read(.sequence, in: bytes)
            let encrypted = bytes.extracting(try reader.read(.octetString, in: bytes))
            try reader.finish()
            try PasswordWork.check(DERReader(algorithm), in: bytes)
            // The identifier with its own tag and length: it follows those of the outer sequence.
            var outer = DERReader(0..<bytes.count)
            let start = try outer.read(.sequence, in: bytes).lowerBound
            return try decrypt(
                encrypted, bytes.extracting(start..<algorithm.upperBound), password: password)
        }
    }

    private static func decrypt(
        _ encrypted: Span<UInt8>, _ algorithm: Span<UInt8>, password: borrowing Secret
    ) throws(KeychainError) -> Secret {
        // Safe: the bytes are read during the call only; freed at the end.
        let identifier = unsafe algorithm.withUnsafeBufferPointer { buffer in
            var position = buffer.baseAddress
            return unsafe d2i_X509_ALGOR(nil, &position, buffer.count)
        }
        guard let identifier = unsafe identifier else {
            throw Libcrypto.error(.invalidKeyFormat)
        }
        defer { unsafe X509_ALGOR_free(identifier) }
        var data: UnsafeMutablePointer<UInt8>?
        var count: Int32 = 0
        // Safe: all bytes are read during the call only.
        let result = unsafe encrypted.withUnsafeBufferPointer { encrypted in
            unsafe password.withCharacters { password, length in
                unsafe PKCS12_pbe_crypt(
                    identifier, password, length, encrypted.baseAddress,
                    Int32(encrypted.count), &data, &count, 0)
            }
        }
        guard unsafe result != nil, let data = unsafe data else {
            throw failure()
        }
        // Safe: libcrypto's memory, of this many bytes, overwritten and freed at the end.
        defer { unsafe CRYPTO_clear_free(data, Int(count), "", 0) }
        return unsafe Secret(
            copying: Span(_unsafeElements: UnsafeBufferPointer(start: data, count: Int(count))))
    }

    /// The error for a decryption that failed: only a padding that doesn't fit speaks of the password.
    private static func failure() -> KeychainError {
        let reason = ERR_peek_error()
        defer { ERR_clear_error() }
        // ERR_GET_REASON and ERR_GET_LIB
        let isOfCipher = (reason >> 23) & 0xFF == UInt(ERR_LIB_PROV)
        if isOfCipher && reason & 0x7F_FFFF == UInt(PROV_R_BAD_DECRYPT) {
            return KeychainError(.authFailed, wrongPassword)
        }
        return KeychainError(
            .unsupportedKeyFormat, "unsupported encryption of the key",
            hint: "encrypt it again: openssl pkey -provider legacy -provider default -aes256 "
                + "-in OLD -out NEW")
    }
}
