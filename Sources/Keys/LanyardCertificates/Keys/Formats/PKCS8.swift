public import LanyardSecrets

extension PrivateKey {
    /// Creates a key from a PrivateKeyInfo in DER, also of the second version with a public key.
    ///
    /// - Throws: ``Status/invalidKeyFormat``; ``Status/unsupportedKeyFormat`` for other types and
    ///   curves; ``Status/unsupportedKeySize``; ``Status/publicKeyInconsistent``.
    ///
    /// RFC 5958, section 2.
    public convenience init(pkcs8 secret: borrowing Secret) throws(KeychainError) {
        self.init(
            sameAs: try secret.withBytes { bytes throws(KeychainError) in try .read(pkcs8: bytes) })
    }

    /// The key as a PrivateKeyInfo in DER, which is what `openssl pkey` writes.
    ///
    /// RFC 5208, section 5; RFC 8410, section 7.
    public func pkcs8() throws(KeychainError) -> Secret {
        try Secret.sequence { sequence throws(KeychainError) in
            sequence.append(integer: 0)
            KeyAlgorithmIdentifier(publicKey).append(to: &sequence)
            let key: Secret
            switch type {
            case .rsa: key = externalRepresentation()
            case .ellipticCurve: key = try sec1(parameters: false)
            case .ed25519, .x25519:
                var builder = SecretBuilder()
                builder.append(.octetString, externalRepresentation())
                key = builder.finish()
            }
            sequence.append(.octetString, key)
        }
    }
}

extension PrivateKey {
    /// Reads a PrivateKeyInfo.
    static func read(pkcs8 bytes: Span<UInt8>) throws(KeychainError) -> PrivateKey {
        var reader = try DERReader.sequence(bytes)
        guard try reader.number(in: bytes) <= 1 else {
            throw .invalidKeyFormat
        }
        let algorithm = try KeyAlgorithmIdentifier(reader.sequence(in: bytes), in: bytes)
        let key = try reader.read(.octetString, in: bytes)
        // Attributes, which say nothing about the key.
        if reader.tag(in: bytes) == DERTag.context0.rawValue {
            _ = try reader.read(.context0, in: bytes)
        }
        var publicKey: [UInt8]?
        if reader.tag(in: bytes) == DERTag.implicitContext1.rawValue {
            let content = bytes.extracting(try reader.read(.implicitContext1, in: bytes))
            guard content.count > 1, content[0] == 0 else {
                throw .invalidKeyFormat
            }
            publicKey = ByteString(copying: content.extracting(droppingFirst: 1)).bytes
        }
        try reader.finish()
        let privateKey = try read(algorithm, key: bytes.extracting(key))
        if let publicKey {
            let given = try PublicKey(
                externalRepresentation: publicKey.span, type: algorithm.type)
            guard given == privateKey.publicKey else {
                throw KeychainError.publicKeyInconsistent
            }
        }
        return privateKey
    }

    private static func read(
        _ algorithm: KeyAlgorithmIdentifier, key: Span<UInt8>
    ) throws(KeychainError) -> PrivateKey {
        switch algorithm.type {
        case .rsa:
            return try .rsa(.read(key))
        case .ellipticCurve:
            return try .read(sec1: key, algorithm.curve)
        case .ed25519, .x25519:
            var reader = DERReader(0..<key.count)
            let content = try reader.read(.octetString, in: key)
            try reader.finish()
            return try .raw(key.extracting(content), algorithm.type)
        }
    }
}
