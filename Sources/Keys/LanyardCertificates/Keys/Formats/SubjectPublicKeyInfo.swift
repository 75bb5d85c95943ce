public import LanyardSecrets

extension PublicKey {
    /// Creates a key from a SubjectPublicKeyInfo in DER.
    ///
    /// - Throws: ``Status/invalidKeyFormat``; ``Status/unsupportedKeyFormat`` for other types and
    ///   curves; ``Status/unsupportedKeySize``.
    ///
    /// RFC 5280, section 4.1; RFC 3279, RFC 5480 and RFC 8410 for the types.
    public convenience init(subjectPublicKeyInfo bytes: Span<UInt8>) throws(KeychainError) {
        var reader = try DERReader.sequence(bytes)
        let algorithm = try KeyAlgorithmIdentifier(reader.sequence(in: bytes), in: bytes)
        let key = bytes.extracting(try reader.bitString(in: bytes))
        try reader.finish()
        if let curve = algorithm.curve,
            ![curve.pointByteCount, curve.byteCount + 1].contains(key.count)
        {
            throw .invalidKeyFormat
        }
        try self.init(externalRepresentation: key, type: algorithm.type)
    }

    /// The key as a SubjectPublicKeyInfo in DER, which is what `openssl pkey -pubout` writes.
    ///
    /// RFC 5280, section 4.1.
    public var subjectPublicKeyInfo: [UInt8] {
        Secret.sequence { sequence in
            KeyAlgorithmIdentifier(self).append(to: &sequence)
            sequence.append(bitString: externalRepresentation)
        }.publicBytes()
    }
}
