internal import LanyardSecrets

/// The form of a key in DER, found out from the tags of its first elements.
enum DERKeyFormat {
    case pkcs8, encryptedPKCS8, pkcs1, sec1, subjectPublicKeyInfo, pkcs1PublicKey

    /// Looks at bytes; nil if they are not a sequence with a key.
    init?(_ bytes: Span<UInt8>) {
        let tags: [DERTag]
        do throws(KeychainError) {
            tags = try Self.firstTags(of: bytes)
        } catch {
            return nil
        }
        switch tags {
        case [.integer, .sequence, .octetString]: self = .pkcs8
        case [.integer, .integer, .integer]: self = .pkcs1
        case [.integer, .octetString], [.integer, .octetString, .context0],
            [.integer, .octetString, .context1]:
            self = .sec1
        case [.sequence, .octetString]: self = .encryptedPKCS8
        case [.sequence, .bitString]: self = .subjectPublicKeyInfo
        case [.integer, .integer]: self = .pkcs1PublicKey
        default: return nil
        }
    }

    private static func firstTags(of bytes: Span<UInt8>) throws(KeychainError) -> [DERTag] {
        var reader = try DERReader.sequence(bytes)
        var tags: [DERTag] = []
        while tags.count < 3, let tag = reader.tag(in: bytes).flatMap(DERTag.init(rawValue:)) {
            tags.append(tag)
            _ = try reader.read(tag, in: bytes)
        }
        return tags
    }

    /// Returns the form that the label of a PEM block promises, nil for blocks without a key.
    init?(label: ByteString) {
        switch label {
        case "PRIVATE KEY": self = .pkcs8
        case "ENCRYPTED PRIVATE KEY": self = .encryptedPKCS8
        case "RSA PRIVATE KEY": self = .pkcs1
        case "EC PRIVATE KEY": self = .sec1
        case "PUBLIC KEY": self = .subjectPublicKeyInfo
        case "RSA PUBLIC KEY": self = .pkcs1PublicKey
        default: return nil
        }
    }
}
