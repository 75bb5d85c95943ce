/// An algorithm of keys. The raw values are those of Keychain Services' constants.
///
/// The corresponding type is SecKeyAlgorithm.
public struct KeyAlgorithm: RawRepresentable, Hashable, Sendable {
    let kind: Kind

    init(_ kind: Kind) {
        self.kind = kind
    }

    /// Returns the algorithm with this name, nil if it is unknown or not supported.
    public init?(rawValue: String) {
        guard let algorithm = Self.byName[rawValue] else {
            return nil
        }
        self = algorithm
    }

    /// The name, such as `algid:sign:RSA:message-PSS:SHA256:SHA256:32`.
    public var rawValue: String { kind.name }

    private static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })
}

extension KeyAlgorithm {
    /// Whether a signature is made of a message or of its digest.
    enum Input: String, CaseIterable {
        case digest, message
    }

    enum SignaturePadding: String, CaseIterable {
        case pkcs1v15 = "PKCS1v15"
        case pss = "PSS"
    }

    /// How the two numbers of an ECDSA signature are written.
    enum SignatureForm: String, CaseIterable {
        case x962 = "X962"
        case rfc4754 = "RFC4754"
    }

    /// Two names of the same for these curves, whose cofactor is 1.
    enum Exchange: String, CaseIterable {
        case standard = "ECDH"
        case cofactor = "ECDHC"
    }

    /// What an algorithm consists of.
    enum Kind: Hashable {
        case rsaSignature(Input, SignaturePadding, DigestAlgorithm)
        case ecdsa(Input, SignatureForm, DigestAlgorithm)
        case edDSA
        case rsaPKCS1
        case rsaOAEP(DigestAlgorithm, withAESGCM: Bool)
        case ecies(Exchange, DigestAlgorithm, variableIV: Bool)
        case keyExchange(Exchange, DigestAlgorithm?)

        /// The name that Keychain Services has.
        var name: String {
            switch self {
            case .rsaSignature(let input, .pkcs1v15, let digest):
                "algid:sign:RSA:\(input)-PKCS1v15:\(digest.rawValue)"
            case .rsaSignature(let input, .pss, let digest):
                // The name says 24 for SHA-224, although the salt is as long as the digest.
                "algid:sign:RSA:\(input)-PSS:\(digest.rawValue):\(digest.rawValue):"
                    + "\(digest == .sha224 ? 24 : digest.byteCount)"
            case .ecdsa(let input, let form, let digest):
                "algid:sign:ECDSA:\(input)-\(form.rawValue):\(digest.rawValue)"
            case .edDSA: "algid:sign:EdDSA:message-Curve25519:SHA512"
            case .rsaPKCS1: "algid:encrypt:RSA:PKCS1"
            case .rsaOAEP(let digest, let withAESGCM):
                "algid:encrypt:RSA:OAEP:\(digest.rawValue)\(withAESGCM ? ":AESGCM" : "")"
            case .ecies(let exchange, let digest, let variableIV):
                "algid:encrypt:ECIES:\(exchange.rawValue):KDFX963:\(digest.rawValue):"
                    + "AESGCM\(variableIV ? "-KDFIV" : "")"
            case .keyExchange(let exchange, let digest):
                "algid:keyexchange:\(exchange.rawValue)"
                    + (digest.map { ":KDFX963:\($0.rawValue)" } ?? "")
            }
        }
    }
}

extension KeyAlgorithm: CaseIterable {
    /// All algorithms: the table for names, tests and lists.
    public static let allCases: [KeyAlgorithm] = {
        var kinds: [Kind] = [.edDSA, .rsaPKCS1]
        for digest in DigestAlgorithm.allCases {
            for input in Input.allCases {
                kinds += SignaturePadding.allCases.map { .rsaSignature(input, $0, digest) }
                kinds += SignatureForm.allCases.map { .ecdsa(input, $0, digest) }
            }
            kinds += [false, true].map { .rsaOAEP(digest, withAESGCM: $0) }
            for exchange in Exchange.allCases {
                kinds.append(.keyExchange(exchange, digest))
                kinds.append(.ecies(exchange, digest, variableIV: false))
                if digest != .sha1 {
                    kinds.append(.ecies(exchange, digest, variableIV: true))
                }
            }
        }
        kinds += Exchange.allCases.map { .keyExchange($0, nil) }
        return kinds.map(KeyAlgorithm.init)
    }()
}
