internal import CLibcrypto
public import LanyardSecrets

extension PublicKey {
    /// The most bytes that are encrypted or decrypted at once: 16 MiB.
    static let textLimit = 16 << 20

    /// Encrypts bytes for the private key's owner.
    ///
    /// With OAEP alone the text is shorter than the key by twice the digest and 2 bytes, with PKCS #1 by
    /// 11; the algorithms with AES-GCM take up to 16 MiB.
    ///
    /// - Throws: ``Status/invalidAlgorithm`` for an algorithm of other keys; ``Status/dataTooLarge``.
    ///
    /// The corresponding function is SecKeyCreateEncryptedData.
    public func encrypt(
        _ text: borrowing Secret, _ algorithm: KeyAlgorithm
    ) throws(KeychainError) -> [UInt8] {
        guard isSupported(algorithm, for: .encrypt) else {
            throw .wrongAlgorithm
        }
        guard text.count <= Self.textLimit else {
            throw KeychainError(.dataTooLarge)
        }
        switch algorithm.kind {
        case .rsaPKCS1: return try encryptRSA(text, nil)
        case .rsaOAEP(let digest, withAESGCM: false): return try encryptRSA(text, digest)
        case .rsaOAEP(let digest, withAESGCM: true):
            let session = try Secret.random(sessionKeyByteCount)
            let wrapped = try encryptRSA(session, digest)
            let vector = [UInt8](repeating: 0, count: AESGCM.vectorByteCount)
            let encrypted = try text.withBytes { text throws(KeychainError) in
                try AESGCM.encrypt(
                    text, key: session, vector: vector.span, authenticating: externalRepresentation)
            }
            return wrapped + encrypted.publicBytes()
        case .ecies(_, let digest, let variableIV):
            let ephemeral = try PrivateKey(generating: type, sizeInBits: sizeInBits)
            let keys = try ECIESKeys(
                ephemeral, self, ephemeral: ephemeral.publicKey, digest, variableIV: variableIV)
            let encrypted = try text.withBytes { text throws(KeychainError) in
                try keys.encrypt(text)
            }
            return ephemeral.publicKey.externalRepresentation + encrypted.publicBytes()
        default: throw .wrongAlgorithm
        }
    }

    /// The number of bytes of the AES key beside an RSA key.
    var sessionKeyByteCount: Int { sizeInBits >= 4096 ? 32 : 16 }

    private func encryptRSA(
        _ text: borrowing Secret, _ digest: DigestAlgorithm?
    ) throws(KeychainError) -> [UInt8] {
        let overhead = digest.map { 2 * $0.byteCount + 2 } ?? 11
        guard text.count <= (sizeInBits + 7) / 8 - overhead else {
            throw KeychainError(.dataTooLarge, "too long for this key and algorithm")
        }
        let context = try KeyContext(key, .encrypt)
        try context.set(oaep: digest)
        return try text.withBytes { text throws(KeychainError) in
            // Safe: `apply` passes valid memory.
            try unsafe context.apply(EVP_PKEY_encrypt, text, .param, "the data can't be encrypted")
                .publicBytes()
        }
    }
}
