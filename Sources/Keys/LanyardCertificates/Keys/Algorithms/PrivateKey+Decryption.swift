internal import CLibcrypto
public import LanyardSecrets

extension PrivateKey {
    /// Decrypts bytes that were encrypted with the public key.
    ///
    /// With PKCS #1 v1.5 the answer, and how long it takes, may tell an attacker whether the padding was
    /// right (Bleichenbacher's attack): use it for files, never to answer a network's messages.
    ///
    /// - Throws: ``Status/invalidAlgorithm`` for an algorithm of other keys; ``Status/decode`` for
    ///   another key and for damaged bytes.
    ///
    /// The corresponding function is SecKeyCreateDecryptedData.
    public func decrypt(
        _ bytes: Span<UInt8>, _ algorithm: KeyAlgorithm
    ) throws(KeychainError) -> Secret {
        guard isSupported(algorithm, for: .decrypt) else {
            throw .wrongAlgorithm
        }
        guard bytes.count <= PublicKey.textLimit + 4096 else {
            throw KeychainError(.dataTooLarge)
        }
        switch algorithm.kind {
        case .rsaPKCS1: return try decryptRSA(bytes, nil)
        case .rsaOAEP(let digest, withAESGCM: false): return try decryptRSA(bytes, digest)
        case .rsaOAEP(let digest, withAESGCM: true):
            let count = (sizeInBits + 7) / 8
            guard bytes.count >= count + AESGCM.tagByteCount else {
                throw .cantDecrypt
            }
            let session = try decryptRSA(bytes.extracting(first: count), digest)
            guard session.count == publicKey.sessionKeyByteCount else {
                throw .cantDecrypt
            }
            let vector = [UInt8](repeating: 0, count: AESGCM.vectorByteCount)
            return try AESGCM.decrypt(
                bytes.extracting(droppingFirst: count), key: session, vector: vector.span,
                authenticating: publicKey.externalRepresentation)
        case .ecies(_, let digest, let variableIV):
            return try decryptECIES(bytes, digest, variableIV: variableIV)
        default: throw .wrongAlgorithm
        }
    }

    private func decryptECIES(
        _ bytes: Span<UInt8>, _ digest: DigestAlgorithm, variableIV: Bool
    ) throws(KeychainError) -> Secret {
        let count = publicKey.externalRepresentation.count
        guard bytes.count >= count + AESGCM.tagByteCount else {
            throw .cantDecrypt
        }
        let ephemeral: PublicKey
        do throws(KeychainError) {
            ephemeral = try PublicKey(
                externalRepresentation: bytes.extracting(first: count), type: type)
        } catch {
            throw .cantDecrypt
        }
        let keys = try ECIESKeys(
            self, ephemeral, ephemeral: ephemeral, digest, variableIV: variableIV)
        return try keys.decrypt(bytes.extracting(droppingFirst: count))
    }

    private func decryptRSA(
        _ bytes: Span<UInt8>, _ digest: DigestAlgorithm?
    ) throws(KeychainError) -> Secret {
        guard bytes.count == (sizeInBits + 7) / 8 else {
            throw .cantDecrypt
        }
        let context = try KeyContext(key, .decrypt)
        try context.set(oaep: digest)
        // Safe: `apply` passes valid memory.
        return try unsafe context.apply(
            EVP_PKEY_decrypt, bytes, KeychainError.cantDecrypt.status,
            KeychainError.cantDecrypt.reason)
    }
}
