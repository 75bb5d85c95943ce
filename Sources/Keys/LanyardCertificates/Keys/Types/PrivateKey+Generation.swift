internal import CLibcrypto
public import LanyardSecrets

extension PrivateKey {
    /// Generates a key.
    ///
    /// - Parameters:
    ///   - type: The type of key.
    ///   - sizeInBits: For RSA a multiple of 8 from 2,048 to 4,096, with the public exponent 65,537; for
    ///     an elliptic curve 256, 384 or 521; for the others 256.
    /// - Throws: ``Status/keySizeNotAllowed`` for other sizes.
    ///
    /// The corresponding function is SecKeyCreateRandomKey.
    public convenience init(generating type: AsymmetricKeyType, sizeInBits: Int)
        throws(KeychainError)
    {
        Libcrypto.start()
        switch type {
        case .rsa:
            guard (2048...4096).contains(sizeInBits), sizeInBits % 8 == 0 else {
                throw KeychainError.keySizeNotAllowed
            }
            self.init(sameAs: try Self.generateRSA(sizeInBits))
        case .ellipticCurve:
            guard let curve = EllipticCurve(sizeInBits: sizeInBits) else {
                throw KeychainError.keySizeNotAllowed
            }
            self.init(sameAs: try Self.generate(curve))
        case .ed25519, .x25519:
            guard sizeInBits == 256 else {
                throw KeychainError.keySizeNotAllowed
            }
            try self.init(externalRepresentation: .random(32), type: type)
        }
    }

    private static func generateRSA(_ sizeInBits: Int) throws(KeychainError) -> PrivateKey {
        // Safe: freed at the end.
        let context = unsafe EVP_PKEY_CTX_new_id(EVP_PKEY_RSA, nil)
        defer { unsafe EVP_PKEY_CTX_free(context) }
        var generated: OpaquePointer?
        // Safe: freed with its owner.
        guard unsafe EVP_PKEY_keygen_init(context) == 1,
            unsafe EVP_PKEY_CTX_set_rsa_keygen_bits(context, Int32(sizeInBits)) == 1,
            unsafe EVP_PKEY_generate(context, &generated) == 1,
            let key = unsafe generated.map(LibcryptoKey.init(owning:))
        else {
            throw Libcrypto.error(.notAvailable, "no RSA key could be generated")
        }
        let encoded = try unsafe Libcrypto.secretEncoding { unsafe i2d_PrivateKey(key.pointer, $0) }
        return try PrivateKey(externalRepresentation: encoded, type: .rsa)
    }

    /// Draws candidates until one is below the curve's order: each key is then equally likely.
    private static func generate(_ curve: EllipticCurve) throws(KeychainError) -> PrivateKey {
        let order = try curve.order()
        let surplus = curve.byteCount * 8 - curve.sizeInBits
        while true {
            let candidate = try Secret.random(curve.byteCount, clearingTopBits: surplus)
            let number = try candidate.withBytes { bytes throws(KeychainError) in
                try BigNumber(bytes)
            }
            if !number.isZero, number.isLess(than: order) {
                return try candidate.withBytes { bytes throws(KeychainError) in
                    try .ellipticCurve(curve, scalar: bytes, point: nil)
                }
            }
        }
    }
}

extension Secret {
    /// Returns random bytes. The corresponding function is `RAND_priv_bytes`.
    static func random(_ count: Int, clearingTopBits bits: Int = 0) throws(KeychainError) -> Secret
    {
        Libcrypto.start()
        // Safe: the memory has room for the bytes, of which the first exists.
        return try unsafe Secret(capacity: count) { memory throws(KeychainError) in
            try Libcrypto.check(
                unsafe RAND_priv_bytes(
                    memory.baseAddress?.assumingMemoryBound(to: UInt8.self), Int32(count)),
                .notAvailable, "no random numbers")
            unsafe memory[0] &= 0xFF >> UInt8(bits)
            return count
        }
    }
}
