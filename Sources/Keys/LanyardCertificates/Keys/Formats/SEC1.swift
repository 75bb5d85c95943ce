package import LanyardSecrets

extension PrivateKey {
    /// The key of an elliptic curve as an ECPrivateKey in DER: RFC 5915, section 3.
    ///
    /// - Parameter parameters: Whether to name the curve, which PKCS #8 does elsewhere.
    package func sec1(parameters: Bool) throws(KeychainError) -> Secret {
        guard let curve = publicKey.curve else {
            throw KeychainError(
                .invalidAlgorithm, "only keys of elliptic curves have this format")
        }
        let point = publicKey.externalRepresentation
        return try withExternalRepresentation { bytes throws(KeychainError) in
            Secret.sequence { sequence in
                sequence.append(integer: 1)
                sequence.append(
                    .octetString, bytes.extracting(droppingFirst: curve.pointByteCount))
                if parameters {
                    sequence.append(.context0) { $0.append(curve.identifier) }
                }
                sequence.append(.context1) {
                    $0.append(bitString: point)
                }
            }
        }
    }
}

extension PrivateKey {
    /// Reads an ECPrivateKey, whose curve may also be given from outside: RFC 5915, section 3.
    static func read(
        sec1 bytes: Span<UInt8>, _ given: EllipticCurve?
    ) throws(KeychainError) -> PrivateKey {
        var reader = try DERReader.sequence(bytes)
        guard try reader.number(in: bytes) == 1 else {
            throw .invalidKeyFormat
        }
        let scalar = try reader.read(.octetString, in: bytes)
        var curve = given
        if reader.tag(in: bytes) == DERTag.context0.rawValue {
            var parameters = DERReader(try reader.read(.context0, in: bytes))
            let named = try EllipticCurve(parameters: &parameters, in: bytes)
            try parameters.finish()
            guard given == nil || given == named else {
                throw .invalidKeyFormat
            }
            curve = named
        }
        guard let curve else {
            throw .invalidKeyFormat
        }
        var point: [UInt8]?
        if reader.tag(in: bytes) == DERTag.context1.rawValue {
            var content = DERReader(try reader.read(.context1, in: bytes))
            point = try curve.uncompressed(bytes.extracting(content.bitString(in: bytes)))
            try content.finish()
        }
        try reader.finish()
        return try .ellipticCurve(curve, scalar: bytes.extracting(scalar), point: point)
    }
}
