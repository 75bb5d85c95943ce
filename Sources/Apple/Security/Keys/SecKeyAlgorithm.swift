internal import LanyardCertificates

/// An algorithm of keys. The C type is SecKeyAlgorithm.
public struct SecKeyAlgorithm: RawRepresentable, Hashable, Sendable {
    private let name: String

    /// Creates the algorithm with this name.
    public init(rawValue: CFString) {
        name = rawValue as String
    }

    init(_ algorithm: KeyAlgorithm) {
        name = algorithm.rawValue
    }

    private init(_ name: String) {
        self.name = name
    }

    /// The name, such as `algid:sign:ECDSA:message-X962:SHA256`.
    public var rawValue: CFString { NSString(string: name) }

    /// What Lanyard has, nil for an algorithm that it lacks.
    var known: KeyAlgorithm? { KeyAlgorithm(rawValue: name) }
}

/// The algorithms without a digest or a padding of their own, which no key here supports.
extension SecKeyAlgorithm {
    /// kSecKeyAlgorithmRSASignatureRaw
    public static let rsaSignatureRaw = SecKeyAlgorithm("algid:sign:RSA:raw")
    /// kSecKeyAlgorithmRSASignatureDigestPKCS1v15Raw
    public static let rsaSignatureDigestPKCS1v15Raw = SecKeyAlgorithm(
        "algid:sign:RSA:digest-PKCS1v15")
    /// kSecKeyAlgorithmECDSASignatureRFC4754
    public static let ecdsaSignatureRFC4754 = SecKeyAlgorithm("algid:sign:ECDSA:RFC4754")
    /// kSecKeyAlgorithmECDSASignatureDigestX962
    public static let ecdsaSignatureDigestX962 = SecKeyAlgorithm("algid:sign:ECDSA:digest-X962")
    /// kSecKeyAlgorithmRSAEncryptionRaw
    public static let rsaEncryptionRaw = SecKeyAlgorithm("algid:encrypt:RSA:raw")
}

/// What is done with a key. The C type is SecKeyOperationType.
public enum SecKeyOperationType: CFIndex, Sendable {
    /// A private key signs: kSecKeyOperationTypeSign.
    case sign = 0
    /// A public key verifies: kSecKeyOperationTypeVerify.
    case verify = 1
    /// A public key encrypts: kSecKeyOperationTypeEncrypt.
    case encrypt = 2
    /// A private key decrypts: kSecKeyOperationTypeDecrypt.
    case decrypt = 3
    /// A private key and another public key agree on a secret: kSecKeyOperationTypeKeyExchange.
    case keyExchange = 4
}

/// What a key exchange takes. The C type is SecKeyKeyExchangeParameter.
public struct SecKeyKeyExchangeParameter: RawRepresentable, Hashable, Sendable {
    private let name: String

    /// Creates the parameter with this name.
    public init(rawValue: CFString) {
        name = rawValue as String
    }

    /// The name.
    public var rawValue: CFString { NSString(string: name) }

    /// How many bytes to derive: kSecKeyKeyExchangeParameterRequestedSize.
    public static var requestedSize: SecKeyKeyExchangeParameter {
        SecKeyKeyExchangeParameter(rawValue: "requestedSize")
    }
    /// Data that is mixed in: kSecKeyKeyExchangeParameterSharedInfo.
    public static var sharedInfo: SecKeyKeyExchangeParameter {
        SecKeyKeyExchangeParameter(rawValue: "sharedInfo")
    }
}
