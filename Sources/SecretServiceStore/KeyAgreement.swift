#if SecretService
internal import CLibcrypto
internal import Cryptography
internal import Keychain
internal import LinuxSystem

/// Our side of the agreement on a session's key: Diffie–Hellman in the group with the 1024-bit prime of
/// RFC 2409, section 6.2, the only one that providers of the Secret Service know.
///
/// libsecret does it too, but with an exponent of 1024 bits and another library: that alone was a
/// quarter of what a `get` took. The corresponding algorithm of the Secret Service API is
/// `dh-ietf1024-sha256-aes128-cbc-pkcs7`.
struct KeyAgreement: ~Copyable {
    /// The algorithm's name.
    static let algorithm: ByteString = "dh-ietf1024-sha256-aes128-cbc-pkcs7"

    /// How many bytes the prime has.
    private static let size = 128

    private let prime: OpaquePointer
    private let exponent: OpaquePointer

    /// An agreement with a random exponent of 256 bits: twice and more what the group is good for.
    init() throws(KeychainError) {
        let random = try RandomBytes.makeKey()
        guard let prime = BN_get_rfc2409_prime_1024(nil),
            let exponent = BN_secure_new()
        else {
            throw KeychainError(.allocate)
        }
        random.withBytes { bytes in
            bytes.withUnsafeBufferPointer { buffer in
                _ = BN_bin2bn(buffer.baseAddress, Int32(buffer.count), exponent)
            }
        }
        BN_set_flags(exponent, BN_FLG_CONSTTIME)
        self.prime = prime
        self.exponent = exponent
    }

    deinit {
        BN_free(prime)
        BN_clear_free(exponent)
    }

    /// What the other side has to be told: 128 bytes.
    borrowing func publicKey() throws(KeychainError) -> [UInt8] {
        let generator = BN_new()
        defer { BN_free(generator) }
        BN_set_word(generator, 2)
        let key = try power(of: generator)
        return key.withBytes { ByteString(copying: $0).bytes }
    }

    /// The key of the session: 16 bytes.
    ///
    /// - Parameter publicKey: What the other side has told.
    /// - Throws: ``Status/decode`` for what is no such key.
    borrowing func sessionKey(with publicKey: [UInt8]) throws(KeychainError) -> Secret {
        guard (1...KeyAgreement.size).contains(publicKey.count) else {
            throw KeyAgreement.refusal
        }
        let other = BN_bin2bn(publicKey, Int32(publicKey.count), nil)
        let last = BN_dup(prime)
        defer {
            BN_free(other)
            BN_free(last)
        }
        BN_sub_word(last, 1)
        // 0, 1 and p − 1 would make a key that everybody can guess.
        guard BN_is_zero(other) == 0, BN_is_one(other) == 0, BN_cmp(other, last) < 0 else {
            throw KeyAgreement.refusal
        }
        let shared = try power(of: other)
        let derived = KeyDerivation.derive(shared, salt: [], use: "")
        return derived.withBytes { Secret(copying: $0.extracting(first: 16)) }
    }

    /// A number to the power of the exponent, modulo the prime, as 128 bytes.
    private borrowing func power(of base: OpaquePointer?) throws(KeychainError) -> Secret {
        let context = BN_CTX_secure_new()
        let result = BN_secure_new()
        defer {
            BN_clear_free(result)
            BN_CTX_free(context)
        }
        guard BN_mod_exp(result, base, exponent, prime, context) == 1 else {
            throw KeychainError(.allocate, "libcrypto can't compute the session's key")
        }
        return Secret(capacity: KeyAgreement.size) { memory in
            let bytes = memory.baseAddress?.assumingMemoryBound(to: UInt8.self)
            _ = BN_bn2binpad(result, bytes, Int32(KeyAgreement.size))
            return KeyAgreement.size
        }
    }

    private static let refusal = KeychainError(
        .decode, "the Secret Service answered with a key that is none")
}
#endif
