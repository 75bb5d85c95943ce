internal import LanyardCertificates

extension SecKeyAlgorithm {
    /// The secret itself, without a key derivation: kSecKeyAlgorithmECDHKeyExchangeStandard.
    public static let ecdhKeyExchangeStandard = SecKeyAlgorithm(.ecdhKeyExchangeStandard)
    /// kSecKeyAlgorithmECDHKeyExchangeStandardX963SHA1
    public static let ecdhKeyExchangeStandardX963SHA1 = SecKeyAlgorithm(
        .ecdhKeyExchangeStandardX963SHA1)
    /// kSecKeyAlgorithmECDHKeyExchangeStandardX963SHA224
    public static let ecdhKeyExchangeStandardX963SHA224 = SecKeyAlgorithm(
        .ecdhKeyExchangeStandardX963SHA224)
    /// kSecKeyAlgorithmECDHKeyExchangeStandardX963SHA256
    public static let ecdhKeyExchangeStandardX963SHA256 = SecKeyAlgorithm(
        .ecdhKeyExchangeStandardX963SHA256)
    /// kSecKeyAlgorithmECDHKeyExchangeStandardX963SHA384
    public static let ecdhKeyExchangeStandardX963SHA384 = SecKeyAlgorithm(
        .ecdhKeyExchangeStandardX963SHA384)
    /// kSecKeyAlgorithmECDHKeyExchangeStandardX963SHA512
    public static let ecdhKeyExchangeStandardX963SHA512 = SecKeyAlgorithm(
        .ecdhKeyExchangeStandardX963SHA512)
    /// The secret itself, without a key derivation: kSecKeyAlgorithmECDHKeyExchangeCofactor.
    public static let ecdhKeyExchangeCofactor = SecKeyAlgorithm(.ecdhKeyExchangeCofactor)
    /// kSecKeyAlgorithmECDHKeyExchangeCofactorX963SHA1
    public static let ecdhKeyExchangeCofactorX963SHA1 = SecKeyAlgorithm(
        .ecdhKeyExchangeCofactorX963SHA1)
    /// kSecKeyAlgorithmECDHKeyExchangeCofactorX963SHA224
    public static let ecdhKeyExchangeCofactorX963SHA224 = SecKeyAlgorithm(
        .ecdhKeyExchangeCofactorX963SHA224)
    /// kSecKeyAlgorithmECDHKeyExchangeCofactorX963SHA256
    public static let ecdhKeyExchangeCofactorX963SHA256 = SecKeyAlgorithm(
        .ecdhKeyExchangeCofactorX963SHA256)
    /// kSecKeyAlgorithmECDHKeyExchangeCofactorX963SHA384
    public static let ecdhKeyExchangeCofactorX963SHA384 = SecKeyAlgorithm(
        .ecdhKeyExchangeCofactorX963SHA384)
    /// kSecKeyAlgorithmECDHKeyExchangeCofactorX963SHA512
    public static let ecdhKeyExchangeCofactorX963SHA512 = SecKeyAlgorithm(
        .ecdhKeyExchangeCofactorX963SHA512)
}
