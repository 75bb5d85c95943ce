/// A kind of signatures of SSH. The raw values are SSH's names.
///
/// RFC 8709, section 6; RFC 5656, section 3.1; RFC 8332, section 3. The `ssh-rsa` of SHA-1 is not among them.
public enum SSHSignatureAlgorithm: String, Hashable, Sendable, CaseIterable {
    /// Of an Ed25519 key.
    case ed25519 = "ssh-ed25519"
    /// Of a P-256 key, with SHA-256.
    case ecdsaP256 = "ecdsa-sha2-nistp256"
    /// Of a P-384 key, with SHA-384.
    case ecdsaP384 = "ecdsa-sha2-nistp384"
    /// Of a P-521 key, with SHA-512.
    case ecdsaP521 = "ecdsa-sha2-nistp521"
    /// Of an RSA key, with SHA-256.
    case rsaSHA256 = "rsa-sha2-256"
    /// Of an RSA key, with SHA-512.
    case rsaSHA512 = "rsa-sha2-512"

    /// Returns the kinds that a key can sign with, the preferred one first; none for X25519.
    public static func all(of key: PublicKey) -> [SSHSignatureAlgorithm] {
        switch (key.type, key.curve) {
        case (.rsa, _): [.rsaSHA512, .rsaSHA256]
        case (.ellipticCurve, .p256): [.ecdsaP256]
        case (.ellipticCurve, .p384): [.ecdsaP384]
        case (.ellipticCurve, .p521): [.ecdsaP521]
        case (.ed25519, _): [.ed25519]
        default: []
        }
    }

    /// The algorithm of Keychain Services.
    var algorithm: KeyAlgorithm {
        switch self {
        case .ed25519: .edDSASignatureMessageCurve25519SHA512
        case .ecdsaP256: .ecdsaSignatureMessageRFC4754SHA256
        case .ecdsaP384: .ecdsaSignatureMessageRFC4754SHA384
        case .ecdsaP521: .ecdsaSignatureMessageRFC4754SHA512
        case .rsaSHA256: .rsaSignatureMessagePKCS1v15SHA256
        case .rsaSHA512: .rsaSignatureMessagePKCS1v15SHA512
        }
    }
}
