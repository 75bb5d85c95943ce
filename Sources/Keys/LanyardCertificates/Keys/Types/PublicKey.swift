public import LanyardSecrets

/// A public key. The corresponding type is SecKeyRef of the class kSecAttrKeyClassPublic.
public final class PublicKey: Sendable {
    /// The type of key: kSecAttrKeyType.
    public let type: AsymmetricKeyType
    /// The size: of an RSA key's modulus, of a curve's private keys: kSecAttrKeySizeInBits.
    public let sizeInBits: Int
    /// The key as bytes: an RSAPublicKey of PKCS #1; `04 || X || Y` for an elliptic curve; the 32 bytes of
    /// Ed25519 and X25519. Equal keys have equal bytes.
    ///
    /// The corresponding function is SecKeyCopyExternalRepresentation.
    public let externalRepresentation: [UInt8]

    /// libcrypto's key.
    let key: LibcryptoKey

    /// Creates a key from its external representation; the size follows from it.
    ///
    /// A compressed point of an elliptic curve is accepted, too.
    ///
    /// - Throws: ``Status/invalidKeyFormat``; ``Status/unsupportedKeySize`` for RSA keys under 1,024 or
    ///   over 16,384 bits.
    ///
    /// The corresponding function is SecKeyCreateWithData.
    public init(externalRepresentation bytes: Span<UInt8>, type: AsymmetricKeyType)
        throws(KeychainError)
    {
        self.type = type
        switch type {
        case .rsa:
            let numbers = try RSAPublicNumbers(bytes)
            sizeInBits = numbers.modulus.bitCount
            externalRepresentation = try numbers.encoded()
            key = try numbers.makeKey()
        case .ellipticCurve:
            guard
                let curve = EllipticCurve.allCases.first(where: {
                    [$0.pointByteCount, $0.byteCount + 1].contains(bytes.count)
                })
            else {
                throw .invalidKeyFormat
            }
            sizeInBits = curve.sizeInBits
            let point = try curve.uncompressed(bytes)
            externalRepresentation = point
            key = try curve.makePublicKey(point: point.span)
        case .ed25519, .x25519:
            guard bytes.count == 32 else {
                throw .invalidKeyFormat
            }
            sizeInBits = 256
            externalRepresentation = ByteString(copying: bytes).bytes
            key = try type.makeRawKey(bytes, isPrivate: false)
        }
    }

    /// The SHA-1 of the key's bytes: kSecAttrApplicationLabel of the key and of its private key,
    /// kSecAttrPublicKeyHash of its certificates.
    ///
    /// It is that of the content of subjectPublicKey, as in RFC 5280, section 4.2.1.2.
    public var hash: [UInt8] {
        let bytes = externalRepresentation
        return Libcrypto.digest(bytes.span, .sha1)
    }

    /// The curve, nil for keys that are not of ``AsymmetricKeyType/ellipticCurve``.
    var curve: EllipticCurve? {
        type == .ellipticCurve ? EllipticCurve(sizeInBits: sizeInBits) : nil
    }
}

extension PublicKey: Hashable {
    /// Whether both are the same key.
    public static func == (left: PublicKey, right: PublicKey) -> Bool {
        left.type == right.type && left.externalRepresentation == right.externalRepresentation
    }

    /// Feeds the key to a hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(type)
        hasher.combine(externalRepresentation)
    }
}
