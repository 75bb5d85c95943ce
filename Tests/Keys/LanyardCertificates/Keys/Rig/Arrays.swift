import LanyardSecrets

@testable import LanyardCertificates

// With arrays, because `#expect` can't take spans.
extension PublicKey {
    func accepts(
        _ signature: [UInt8], of input: [UInt8], _ algorithm: KeyAlgorithm
    ) throws -> Bool {
        try verify(signature.span, of: input.span, algorithm)
    }
}

extension SSHPublicKey {
    func accepts(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        verify(signature.span, of: message.span)
    }
}

extension PrivateKey {
    func decrypted(_ bytes: [UInt8], _ algorithm: KeyAlgorithm) throws -> [UInt8] {
        try decrypt(bytes.span, algorithm).publicBytes()
    }
}
