internal import LanyardSecrets

/// The types of public keys of SSH: RFC 4253, section 6.6; RFC 5656; RFC 8709.
enum SSHKeyType: CaseIterable {
    case rsa, p256, p384, p521, ed25519

    /// The name in blobs and lines.
    var name: StaticString {
        switch self {
        case .rsa: "ssh-rsa"
        case .p256: "ecdsa-sha2-nistp256"
        case .p384: "ecdsa-sha2-nistp384"
        case .p521: "ecdsa-sha2-nistp521"
        case .ed25519: "ssh-ed25519"
        }
    }

    /// The name of certificates with such a key.
    var certificateName: String { "\(name)-cert-v01@openssh.com" }

    /// The curve and its name, nil for other types.
    var curve: (EllipticCurve, name: StaticString)? {
        switch self {
        case .p256: (.p256, "nistp256")
        case .p384: (.p384, "nistp384")
        case .p521: (.p521, "nistp521")
        case .rsa, .ed25519: nil
        }
    }

    /// Returns the type with this name, nil if there is none.
    init?(name: Span<UInt8>) {
        guard let type = Self.allCases.first(where: { name.equals($0.name) }) else {
            return nil
        }
        self = type
    }

    /// Returns the type of a key; X25519 keys have none.
    init(_ key: PublicKey) throws(KeychainError) {
        switch (key.type, key.curve) {
        case (.rsa, _): self = .rsa
        case (.ellipticCurve, .p256): self = .p256
        case (.ellipticCurve, .p384): self = .p384
        case (.ellipticCurve, .p521): self = .p521
        case (.ed25519, _): self = .ed25519
        default:
            throw KeychainError(.unsupportedKeyFormat, "SSH has no keys of this type")
        }
    }
}
