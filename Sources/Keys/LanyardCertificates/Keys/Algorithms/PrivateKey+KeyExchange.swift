internal import CLibcrypto
public import LanyardSecrets

extension PrivateKey {
    /// Returns the secret that this key and another one's public key have in common.
    ///
    /// - Parameters:
    ///   - publicKey: A public key of the same type and curve.
    ///   - algorithm: One of ``KeyAlgorithm/ecdhKeyExchangeStandard`` and the like. Without X9.63 the result
    ///     is the secret itself, which is not uniformly random.
    ///   - requestedSize: The number of bytes that X9.63 derives, from 1 to 65,536:
    ///     kSecKeyKeyExchangeParameterRequestedSize. Without X9.63 it is ignored.
    ///   - sharedInfo: What X9.63 mixes in: kSecKeyKeyExchangeParameterSharedInfo.
    /// - Throws: ``Status/invalidAlgorithm`` for an algorithm of other keys; ``Status/param`` for a key of
    ///   another type or curve, and for another size; ``Status/invalidKeyFormat`` for a public key of X25519
    ///   with which every secret is zero.
    ///
    /// The corresponding function is SecKeyCopyKeyExchangeResult.
    public func sharedSecret(
        with publicKey: PublicKey, _ algorithm: KeyAlgorithm, requestedSize: Int = 0,
        sharedInfo: [UInt8] = []
    ) throws(KeychainError) -> Secret {
        guard isSupported(algorithm, for: .keyExchange) else {
            throw .wrongAlgorithm
        }
        guard let digest = algorithm.kind.digest else {
            return try derive(publicKey)
        }
        guard (1...65536).contains(requestedSize), sharedInfo.count <= 65536 else {
            throw KeychainError(.param, "invalid size of a shared secret")
        }
        return try derive(publicKey).expandedX963(
            digest, sharedInfo: sharedInfo, count: requestedSize)
    }

    /// Returns the secret without a key derivation.
    func derive(_ publicKey: PublicKey) throws(KeychainError) -> Secret {
        guard publicKey.type == type, publicKey.sizeInBits == sizeInBits else {
            throw KeychainError(.param, "the keys are of different types")
        }
        return try KeyContext(key, .keyExchange).derive(publicKey.key)
    }
}

extension KeyContext {
    /// Returns the secret with another key. The corresponding function is `EVP_PKEY_derive`.
    fileprivate func derive(_ other: LibcryptoKey) throws(KeychainError) -> Secret {
        // Safe: the context holds the other key, too.
        try Libcrypto.check(
            unsafe EVP_PKEY_derive_set_peer(pointer, other.pointer), .invalidKeyFormat)
        // Safe: `apply` passes valid memory.
        return try unsafe apply(
            { context, output, count, _, _ in unsafe EVP_PKEY_derive(context, output, count) },
            Span(), .invalidKeyFormat)
    }
}

extension Secret {
    /// Returns bytes derived from the secret: X9.63, SEC 1, section 3.6.1.
    func expandedX963(
        _ digest: DigestAlgorithm, sharedInfo: [UInt8], count: Int
    ) -> Secret {
        var output = SecretBuilder(capacity: count + digest.byteCount)
        var number: UInt32 = 1
        while output.count < count {
            var block = SecretBuilder(capacity: self.count + 4 + sharedInfo.count)
            block.append(self)
            block.append(number.bigEndianBytes.span)
            block.append(sharedInfo.span)
            output.append(block.finish().withBytes { $0.secretDigest(digest) })
            number += 1
        }
        return output.finish().prefix(count)
    }
}
