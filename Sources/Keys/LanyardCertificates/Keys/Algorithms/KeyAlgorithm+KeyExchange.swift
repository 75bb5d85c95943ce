extension KeyAlgorithm {
    /// The secret itself, without a key derivation: kSecKeyAlgorithmECDHKeyExchangeStandard.
    public static let ecdhKeyExchangeStandard = KeyAlgorithm(.keyExchange(.standard, nil))
    /// kSecKeyAlgorithmECDHKeyExchangeStandardX963SHA1
    public static let ecdhKeyExchangeStandardX963SHA1 = KeyAlgorithm(.keyExchange(.standard, .sha1))
    /// kSecKeyAlgorithmECDHKeyExchangeStandardX963SHA224
    public static let ecdhKeyExchangeStandardX963SHA224 = KeyAlgorithm(
        .keyExchange(.standard, .sha224))
    /// kSecKeyAlgorithmECDHKeyExchangeStandardX963SHA256
    public static let ecdhKeyExchangeStandardX963SHA256 = KeyAlgorithm(
        .keyExchange(.standard, .sha256))
    /// kSecKeyAlgorithmECDHKeyExchangeStandardX963SHA384
    public static let ecdhKeyExchangeStandardX963SHA384 = KeyAlgorithm(
        .keyExchange(.standard, .sha384))
    /// kSecKeyAlgorithmECDHKeyExchangeStandardX963SHA512
    public static let ecdhKeyExchangeStandardX963SHA512 = KeyAlgorithm(
        .keyExchange(.standard, .sha512))
    /// The secret itself, without a key derivation: kSecKeyAlgorithmECDHKeyExchangeCofactor.
    public static let ecdhKeyExchangeCofactor = KeyAlgorithm(.keyExchange(.cofactor, nil))
    /// kSecKeyAlgorithmECDHKeyExchangeCofactorX963SHA1
    public static let ecdhKeyExchangeCofactorX963SHA1 = KeyAlgorithm(.keyExchange(.cofactor, .sha1))
    /// kSecKeyAlgorithmECDHKeyExchangeCofactorX963SHA224
    public static let ecdhKeyExchangeCofactorX963SHA224 = KeyAlgorithm(
        .keyExchange(.cofactor, .sha224))
    /// kSecKeyAlgorithmECDHKeyExchangeCofactorX963SHA256
    public static let ecdhKeyExchangeCofactorX963SHA256 = KeyAlgorithm(
        .keyExchange(.cofactor, .sha256))
    /// kSecKeyAlgorithmECDHKeyExchangeCofactorX963SHA384
    public static let ecdhKeyExchangeCofactorX963SHA384 = KeyAlgorithm(
        .keyExchange(.cofactor, .sha384))
    /// kSecKeyAlgorithmECDHKeyExchangeCofactorX963SHA512
    public static let ecdhKeyExchangeCofactorX963SHA512 = KeyAlgorithm(
        .keyExchange(.cofactor, .sha512))
}
