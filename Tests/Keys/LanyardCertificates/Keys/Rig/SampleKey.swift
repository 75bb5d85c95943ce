import LanyardSecrets

@testable import LanyardCertificates

/// A key of each type, curve and some sizes, and how openssl and ssh-keygen make one.
enum SampleKey: CaseIterable {
    case rsa2048, rsa3072, p256, p384, p521, ed25519, x25519

    var type: AsymmetricKeyType {
        switch self {
        case .rsa2048, .rsa3072: .rsa
        case .p256, .p384, .p521: .ellipticCurve
        case .ed25519: .ed25519
        case .x25519: .x25519
        }
    }

    var sizeInBits: Int {
        switch self {
        case .rsa2048: 2048
        case .rsa3072: 3072
        case .p384: 384
        case .p521: 521
        default: 256
        }
    }

    /// The arguments of `openssl genpkey`.
    var opensslArguments: [String] {
        switch self {
        case .rsa2048, .rsa3072: ["RSA", "-pkeyopt", "rsa_keygen_bits:\(sizeInBits)"]
        case .p256, .p384, .p521: ["EC", "-pkeyopt", "ec_paramgen_curve:P-\(sizeInBits)"]
        case .ed25519: ["ED25519"]
        case .x25519: ["X25519"]
        }
    }

    /// The types that SSH has.
    static let ofSSH = allCases.filter { $0 != .x25519 }

    var sshName: String {
        switch type {
        case .rsa: "rsa"
        case .ellipticCurve: "ecdsa"
        default: "ed25519"
        }
    }

    /// The format besides PKCS #8 and OpenSSH's.
    var traditional: KeyFormat? {
        switch type {
        case .rsa: .pkcs1
        case .ellipticCurve: .sec1
        default: nil
        }
    }

    /// Generates a key. An RSA key is always the same in one run, because it takes long.
    func generate() throws -> PrivateKey {
        if type == .rsa, let key = Self.rsaKeys[self] {
            return key
        }
        return try PrivateKey(generating: type, sizeInBits: sizeInBits)
    }

    private static let rsaKeys: [SampleKey: PrivateKey] = {
        var keys: [SampleKey: PrivateKey] = [:]
        for sample in [SampleKey.rsa2048, .rsa3072] {
            keys[sample] = try? PrivateKey(generating: .rsa, sizeInBits: sample.sizeInBits)
        }
        return keys
    }()
}

extension KeyPeer {
    /// Runs `openssl genpkey`.
    func generate(_ key: SampleKey, _ name: String) async throws {
        switch key.opensslArguments.count {
        case 1:
            try await run("openssl", "genpkey", "-algorithm", key.opensslArguments[0], "-out", name)
        default:
            try await run(
                "openssl", "genpkey", "-algorithm", key.opensslArguments[0], "-pkeyopt",
                key.opensslArguments[2], "-out", name)
        }
    }
}

extension KeyFile {
    var privateKey: PrivateKey? {
        if case .privateKey(let key) = key { key } else { nil }
    }

    var publicKey: PublicKey {
        switch key {
        case .privateKey(let key): key.publicKey
        case .publicKey(let key): key
        }
    }
}
