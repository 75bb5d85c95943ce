internal import LanyardSecrets

/// How an openssh-key-v1 file is encrypted: OpenSSH's PROTOCOL.key.
enum OpenSSHEncryption {
    /// A cipher that is read, and how ssh-keygen names it.
    static let ciphers: [(name: StaticString, cipher: SymmetricCipher)] = [
        ("aes256-ctr", .aes256CTR), ("aes192-ctr", .aes192CTR), ("aes128-ctr", .aes128CTR),
        ("aes256-cbc", .aes256CBC), ("aes192-cbc", .aes192CBC), ("aes128-cbc", .aes128CBC),
        ("3des-cbc", .desEDE3CBC),
    ]

    /// The number of rounds that ssh-keygen makes since 9.4.
    static let rounds = 24

    /// Returns the private part encrypted or decrypted.
    static func apply(
        _ direction: SymmetricCipher.Direction, _ bytes: Span<UInt8>, _ cipher: SymmetricCipher,
        password: borrowing Secret, salt: [UInt8], rounds: Int
    ) throws(KeychainError) -> Secret {
        let material = try BcryptKeyDerivation.derive(
            password, salt: salt, rounds: rounds,
            count: cipher.keyByteCount + cipher.vectorByteCount)
        let key = material.prefix(cipher.keyByteCount)
        let vector = material.dropping(cipher.keyByteCount)
        return try vector.withBytes { vector throws(KeychainError) in
            try cipher.apply(direction, bytes, key: key, vector: vector, isPadded: false)
        }
    }
}
