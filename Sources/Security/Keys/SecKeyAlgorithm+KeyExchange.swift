internal import Certificates

extension SecKeyAlgorithm {
    /// The secret itself, without a key derivation: kSecKeyAlgorithmECDHKeyExchangeStandard.
    public static var ecdhKeyExchangeStandard: SecKeyAlgorithm {
        SecKeyAlgorithm(.ecdhKeyExchangeStandard)
    }
    /// kSecKeyAlgorithmECDHKeyExchangeStandardX963SHA1
    public static var ecdhKeyExchangeStandardX963SHA1: SecKeyAlgorithm {
        SecKeyAlgorithm(.ecdhKeyExchangeStandardX963SHA1)
    }
    /// kSecKeyAlgorithmECDHKeyExchangeStandardX963SHA224
    public static var ecdhKeyExchangeStandardX963SHA224: SecKeyAlgorithm {
        SecKeyAlgorithm(.ecdhKeyExchangeStandardX963SHA224)
    }
    /// kSecKeyAlgorithmECDHKeyExchangeStandardX963SHA256
    public static var ecdhKeyExchangeStandardX963SHA256: SecKeyAlgorithm {
        SecKeyAlgorithm(.ecdhKeyExchangeStandardX963SHA256)
    }
    /// kSecKeyAlgorithmECDHKeyExchangeStandardX963SHA384
    public static var ecdhKeyExchangeStandardX963SHA384: SecKeyAlgorithm {
        SecKeyAlgorithm(.ecdhKeyExchangeStandardX963SHA384)
    }
    /// kSecKeyAlgorithmECDHKeyExchangeStandardX963SHA512
    public static var ecdhKeyExchangeStandardX963SHA512: SecKeyAlgorithm {
        SecKeyAlgorithm(.ecdhKeyExchangeStandardX963SHA512)
    }
    /// The secret itself, without a key derivation: kSecKeyAlgorithmECDHKeyExchangeCofactor.
    public static var ecdhKeyExchangeCofactor: SecKeyAlgorithm {
        SecKeyAlgorithm(.ecdhKeyExchangeCofactor)
    }
    /// kSecKeyAlgorithmECDHKeyExchangeCofactorX963SHA1
    public static var ecdhKeyExchangeCofactorX963SHA1: SecKeyAlgorithm {
        SecKeyAlgorithm(.ecdhKeyExchangeCofactorX963SHA1)
    }
    /// kSecKeyAlgorithmECDHKeyExchangeCofactorX963SHA224
    public static var ecdhKeyExchangeCofactorX963SHA224: SecKeyAlgorithm {
        SecKeyAlgorithm(.ecdhKeyExchangeCofactorX963SHA224)
    }
    /// kSecKeyAlgorithmECDHKeyExchangeCofactorX963SHA256
    public static var ecdhKeyExchangeCofactorX963SHA256: SecKeyAlgorithm {
        SecKeyAlgorithm(.ecdhKeyExchangeCofactorX963SHA256)
    }
    /// kSecKeyAlgorithmECDHKeyExchangeCofactorX963SHA384
    public static var ecdhKeyExchangeCofactorX963SHA384: SecKeyAlgorithm {
        SecKeyAlgorithm(.ecdhKeyExchangeCofactorX963SHA384)
    }
    /// kSecKeyAlgorithmECDHKeyExchangeCofactorX963SHA512
    public static var ecdhKeyExchangeCofactorX963SHA512: SecKeyAlgorithm {
        SecKeyAlgorithm(.ecdhKeyExchangeCofactorX963SHA512)
    }
}
