#if SecretService
internal import CLibcrypto
internal import KeychainServices
internal import LinuxSystem

/// Our side of the agreement on a session's key: Diffie–Hellman in the group with the 1024-bit prime of
/// RFC 2409, section 6.2, the only one that providers of the Secret Service know.
///
/// libsecret does it too, but with an exponent of 1024 bits and another library: that alone was a
/// quarter of what a `get` took. The corresponding algorithm of the Secret Service API is
/// `dh-ietf1024-sha256-aes128-cbc-pkcs7`.
@safe  // Safe: the numbers are its own, and freed in `deinit` alone.
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
        // Safe: new numbers are ours; the random bytes have their own count.
        guard let prime = unsafe BN_get_rfc2409_prime_1024(nil),
            let exponent = unsafe BN_secure_new()
        else {
            throw KeychainError(.allocate)
        }
        random.withBytes { bytes in
            unsafe bytes.withUnsafeBufferPointer { buffer in
                _ = unsafe BN_bin2bn(buffer.baseAddress, Int32(buffer.count), exponent)
            }
        }
        unsafe BN_set_flags(exponent, BN_FLG_CONSTTIME)
        unsafe self.prime = prime
        unsafe self.exponent = exponent
    }

    deinit {
        // Safe: nobody else has the numbers, and nothing comes after.
        unsafe BN_free(prime)
        unsafe BN_clear_free(exponent)
    }

    /// What the other side has to be told: 128 bytes.
    borrowing func publicKey() throws(KeychainError) -> [UInt8] {
        // Safe: freed where it was made, after its last use.
        guard let generator = unsafe BN_new() else {
            throw KeychainError(.allocate)
        }
        defer { unsafe BN_free(generator) }
        unsafe BN_set_word(generator, 2)
        let key = try unsafe power(of: generator)
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
        // Safe: the key has its own count; the numbers are freed here, after their last use.
        let other = unsafe BN_bin2bn(publicKey, Int32(publicKey.count), nil)
        let last = unsafe BN_dup(prime)
        defer {
            unsafe BN_free(other)
            unsafe BN_free(last)
        }
        guard let other = unsafe other, let last = unsafe last else {
            throw KeychainError(.allocate)
        }
        unsafe BN_sub_word(last, 1)
        // 0, 1 and p − 1 would make a key that everybody can guess.
        guard unsafe BN_is_zero(other) == 0, unsafe BN_is_one(other) == 0,
            unsafe BN_cmp(other, last) < 0
        else {
            throw KeyAgreement.refusal
        }
        let shared = try unsafe power(of: other)
        let derived = KeyAgreement.derive(shared)
        return derived.withBytes { Secret(copying: $0.extracting(first: 16)) }
    }

    /// HKDF with SHA-256, RFC 5869, without salt and info: 32 bytes.
    private static func derive(_ shared: borrowing Secret) -> Secret {
        let extracted = shared.withBytes {
            authenticate($0, under: Array(repeating: 0, count: 32).span)
        }
        return extracted.withBytes { authenticate([1].span, under: $0) }
    }

    private static func authenticate(_ bytes: Span<UInt8>, under key: Span<UInt8>) -> Secret {
        // Safe: libcrypto is told the own counts, and the memory has the 32 bytes that it writes.
        unsafe Secret(capacity: 32) { memory in
            let output = unsafe memory.baseAddress!.assumingMemoryBound(to: UInt8.self)
            unsafe key.withUnsafeBufferPointer { key in
                unsafe bytes.withUnsafeBufferPointer { bytes in
                    _ = unsafe HMAC(
                        EVP_sha256(), key.baseAddress, Int32(key.count), bytes.baseAddress,
                        bytes.count, output, nil)
                }
            }
            return 32
        }
    }

    /// A number to the power of the exponent, modulo the prime, as 128 bytes.
    private borrowing func power(of base: OpaquePointer) throws(KeychainError) -> Secret {
        // Safe: what is made here is freed here; the memory has the bytes that `BN_bn2binpad`
        // fills.
        let context = unsafe BN_CTX_secure_new()
        let result = unsafe BN_secure_new()
        defer {
            unsafe BN_clear_free(result)
            unsafe BN_CTX_free(context)
        }
        guard let result = unsafe result,
            unsafe BN_mod_exp(result, base, exponent, prime, context) == 1
        else {
            throw KeychainError(.allocate, "libcrypto can't compute the session's key")
        }
        return unsafe Secret(capacity: KeyAgreement.size) { memory in
            let bytes = unsafe memory.baseAddress?.assumingMemoryBound(to: UInt8.self)
            _ = unsafe BN_bn2binpad(result, bytes, Int32(KeyAgreement.size))
            return KeyAgreement.size
        }
    }

    private static let refusal = KeychainError(
        .decode, "the Secret Service answered with a key that is none")
}
#endif
