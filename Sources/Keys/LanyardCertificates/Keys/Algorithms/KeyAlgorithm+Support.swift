internal import LanyardSecrets

extension PrivateKey {
    /// Whether the key can do this: sign, decrypt and exchange keys.
    ///
    /// The corresponding function is SecKeyIsAlgorithmSupported.
    public func isSupported(_ algorithm: KeyAlgorithm, for operation: KeyOperation) -> Bool {
        algorithm.isSupported(byPrivateKeysOf: type, for: operation)
    }
}

extension PublicKey {
    /// Whether the key can do this: verify and encrypt.
    ///
    /// The corresponding function is SecKeyIsAlgorithmSupported.
    public func isSupported(_ algorithm: KeyAlgorithm, for operation: KeyOperation) -> Bool {
        algorithm.isSupported(byPublicKeysOf: type, for: operation)
    }
}

extension KeyAlgorithm {
    /// Whether private keys of a type sign, decrypt or exchange keys with the algorithm.
    package func isSupported(
        byPrivateKeysOf type: AsymmetricKeyType, for operation: KeyOperation
    ) -> Bool {
        guard kind.isOf(type) else {
            return false
        }
        return switch operation {
        case .sign: kind.isSignature && kind.digest != .sha1
        case .decrypt: kind.isEncryption
        case .keyExchange: kind.isKeyExchange
        case .verify, .encrypt: false
        }
    }

    /// Whether public keys of a type verify or encrypt with the algorithm.
    package func isSupported(
        byPublicKeysOf type: AsymmetricKeyType, for operation: KeyOperation
    ) -> Bool {
        guard kind.isOf(type) else {
            return false
        }
        return switch operation {
        case .verify: kind.isSignature
        case .encrypt: kind.isEncryption
        case .sign, .decrypt, .keyExchange: false
        }
    }
}

extension KeyAlgorithm.Kind {
    /// Whether keys of a type have the algorithm.
    func isOf(_ type: AsymmetricKeyType) -> Bool {
        switch self {
        case .rsaSignature, .rsaPKCS1, .rsaOAEP: type == .rsa
        case .ecdsa, .ecies: type == .ellipticCurve
        case .edDSA: type == .ed25519
        case .keyExchange: type == .ellipticCurve || type == .x25519
        }
    }

    var isSignature: Bool {
        switch self {
        case .rsaSignature, .ecdsa, .edDSA: true
        default: false
        }
    }

    var isEncryption: Bool {
        switch self {
        case .rsaPKCS1, .rsaOAEP, .ecies: true
        default: false
        }
    }

    var isKeyExchange: Bool {
        if case .keyExchange = self { true } else { false }
    }

    var digest: DigestAlgorithm? {
        switch self {
        case .rsaSignature(_, _, let digest), .ecdsa(_, _, let digest), .rsaOAEP(let digest, _),
            .ecies(_, let digest, _):
            digest
        case .keyExchange(_, let digest): digest
        case .edDSA, .rsaPKCS1: nil
        }
    }
}

extension KeychainError {
    static var wrongAlgorithm: KeychainError {
        KeychainError(.invalidAlgorithm, "keys of this type can't do this")
    }
}
