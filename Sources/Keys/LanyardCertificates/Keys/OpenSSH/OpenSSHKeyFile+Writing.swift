internal import LanyardSecrets

extension PrivateKey {
    /// Returns the key as ssh-keygen writes it: openssh-key-v1, encrypted with AES-256-CTR under a key of
    /// `bcrypt_pbkdf`.
    func openSSHFile(
        password: borrowing Secret?, comment: ByteString,
        rounds: Int = OpenSSHEncryption.rounds
    ) throws(KeychainError) -> Secret {
        let publicKey = try SSHPublicKey(publicKey)
        var file = SecretBuilder(capacity: 4096)
        file.append(OpenSSHKeyFile.magic)
        let part: Secret
        switch password {
        case .some(let password):
            let salt = try Libcrypto.randomBytes(16)
            let plain = try openSSHPart(publicKey.type, comment, blockSize: 16)
            part = try plain.withBytes { plain throws(KeychainError) in
                try OpenSSHEncryption.apply(
                    .encrypt, plain, .aes256CTR, password: password, salt: salt,
                    rounds: rounds)
            }
            file.append(sshString: "aes256-ctr")
            file.append(sshString: "bcrypt")
            file.append(sshNumber: salt.count + 8)
            file.append(sshString: salt)
            file.append(sshNumber: rounds)
        case .none:
            part = try openSSHPart(publicKey.type, comment, blockSize: 8)
            file.append(sshString: "none")
            file.append(sshString: "none")
            file.append(sshString: "")
        }
        file.append(sshNumber: 1)
        file.append(sshString: publicKey.blob)
        part.withBytes { file.append(sshString: $0) }
        return PEMDocument.encode("OPENSSH PRIVATE KEY", file.finish(), lineLength: 70)
    }

    /// Returns the private part, filled up to whole blocks.
    private func openSSHPart(
        _ type: SSHKeyType, _ comment: ByteString, blockSize: Int
    ) throws(KeychainError) -> Secret {
        var part = SecretBuilder(capacity: 4096)
        // Twice the same number, by which a wrong password is seen.
        let check = try Libcrypto.randomBytes(4)
        part.append(check.span)
        part.append(check.span)
        part.append(sshString: type.name)
        try appendNumbers(type, to: &part)
        part.append(sshString: comment.bytes)
        var padding: UInt8 = 1
        while part.count % blockSize != 0 {
            part.append(padding)
            padding += 1
        }
        return part.finish()
    }

    private func appendNumbers(
        _ type: SSHKeyType, to part: inout SecretBuilder
    ) throws(KeychainError) {
        let secret = externalRepresentation()
        switch type {
        case .rsa:
            let numbers = try secret.withBytes { bytes throws(KeychainError) in
                try RSAPrivateNumbers.read(bytes)
            }
            try part.append(sshInteger: numbers.publicNumbers.modulus)
            try part.append(sshInteger: numbers.publicNumbers.exponent)
            try part.append(sshInteger: numbers.privateExponent)
            try part.append(sshInteger: numbers.coefficient)
            try part.append(sshInteger: numbers.prime1)
            try part.append(sshInteger: numbers.prime2)
        case .p256, .p384, .p521:
            if let (curve, name) = type.curve {
                part.append(sshString: name)
                part.append(sshString: publicKey.externalRepresentation)
                secret.dropping(curve.pointByteCount).withBytes { part.append(sshInteger: $0) }
            }
        case .ed25519:
            part.append(sshString: publicKey.externalRepresentation)
            part.append(sshNumber: 64)
            part.append(secret)
            part.append(Secret(publicKey.externalRepresentation))
        }
    }
}
