internal import LanyardSecrets

/// The AlgorithmIdentifier that says of which type a key is: RFC 5280, section 4.1.1.2.
struct KeyAlgorithmIdentifier {
    let type: AsymmetricKeyType
    /// The curve of ``AsymmetricKeyType/ellipticCurve``, nil for other types.
    let curve: EllipticCurve?

    /// Reads the elements of an AlgorithmIdentifier.
    init(_ reader: DERReader, in bytes: Span<UInt8>) throws(KeychainError) {
        var reader = reader
        let identifier = bytes.extracting(try reader.read(.objectIdentifier, in: bytes))
        let types: [(ObjectIdentifier, AsymmetricKeyType)] = [
            (.rsaEncryption, .rsa), (.ecPublicKey, .ellipticCurve), (.ed25519, .ed25519),
            (.x25519, .x25519),
        ]
        guard let type = types.first(where: { $0.0.equals(identifier) })?.1 else {
            throw .unsupportedKeyType
        }
        self.type = type
        switch type {
        case .rsa:
            // RFC 3279 requires NULL; some programs leave it out.
            if !reader.isAtEnd {
                guard try reader.read(.null, in: bytes).isEmpty else {
                    throw .invalidKeyFormat
                }
            }
            curve = nil
        case .ellipticCurve:
            curve = try EllipticCurve(parameters: &reader, in: bytes)
        case .ed25519, .x25519:
            curve = nil
        }
        try reader.finish()
    }

    /// Creates the identifier of a key.
    init(_ key: PublicKey) {
        type = key.type
        curve = key.curve
    }

    /// Appends the AlgorithmIdentifier.
    func append(to builder: inout SecretBuilder) {
        builder.append(.sequence) { sequence in
            switch type {
            case .rsa:
                sequence.append(.rsaEncryption)
                sequence.append(.null, bytes: [])
            case .ellipticCurve:
                sequence.append(.ecPublicKey)
                if let curve {
                    sequence.append(curve.identifier)
                }
            case .ed25519: sequence.append(.ed25519)
            case .x25519: sequence.append(.x25519)
            }
        }
    }
}

extension EllipticCurve {
    /// Reads ECParameters that name the curve: RFC 5480, section 2.1.1.
    ///
    /// - Throws: ``Status/unsupportedKeyFormat`` for another curve, and for one whose numbers are given.
    init(parameters reader: inout DERReader, in bytes: Span<UInt8>) throws(KeychainError) {
        guard reader.tag(in: bytes) == DERTag.objectIdentifier.rawValue else {
            throw .unsupportedKeyType
        }
        let identifier = bytes.extracting(try reader.read(.objectIdentifier, in: bytes))
        guard let curve = EllipticCurve(identifier: identifier) else {
            throw .unsupportedKeyType
        }
        self = curve
    }
}
