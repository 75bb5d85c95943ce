/// The form of a file with a key.
public enum KeyFormat: Hashable, Sendable, CaseIterable {
    /// A private key of any type: PKCS #8, RFC 5958.
    case pkcs8
    /// An RSA private key: PKCS #1, RFC 8017, appendix A.1.2.
    case pkcs1
    /// A private key of an elliptic curve: SEC 1, RFC 5915.
    case sec1
    /// A private key as ssh-keygen writes it: openssh-key-v1.
    case openSSH
    /// A public key of any type: SubjectPublicKeyInfo, RFC 5280, section 4.1.
    case subjectPublicKeyInfo
    /// An RSA public key: PKCS #1, RFC 8017, appendix A.1.1.
    case pkcs1PublicKey
    /// A line with a public key, as in `id_ed25519.pub` and `authorized_keys`.
    case openSSHPublicKey
}
