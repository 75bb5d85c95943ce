internal import LanyardSecrets

extension KeyFile {
    /// Reads the contents of an openssh-key-v1 file.
    static func read(
        openSSH contents: borrowing Secret, password: borrowing Secret?
    ) throws(KeychainError) -> KeyFile {
        try contents.withBytes { bytes throws(KeychainError) in
            let fields = try OpenSSHKeyFile(bytes)
            let publicKey = try SSHPublicKey(blob: bytes.extracting(fields.publicKey))
            let part = bytes.extracting(fields.privatePart)
            guard part.count % (fields.cipher?.vectorByteCount ?? 8) == 0 else {
                throw .invalidKeyFormat
            }
            guard let cipher = fields.cipher else {
                return try read(openSSHPart: part, publicKey, isEncrypted: false)
            }
            switch password {
            case .some(let password):
                let part = try OpenSSHEncryption.apply(
                    .decrypt, part, cipher, password: password, salt: fields.salt,
                    rounds: fields.rounds)
                return try part.withBytes { part throws(KeychainError) in
                    try read(openSSHPart: part, publicKey, isEncrypted: true)
                }
            case .none: throw KeychainError.passphraseRequired
            }
        }
    }

    /// Reads the private part.
    private static func read(
        openSSHPart bytes: Span<UInt8>, _ publicKey: SSHPublicKey, isEncrypted: Bool
    ) throws(KeychainError) -> KeyFile {
        var reader = SSHReader()
        guard try reader.number(in: bytes) == reader.number(in: bytes) else {
            throw isEncrypted
                ? KeychainError(.authFailed, wrongPassword) : .invalidKeyFormat
        }
        guard bytes.extracting(try reader.string(in: bytes)).equals(publicKey.type.name) else {
            throw .invalidKeyFormat
        }
        let key = try PrivateKey.read(openSSH: publicKey.type, &reader, in: bytes)
        let comment = ByteString(copying: bytes.extracting(try reader.string(in: bytes)))
        var padding: UInt8 = 1
        for index in reader.position..<bytes.count {
            guard bytes[index] == padding else {
                throw .invalidKeyFormat
            }
            padding &+= 1
        }
        guard key.publicKey == publicKey.key else {
            throw KeychainError.publicKeyInconsistent
        }
        return KeyFile(.openSSH, isEncrypted: isEncrypted, .privateKey(key), comment: comment)
    }
}

extension PrivateKey {
    /// Reads the numbers of a private key.
    static func read(
        openSSH type: SSHKeyType, _ reader: inout SSHReader, in bytes: Span<UInt8>
    ) throws(KeychainError) -> PrivateKey {
        switch type {
        case .rsa:
            let modulus = try BigNumber(bytes.extracting(reader.integer(in: bytes)))
            let exponent = try BigNumber(bytes.extracting(reader.integer(in: bytes)))
            let privateExponent = try BigNumber(bytes.extracting(reader.integer(in: bytes)))
            let coefficient = try BigNumber(bytes.extracting(reader.integer(in: bytes)))
            let prime1 = try BigNumber(bytes.extracting(reader.integer(in: bytes)))
            let prime2 = try BigNumber(bytes.extracting(reader.integer(in: bytes)))
            let publicNumbers = try RSAPublicNumbers(modulus: modulus, exponent: exponent)
            return try .rsa(
                .make(
                    publicNumbers, privateExponent: privateExponent, prime1: prime1,
                    prime2: prime2, coefficient: coefficient))
        case .p256, .p384, .p521:
            guard let (curve, name) = type.curve else {
                throw .invalidKeyFormat
            }
            try reader.expect(name, in: bytes)
            let point = ByteString(copying: bytes.extracting(try reader.string(in: bytes))).bytes
            let scalar = bytes.extracting(try reader.integer(in: bytes))
            return try .ellipticCurve(curve, scalar: scalar, point: point)
        case .ed25519:
            let publicKey = try reader.string(in: bytes)
            let both = try reader.string(in: bytes)
            guard both.count == 64, publicKey.count == 32 else {
                throw .invalidKeyFormat
            }
            let key = try PrivateKey.raw(bytes.extracting(both.prefix(32)), .ed25519)
            for index in 0..<32 {
                guard bytes[both.lowerBound + 32 + index] == bytes[publicKey.lowerBound + index]
                else {
                    throw KeychainError.publicKeyInconsistent
                }
            }
            return key
        }
    }
}
