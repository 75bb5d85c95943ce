public import LanyardSecrets

/// A public key in the form in which SSH sends it.
///
/// RFC 4253, section 6.6; RFC 5656, section 3.1; RFC 8709, section 4.
public struct SSHPublicKey: Hashable, Sendable {
    /// The key.
    public let key: PublicKey
    /// The key's bytes in SSH: its type's name, then its numbers.
    public let blob: [UInt8]
    let type: SSHKeyType

    /// Creates the form of a key.
    ///
    /// - Throws: ``Status/unsupportedKeyFormat`` for an X25519 key.
    public init(_ key: PublicKey) throws(KeychainError) {
        let type = try SSHKeyType(key)
        self.key = key
        self.type = type
        let bytes = key.externalRepresentation
        var builder = SecretBuilder()
        builder.append(sshString: type.name)
        switch type {
        case .rsa:
            let numbers = try RSAPublicNumbers(bytes.span)
            try builder.append(sshInteger: numbers.exponent)
            try builder.append(sshInteger: numbers.modulus)
        case .p256, .p384, .p521:
            if let curve = type.curve {
                builder.append(sshString: curve.name)
            }
            builder.append(sshString: bytes)
        case .ed25519: builder.append(sshString: bytes)
        }
        blob = builder.finish().publicBytes()
    }

    /// Reads a key's bytes.
    ///
    /// - Throws: ``Status/unsupportedKeyFormat`` for other types, for example of security keys and
    ///   certificates; ``Status/invalidKeyFormat``; ``Status/unsupportedKeySize``.
    public init(blob bytes: Span<UInt8>) throws(KeychainError) {
        var reader = SSHReader()
        let name = bytes.extracting(try reader.string(in: bytes))
        guard let type = SSHKeyType(name: name) else {
            throw .unsupportedKeyType
        }
        self.type = type
        key = try Self.read(type, &reader, in: bytes)
        try reader.finish(in: bytes)
        blob = ByteString(copying: bytes).bytes
    }

    /// Reads the key inside one of OpenSSH's certificates, and checks nothing else of it.
    ///
    /// - Throws: As ``init(blob:)``.
    ///
    /// OpenSSH, PROTOCOL.certkeys, "New public key formats".
    package init(certificate bytes: Span<UInt8>) throws(KeychainError) {
        var reader = SSHReader()
        let name = ByteString(copying: bytes.extracting(try reader.string(in: bytes)))
        let type = SSHKeyType.allCases.first { name == ByteString($0.certificateName) }
        guard let type else {
            throw .unsupportedKeyType
        }
        // The nonce.
        _ = try reader.string(in: bytes)
        try self.init(Self.read(type, &reader, in: bytes))
    }

    /// Reads the numbers of a key.
    private static func read(
        _ type: SSHKeyType, _ reader: inout SSHReader, in bytes: Span<UInt8>
    ) throws(KeychainError) -> PublicKey {
        if type == .rsa {
            let exponent = bytes.extracting(try reader.integer(in: bytes))
            let modulus = bytes.extracting(try reader.integer(in: bytes))
            let numbers = try RSAPublicNumbers(
                modulus: BigNumber(modulus), exponent: BigNumber(exponent))
            let encoded = try numbers.encoded()
            return try PublicKey(externalRepresentation: encoded.span, type: .rsa)
        }
        guard let (curve, name) = type.curve else {
            return try PublicKey(
                externalRepresentation: bytes.extracting(reader.string(in: bytes)), type: .ed25519)
        }
        try reader.expect(name, in: bytes)
        let point = bytes.extracting(try reader.string(in: bytes))
        // OpenSSH refuses compressed points.
        guard point.count == curve.pointByteCount else {
            throw .invalidKeyFormat
        }
        return try PublicKey(externalRepresentation: point, type: .ellipticCurve)
    }

    /// The fingerprint that ssh-keygen shows: `SHA256:` and the digest in Base64 without padding.
    public var fingerprint: String {
        let digest = Libcrypto.digest(blob.span, .sha256)
        let digits = Base64.encode(digest.span).publicBytes()
        return "SHA256:"
            + String(decoding: digits.prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self)
    }
}
