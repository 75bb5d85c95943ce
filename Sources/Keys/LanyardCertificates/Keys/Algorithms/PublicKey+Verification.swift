internal import CLibcrypto
public import LanyardSecrets

extension PublicKey {
    /// Returns whether a signature of a message, or of a digest where the algorithm says so, is valid. A
    /// damaged one is not.
    ///
    /// - Throws: ``Status/invalidAlgorithm`` for an algorithm of other keys; ``Status/param`` for a digest
    ///   of another length.
    ///
    /// The corresponding function is SecKeyVerifySignature.
    public func verify(
        _ signature: Span<UInt8>, of input: Span<UInt8>, _ algorithm: KeyAlgorithm
    ) throws(KeychainError) -> Bool {
        guard isSupported(algorithm, for: .verify) else {
            throw .wrongAlgorithm
        }
        switch algorithm.kind {
        case .rsaSignature(let kind, let padding, let digest):
            let context = try KeyContext(key, .verify)
            try context.set(padding, digest)
            return try verify(signature, digest.input(input, kind), context)
        case .ecdsa(let kind, let form, let digest):
            let context = try KeyContext(key, .verify)
            let bytes = try digest.input(input, kind)
            guard form == .rfc4754 else {
                return verify(signature, bytes, context)
            }
            guard let encoded = curve?.encodedInDER(signature) else {
                return false
            }
            return verify(encoded.span, bytes, context)
        case .edDSA: return try verifyEd25519(signature, input)
        default: throw .wrongAlgorithm
        }
    }

    private func verify(
        _ signature: Span<UInt8>, _ digest: [UInt8], _ context: borrowing KeyContext
    ) -> Bool {
        let pointer = unsafe context.pointer  // Safe: used while the context lives.
        // Safe: the signature and the digest are read during the call only.
        let result = unsafe signature.withUnsafeBufferPointer {
            unsafe EVP_PKEY_verify(pointer, $0.baseAddress, $0.count, digest, digest.count)
        }
        ERR_clear_error()
        return result == 1
    }

    private func verifyEd25519(
        _ signature: Span<UInt8>, _ message: Span<UInt8>
    ) throws(KeychainError) -> Bool {
        // Safe: freed at the end; the bytes are read during the call only.
        let context = unsafe EVP_MD_CTX_new()
        defer { unsafe EVP_MD_CTX_free(context) }
        guard unsafe EVP_DigestVerifyInit(context, nil, nil, nil, key.pointer) == 1 else {
            throw Libcrypto.error(.allocate)
        }
        let result = unsafe signature.withUnsafeBufferPointer { signature in
            unsafe message.withUnsafeBufferPointer { message in
                unsafe EVP_DigestVerify(
                    context, signature.baseAddress, signature.count, message.baseAddress,
                    message.count)
            }
        }
        ERR_clear_error()
        return result == 1
    }
}
