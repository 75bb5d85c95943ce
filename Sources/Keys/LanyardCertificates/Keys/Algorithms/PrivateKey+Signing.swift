internal import CLibcrypto
public import LanyardSecrets

extension PrivateKey {
    /// Signs a message, or a digest where the algorithm says so.
    ///
    /// - Throws: ``Status/invalidAlgorithm`` for an algorithm of other keys, and for SHA-1, with which
    ///   signatures are verified only; ``Status/param`` for a digest of another length.
    ///
    /// The corresponding function is SecKeyCreateSignature.
    public func sign(
        _ input: Span<UInt8>, _ algorithm: KeyAlgorithm
    ) throws(KeychainError) -> [UInt8] {
        guard isSupported(algorithm, for: .sign) else {
            throw .wrongAlgorithm
        }
        switch algorithm.kind {
        case .rsaSignature(let kind, let padding, let digest):
            let context = try KeyContext(key, .sign)
            try context.set(padding, digest)
            return try sign(digest.input(input, kind), context)
        case .ecdsa(let kind, let form, let digest):
            let context = try KeyContext(key, .sign)
            let signature = try sign(digest.input(input, kind), context)
            guard form == .rfc4754, let curve = publicKey.curve else {
                return signature
            }
            return try curve.fixedLength(signature.span)
        case .edDSA: return try signEd25519(input)
        default: throw .wrongAlgorithm
        }
    }

    private func sign(
        _ digest: [UInt8], _ context: borrowing KeyContext
    ) throws(KeychainError) -> [UInt8] {
        // Safe: `apply` passes valid memory.
        try unsafe context.apply(
            EVP_PKEY_sign, digest.span, .invalidAlgorithm, "the key is too short for the algorithm"
        ).publicBytes()
    }

    private func signEd25519(_ message: Span<UInt8>) throws(KeychainError) -> [UInt8] {
        // Safe: freed at the end; the message is read during the call only.
        let context = unsafe EVP_MD_CTX_new()
        defer { unsafe EVP_MD_CTX_free(context) }
        var signature = [UInt8](repeating: 0, count: 64)
        var count = signature.count
        guard unsafe EVP_DigestSignInit(context, nil, nil, nil, key.pointer) == 1 else {
            throw Libcrypto.error(.allocate)
        }
        let result = unsafe message.withUnsafeBufferPointer {
            unsafe EVP_DigestSign(context, &signature, &count, $0.baseAddress, $0.count)
        }
        try Libcrypto.check(result, .invalidAlgorithm)
        return signature
    }
}

extension DigestAlgorithm {
    /// Returns the digest of a message, or checks the length of one that is given.
    func input(
        _ bytes: Span<UInt8>, _ kind: KeyAlgorithm.Input
    ) throws(KeychainError) -> [UInt8] {
        guard kind == .digest else {
            return Libcrypto.digest(bytes, self)
        }
        guard bytes.count == byteCount else {
            throw KeychainError(.param, "the digest has a wrong length")
        }
        return ByteString(copying: bytes).bytes
    }
}
