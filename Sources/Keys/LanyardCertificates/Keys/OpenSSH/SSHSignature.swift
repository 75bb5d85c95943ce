public import LanyardSecrets

extension PrivateKey {
    /// Signs a message and returns the signature as SSH sends it: the kind's name, then the signature.
    ///
    /// - Parameter algorithm: The kind, by default the preferred one of the key.
    /// - Throws: ``Status/invalidAlgorithm`` for a kind of other keys.
    ///
    /// RFC 4253, section 6.6; RFC 5656, section 3.1.2.
    public func sshSignature(
        of message: Span<UInt8>, _ algorithm: SSHSignatureAlgorithm? = nil
    ) throws(KeychainError) -> [UInt8] {
        let kinds = SSHSignatureAlgorithm.all(of: publicKey)
        guard let algorithm = algorithm ?? kinds.first, kinds.contains(algorithm) else {
            throw .wrongAlgorithm
        }
        let signature = try sign(message, algorithm.algorithm)
        var blob = SecretBuilder()
        blob.append(sshString: Array(algorithm.rawValue.utf8))
        guard publicKey.curve != nil else {
            blob.append(sshString: signature)
            return blob.finish().publicBytes()
        }
        let half = signature.count / 2
        var integers = SecretBuilder()
        integers.append(sshInteger: signature.span.extracting(first: half))
        integers.append(sshInteger: signature.span.extracting(droppingFirst: half))
        blob.append(sshString: integers.finish().publicBytes())
        return blob.finish().publicBytes()
    }
}

extension SSHPublicKey {
    /// Returns whether a signature in SSH's form is this key's of a message. A damaged one is not.
    ///
    /// RFC 4253, section 6.6; RFC 5656, section 3.1.2.
    public func verify(_ signature: Span<UInt8>, of message: Span<UInt8>) -> Bool {
        do throws(KeychainError) {
            var reader = SSHReader()
            let name = ByteString(copying: signature.extracting(try reader.string(in: signature)))
            let bytes = signature.extracting(try reader.string(in: signature))
            try reader.finish(in: signature)
            let kinds = SSHSignatureAlgorithm.all(of: key)
            guard let algorithm = kinds.first(where: { name == ByteString($0.rawValue) }) else {
                return false
            }
            guard let curve = key.curve else {
                return try key.verify(bytes, of: message, algorithm.algorithm)
            }
            let plain = try fixedLength(bytes, curve)
            return try key.verify(plain.span, of: message, algorithm.algorithm)
        } catch {
            return false
        }
    }

    /// Returns the two integers of a signature, each with as many bytes as the curve has.
    private func fixedLength(
        _ bytes: Span<UInt8>, _ curve: EllipticCurve
    ) throws(KeychainError) -> [UInt8] {
        var reader = SSHReader()
        var plain: [UInt8] = []
        for _ in 0..<2 {
            let number = try reader.integer(in: bytes)
            guard number.count <= curve.byteCount else {
                throw .invalidKeyFormat
            }
            plain += [UInt8](repeating: 0, count: curve.byteCount - number.count)
            plain += number.map { bytes[$0] }
        }
        try reader.finish(in: bytes)
        return plain
    }
}
