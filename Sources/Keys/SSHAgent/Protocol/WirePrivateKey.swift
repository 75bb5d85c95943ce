internal import KeychainServices

/// A private key in the form in which clients send it: its type and the fields of that type,
/// draft-ietf-sshm-ssh-agent, "Adding keys to the agent".
///
/// Whether the fields fit together is left to ``KeySigning``. Certificates, keys of smart cards and DSA
/// are refused.
struct WirePrivateKey: ~Copyable {
    /// The public key, in the form of RFC 4253, section 6.6.
    let publicKey: ByteString
    /// The type and all fields.
    let fields: Secret

    /// Reads a key.
    ///
    /// - Throws: ``Status/param`` for other types and malformed fields.
    init(from reader: inout WireReader) throws(KeychainError) {
        let start = reader.position
        publicKey = try WirePrivateKey.readFields(&reader)
        fields = reader.bytes(from: start, to: reader.position)
    }

    /// Parses a key that ``fields`` describes.
    ///
    /// - Throws: As ``init(from:)``, and for further bytes.
    static func parse(_ fields: borrowing Secret) throws(KeychainError) -> WirePrivateKey {
        var reader = WireReader(fields.copy())
        let key = try WirePrivateKey(from: &reader)
        try reader.finish()
        return key
    }

    /// Reads the fields and returns the public key in them.
    private static func readFields(
        _ reader: inout WireReader
    ) throws(KeychainError) -> ByteString {
        let type = try reader.name()
        var publicKey = WireWriter()
        publicKey.append(string: type)
        switch type {
        case "ssh-rsa":
            let modulus = try reader.integer()
            publicKey.append(string: try reader.integer())
            publicKey.append(string: modulus)
            // The private exponent, the coefficient and two primes.
            for _ in 0..<4 {
                try reader.skipInteger()
            }
        case "ssh-ed25519":
            let point = try reader.string()
            guard point.bytes.count == 32, try isPair(reader.secret(), of: point) else {
                throw WireReader.malformed
            }
            publicKey.append(string: point)
        case "ecdsa-sha2-nistp256", "ecdsa-sha2-nistp384", "ecdsa-sha2-nistp521":
            let curve = try reader.name()
            guard type.bytes == Array("ecdsa-sha2-".utf8) + curve.bytes else {
                throw WireReader.malformed
            }
            publicKey.append(string: curve)
            publicKey.append(string: try reader.string())
            try reader.skipInteger()
        default: throw KeychainError(.param, "keys of this type can't be added")
        }
        return publicKey.finish().withBytes { ByteString(copying: $0) }
    }

    /// Whether Ed25519's 64 bytes end with the public key.
    private static func isPair(_ pair: borrowing Secret, of point: ByteString) -> Bool {
        pair.withBytes { bytes in
            bytes.count == 64 && (0..<32).allSatisfy { bytes[32 + $0] == point.bytes[$0] }
        }
    }
}
