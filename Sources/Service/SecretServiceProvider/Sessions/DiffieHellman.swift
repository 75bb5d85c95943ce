#if SecretService
internal import CLibcrypto
internal import LanyardCertificates
internal import KeychainServices

/// The key agreement `dh-ietf1024-sha256-aes128-cbc-pkcs7` of the Secret Service specification, "Transfer of
/// Secrets": a key for AES-128 from a Diffie-Hellman exchange in the Second Oakley Group.
///
/// It protects secrets from a program that records messages, not from one that changes them.
enum DiffieHellman {
    /// The group's prime, RFC 2409, section 6.2; its generator is 2.
    private static let prime = """
        FFFFFFFFFFFFFFFFC90FDAA22168C234C4C6628B80DC1CD129024E088A67CC74020BBEA63B139B22514A08798E3404DD\
        EF9519B3CD3A431B302B0A6DF25F14374FE1356D6D51C245E485B576625E7EC6F44C42E9A637ED6B0BFF5CB6F406B7ED\
        EE386BFB5A899FA5AE9F24117C4B1FE649286651ECE65381FFFFFFFFFFFFFFFF
        """
    private static let size = 128
    /// In bits: more than twice the strength of the group, which is 80 bits.
    private static let exponentSize: Int32 = 256

    /// Our side of an exchange.
    struct Answer: ~Copyable {
        let publicKey: [UInt8]
        /// The session's key, 16 bytes.
        let key: Secret
    }

    /// Answers a client's public key.
    ///
    /// - Parameter peer: A big-endian number.
    /// - Returns: Nil if the client's is not between 2 and
    ///   the prime less 2: others give keys that anybody can compute.
    static func answer(_ peer: borrowing Secret) -> Answer? {
        guard (1...size).contains(peer.count) else {
            return nil
        }
        Libcrypto.start()
        let numbers = Numbers()
        // Safe: all numbers belong to `numbers`, which frees them at the end of the scope.
        let theirs = unsafe numbers.make()
        peer.withBytes { bytes in
            _ = unsafe bytes.withUnsafeBufferPointer {
                unsafe BN_bin2bn($0.baseAddress, Int32($0.count), theirs)
            }
        }
        let last = unsafe numbers.make()
        guard unsafe BN_copy(last, numbers.prime) != nil, unsafe BN_sub_word(last, 1) == 1,
            unsafe BN_cmp(theirs, BN_value_one()) > 0, unsafe BN_cmp(theirs, last) < 0
        else {
            return nil
        }
        let exponent = unsafe numbers.make()
        let ours = unsafe numbers.make()
        let shared = unsafe numbers.make()
        let generator = unsafe numbers.make()
        guard unsafe BN_priv_rand(exponent, exponentSize, 0, 0) == 1,
            unsafe BN_set_word(generator, 2) == 1
        else {
            return nil
        }
        unsafe BN_set_flags(exponent, BN_FLG_CONSTTIME)
        guard
            unsafe BN_mod_exp(ours, generator, exponent, numbers.prime, numbers.context) == 1,
            unsafe BN_mod_exp(shared, theirs, exponent, numbers.prime, numbers.context) == 1
        else {
            return nil
        }
        let publicKey = unsafe bytes(of: ours)
        return Answer(
            publicKey: publicKey.withBytes { ByteString(copying: $0).bytes },
            key: key(of: unsafe bytes(of: shared)))
    }

    /// The number in as many bytes as the prime has.
    @unsafe  // Safe: the number is alive and below the prime.
    private static func bytes(of number: OpaquePointer?) -> Secret {
        // Safe: as the caller promises; the memory has that size.
        unsafe Secret(capacity: size) { memory in
            unsafe BN_bn2binpad(
                number, memory.baseAddress!.assumingMemoryBound(to: UInt8.self), Int32(size))
            return size
        }
    }

    /// Derives the key: HKDF with SHA-256 without salt or information, RFC 5869, section 2. One block is more
    /// than enough.
    static func key(of shared: borrowing Secret) -> Secret {
        let extracted = digest(shared, key: Secret(copying: [UInt8](repeating: 0, count: 32).span))
        return digest(Secret(copying: [1 as UInt8].span), key: extracted).prefix(16)
    }

    /// HMAC with SHA-256.
    private static func digest(_ text: borrowing Secret, key: borrowing Secret) -> Secret {
        // Safe: as below.
        unsafe Secret(capacity: 32) { memory in
            text.withBytes { text in
                key.withBytes { key in
                    // Safe: the spans' own bytes, and 32 bytes of memory.
                    _ = unsafe text.withUnsafeBufferPointer { text in
                        unsafe key.withUnsafeBytes { key in
                            unsafe HMAC(
                                EVP_sha256(), key.baseAddress, Int32(key.count), text.baseAddress,
                                text.count, memory.baseAddress!.assumingMemoryBound(to: UInt8.self),
                                nil)
                        }
                    }
                }
            }
            return 32
        }
    }

    /// The numbers of one exchange, which are overwritten when they are freed.
    @safe  // Safe: it owns what it makes, until `deinit`.
    private final class Numbers {
        // Safe: empty at first.
        private var made: [OpaquePointer?] = unsafe []
        let context: OpaquePointer?
        let prime: OpaquePointer?

        init() {
            // Safe: the texts are copied.
            unsafe context = BN_CTX_secure_new()
            var number: OpaquePointer?
            unsafe BN_hex2bn(&number, DiffieHellman.prime)
            unsafe prime = number
        }

        func make() -> OpaquePointer? {
            // Safe: freed in `deinit`.
            let number = unsafe BN_new()
            unsafe made.append(number)
            return unsafe number
        }

        deinit {
            // Safe: each is freed once.
            unsafe made.forEach { unsafe BN_clear_free($0) }
            unsafe BN_free(prime)
            unsafe BN_CTX_free(context)
        }
    }
}
#endif
