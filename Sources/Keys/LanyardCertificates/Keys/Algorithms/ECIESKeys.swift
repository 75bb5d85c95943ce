internal import LanyardSecrets

/// What both sides of ECIES derive from a key exchange: an AES key, and perhaps the vector.
///
/// As in Keychain Services: X9.63 with the ephemeral public key as shared information; an AES key of 16
/// bytes for P-256, of 32 for larger curves; without a variable vector one of zeros.
struct ECIESKeys: ~Copyable {
    private let key: Secret
    private let vector: Secret

    /// Derives the keys. One of the two halves is ephemeral.
    init(
        _ privateKey: PrivateKey, _ publicKey: PublicKey, ephemeral: PublicKey,
        _ digest: DigestAlgorithm, variableIV: Bool
    ) throws(KeychainError) {
        let keyCount = publicKey.sizeInBits > 256 ? 32 : 16
        let secret = try privateKey.derive(publicKey)
        let material = secret.expandedX963(
            digest, sharedInfo: ephemeral.externalRepresentation,
            count: keyCount + (variableIV ? AESGCM.vectorByteCount : 0))
        key = material.prefix(keyCount)
        vector =
            variableIV
            ? material.dropping(keyCount)
            : Secret([UInt8](repeating: 0, count: AESGCM.vectorByteCount))
    }

    func encrypt(_ text: Span<UInt8>) throws(KeychainError) -> Secret {
        try vector.withBytes { vector throws(KeychainError) in
            try AESGCM.encrypt(text, key: key, vector: vector, authenticating: [])
        }
    }

    func decrypt(_ bytes: Span<UInt8>) throws(KeychainError) -> Secret {
        try vector.withBytes { vector throws(KeychainError) in
            try AESGCM.decrypt(bytes, key: key, vector: vector, authenticating: [])
        }
    }
}
