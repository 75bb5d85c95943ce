internal import LanyardSecrets

/// The outer fields of an openssh-key-v1 file: OpenSSH's PROTOCOL.key.
struct OpenSSHKeyFile {
    static let magic: StaticString = "openssh-key-v1\0"

    /// Nil if the file is not encrypted.
    let cipher: SymmetricCipher?
    let salt: [UInt8]
    let rounds: Int
    /// Where the public key is.
    let publicKey: Range<Int>
    /// Where the private part is.
    let privatePart: Range<Int>

    /// Reads the fields.
    ///
    /// - Throws: ``Status/unsupportedKeyFormat`` for other ciphers, such as AES-GCM and ChaCha20.
    init(_ bytes: Span<UInt8>) throws(KeychainError) {
        guard bytes.starts(with: Self.magic) else {
            throw .invalidKeyFormat
        }
        let body = bytes.extracting(droppingFirst: Self.magic.utf8CodeUnitCount)
        var reader = SSHReader()
        let name = body.extracting(try reader.string(in: body))
        let function = body.extracting(try reader.string(in: body))
        let options = body.extracting(try reader.string(in: body))
        if name.equals("none") {
            guard function.equals("none"), options.isEmpty else {
                throw .invalidKeyFormat
            }
            (cipher, salt, rounds) = (nil, [], 0)
        } else {
            guard function.equals("bcrypt"),
                let known = OpenSSHEncryption.ciphers.first(where: { name.equals($0.name) })
            else {
                throw KeychainError(
                    .unsupportedKeyFormat, "unsupported encryption of the key",
                    hint: "encrypt a copy again: ssh-keygen -p -Z aes256-ctr -f COPY")
            }
            var values = SSHReader()
            cipher = known.cipher
            salt = ByteString(copying: options.extracting(try values.string(in: options))).bytes
            rounds = try values.number(in: options)
            try values.finish(in: options)
            guard (1...1024).contains(salt.count) else {
                throw .invalidKeyFormat
            }
        }
        guard try reader.number(in: body) == 1 else {
            throw KeychainError(.unsupportedKeyFormat, "files with several OpenSSH keys")
        }
        let start = Self.magic.utf8CodeUnitCount
        let publicKey = try reader.string(in: body)
        let privatePart = try reader.string(in: body)
        try reader.finish(in: body)
        self.publicKey = publicKey.lowerBound + start..<publicKey.upperBound + start
        self.privatePart = privatePart.lowerBound + start..<privatePart.upperBound + start
    }
}
