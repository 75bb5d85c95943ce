internal import LanyardSecrets

extension PrivateKey {
    static func rsa(_ numbers: borrowing RSAPrivateNumbers) throws(KeychainError) -> PrivateKey {
        let encoded = try numbers.publicNumbers.encoded()
        return PrivateKey(
            publicKey: try PublicKey(externalRepresentation: encoded.span, type: .rsa),
            key: try numbers.makeKey(), representation: try numbers.encoded())
    }

    /// Returns the key of an elliptic curve from `04 || X || Y || K`.
    static func ellipticCurve(_ bytes: Span<UInt8>) throws(KeychainError) -> PrivateKey {
        guard
            let curve = EllipticCurve.allCases.first(where: {
                $0.pointByteCount + $0.byteCount == bytes.count
            })
        else {
            throw .invalidKeyFormat
        }
        return try .ellipticCurve(
            curve, scalar: bytes.extracting(droppingFirst: curve.pointByteCount),
            point: ByteString(copying: bytes.extracting(first: curve.pointByteCount)).bytes)
    }

    /// Returns the key of an elliptic curve from a private key, with leading zeros or
    /// without, and its uncompressed point, if the format has it.
    ///
    /// - Throws: ``Status/publicKeyInconsistent`` for the point of another key.
    static func ellipticCurve(
        _ curve: EllipticCurve, scalar: Span<UInt8>, point: [UInt8]?
    ) throws(KeychainError) -> PrivateKey {
        guard scalar.count <= curve.byteCount else {
            throw .invalidKeyFormat
        }
        let scalar = try BigNumber(scalar)
        let derived = try curve.point(of: scalar)
        if let point, derived != point {
            throw KeychainError.publicKeyInconsistent
        }
        var builder = SecretBuilder(capacity: curve.pointByteCount + curve.byteCount)
        builder.append(derived.span)
        builder.append(try scalar.bytes(count: curve.byteCount))
        return PrivateKey(
            publicKey: try PublicKey(
                externalRepresentation: derived.span, type: .ellipticCurve),
            key: try curve.makePrivateKey(scalar: scalar, point: derived.span),
            representation: builder.finish())
    }

    /// Returns an Ed25519 or X25519 key from its 32 bytes.
    static func raw(_ bytes: Span<UInt8>, _ type: AsymmetricKeyType) throws(KeychainError)
        -> PrivateKey
    {
        guard bytes.count == 32 else {
            throw .invalidKeyFormat
        }
        let key = try type.makeRawKey(bytes, isPrivate: true)
        let publicBytes = try PublicKey.rawBytes(of: key)
        return PrivateKey(
            publicKey: try PublicKey(externalRepresentation: publicBytes.span, type: type),
            key: key, representation: Secret(copying: bytes))
    }
}
