internal import LanyardCertificates
internal import KeychainServices

/// The keys' mathematics, by the module Certificates.
struct CertificateSigning: KeySigning {
    func check(_ key: borrowing WirePrivateKey) throws(KeychainError) {
        _ = try CertificateSigning.privateKey(key)
    }

    func sign(
        _ request: SignRequest, with key: borrowing WirePrivateKey
    ) throws(KeychainError) -> ByteString {
        try CertificateSigning.sign(request, with: try CertificateSigning.privateKey(key))
    }

    /// Returns the key, whose public half has to be the one that its client named.
    private static func privateKey(
        _ key: borrowing WirePrivateKey
    ) throws(KeychainError) -> PrivateKey {
        let privateKey = try PrivateKey(sshFields: key.fields)
        guard try SSHPublicKey(privateKey.publicKey).blob == key.publicKey.bytes else {
            throw KeychainError(.param, "the private key does not fit the public key")
        }
        return privateKey
    }

    func isSignature(
        _ signature: ByteString, of data: ByteString, by publicKey: ByteString
    ) -> Bool {
        guard
            let key = (try? SSHPublicKey(blob: publicKey.bytes.span))
                ?? (try? SSHPublicKey(certificate: publicKey.bytes.span))
        else {
            return false
        }
        return key.verify(signature.bytes.span, of: data.bytes.span)
    }

    func fingerprint(of publicKey: ByteString) -> String {
        (try? SSHPublicKey(blob: publicKey.bytes.span))?.fingerprint ?? "an unknown key"
    }

    /// Signs a request's data with a private key.
    ///
    /// - Throws: ``Status/param`` for an RSA key without a flag: that means SHA-1, which is broken.
    static func sign(
        _ request: SignRequest, with key: PrivateKey
    ) throws(KeychainError) -> ByteString {
        var algorithm: SSHSignatureAlgorithm?
        if key.type == .rsa {
            if request.flags.contains(.sha256) {
                algorithm = .rsaSHA256
            } else if request.flags.contains(.sha512) {
                algorithm = .rsaSHA512
            } else {
                throw KeychainError(.param, "signatures with SHA-1 are refused")
            }
        }
        return ByteString(try key.sshSignature(of: request.data.bytes.span, algorithm))
    }
}
