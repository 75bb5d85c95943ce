public import LanyardSecrets

/// A private key and its public key. The corresponding type is SecKeyRef of the class
/// kSecAttrKeyClassPrivate.
public final class PrivateKey: Sendable {
    /// The key's public half. The corresponding function is SecKeyCopyPublicKey.
    public let publicKey: PublicKey

    /// libcrypto's key.
    let key: LibcryptoKey
    private let representation: Secret

    /// The type of key: kSecAttrKeyType.
    public var type: AsymmetricKeyType { publicKey.type }
    /// The size: of an RSA key's modulus, of a curve's private keys: kSecAttrKeySizeInBits.
    public var sizeInBits: Int { publicKey.sizeInBits }

    /// Creates a key from its external representation; the size follows from it.
    ///
    /// - Throws: ``Status/invalidKeyFormat``; ``Status/publicKeyInconsistent`` if its parts contradict each
    ///   other; ``Status/unsupportedKeySize`` for RSA keys under 1,024 or over 16,384 bits.
    ///
    /// The corresponding function is SecKeyCreateWithData.
    public convenience init(
        externalRepresentation secret: borrowing Secret, type: AsymmetricKeyType
    ) throws(KeychainError) {
        self.init(
            sameAs: try secret.withBytes { bytes throws(KeychainError) in
                switch type {
                case .rsa: try .rsa(.read(bytes))
                case .ellipticCurve: try .ellipticCurve(bytes)
                case .ed25519, .x25519: try .raw(bytes, type)
                }
            })
    }

    /// Creates a key from its parts, which fit.
    init(publicKey: PublicKey, key: LibcryptoKey, representation: consuming Secret) {
        self.publicKey = publicKey
        self.key = key
        self.representation = representation
    }

    /// Creates the same key, for initializers of formats.
    init(sameAs other: PrivateKey) {
        publicKey = other.publicKey
        key = other.key
        representation = other.representation.copy()
    }

    /// The key as bytes: an RSAPrivateKey of PKCS #1; `04 || X || Y || K` for an elliptic curve; the 32
    /// bytes of Ed25519 and X25519. Equal keys have equal bytes.
    ///
    /// The corresponding function is SecKeyCopyExternalRepresentation.
    public func externalRepresentation() -> Secret {
        representation.copy()
    }

    /// Lends the external representation to a closure.
    func withExternalRepresentation<Result: ~Copyable>(
        _ body: (Span<UInt8>) throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        try representation.withBytes(body)
    }
}
