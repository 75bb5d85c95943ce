internal import LanyardCertificates

extension SecKeyAlgorithm {
    /// RSA PKCS #1 v1.5, for old programs only: kSecKeyAlgorithmRSAEncryptionPKCS1.
    public static let rsaEncryptionPKCS1 = SecKeyAlgorithm(.rsaEncryptionPKCS1)
    /// RSA OAEP, SHA-1: kSecKeyAlgorithmRSAEncryptionOAEPSHA1.
    public static let rsaEncryptionOAEPSHA1 = SecKeyAlgorithm(.rsaEncryptionOAEPSHA1)
    /// RSA OAEP, SHA-224: kSecKeyAlgorithmRSAEncryptionOAEPSHA224.
    public static let rsaEncryptionOAEPSHA224 = SecKeyAlgorithm(.rsaEncryptionOAEPSHA224)
    /// RSA OAEP, SHA-256: kSecKeyAlgorithmRSAEncryptionOAEPSHA256.
    public static let rsaEncryptionOAEPSHA256 = SecKeyAlgorithm(.rsaEncryptionOAEPSHA256)
    /// RSA OAEP, SHA-384: kSecKeyAlgorithmRSAEncryptionOAEPSHA384.
    public static let rsaEncryptionOAEPSHA384 = SecKeyAlgorithm(.rsaEncryptionOAEPSHA384)
    /// RSA OAEP, SHA-512: kSecKeyAlgorithmRSAEncryptionOAEPSHA512.
    public static let rsaEncryptionOAEPSHA512 = SecKeyAlgorithm(.rsaEncryptionOAEPSHA512)
    /// AES-GCM under a key in RSA OAEP: kSecKeyAlgorithmRSAEncryptionOAEPSHA1AESGCM.
    public static let rsaEncryptionOAEPSHA1AESGCM = SecKeyAlgorithm(.rsaEncryptionOAEPSHA1AESGCM)
    /// AES-GCM under a key in RSA OAEP: kSecKeyAlgorithmRSAEncryptionOAEPSHA224AESGCM.
    public static let rsaEncryptionOAEPSHA224AESGCM = SecKeyAlgorithm(
        .rsaEncryptionOAEPSHA224AESGCM)
    /// AES-GCM under a key in RSA OAEP: kSecKeyAlgorithmRSAEncryptionOAEPSHA256AESGCM.
    public static let rsaEncryptionOAEPSHA256AESGCM = SecKeyAlgorithm(
        .rsaEncryptionOAEPSHA256AESGCM)
    /// AES-GCM under a key in RSA OAEP: kSecKeyAlgorithmRSAEncryptionOAEPSHA384AESGCM.
    public static let rsaEncryptionOAEPSHA384AESGCM = SecKeyAlgorithm(
        .rsaEncryptionOAEPSHA384AESGCM)
    /// AES-GCM under a key in RSA OAEP: kSecKeyAlgorithmRSAEncryptionOAEPSHA512AESGCM.
    public static let rsaEncryptionOAEPSHA512AESGCM = SecKeyAlgorithm(
        .rsaEncryptionOAEPSHA512AESGCM)
    /// kSecKeyAlgorithmECIESEncryptionStandardX963SHA1AESGCM
    public static let eciesEncryptionStandardX963SHA1AESGCM = SecKeyAlgorithm(
        .eciesEncryptionStandardX963SHA1AESGCM)
    /// kSecKeyAlgorithmECIESEncryptionStandardX963SHA224AESGCM
    public static let eciesEncryptionStandardX963SHA224AESGCM = SecKeyAlgorithm(
        .eciesEncryptionStandardX963SHA224AESGCM)
    /// kSecKeyAlgorithmECIESEncryptionStandardX963SHA256AESGCM
    public static let eciesEncryptionStandardX963SHA256AESGCM = SecKeyAlgorithm(
        .eciesEncryptionStandardX963SHA256AESGCM)
    /// kSecKeyAlgorithmECIESEncryptionStandardX963SHA384AESGCM
    public static let eciesEncryptionStandardX963SHA384AESGCM = SecKeyAlgorithm(
        .eciesEncryptionStandardX963SHA384AESGCM)
    /// kSecKeyAlgorithmECIESEncryptionStandardX963SHA512AESGCM
    public static let eciesEncryptionStandardX963SHA512AESGCM = SecKeyAlgorithm(
        .eciesEncryptionStandardX963SHA512AESGCM)
    /// kSecKeyAlgorithmECIESEncryptionCofactorX963SHA1AESGCM
    public static let eciesEncryptionCofactorX963SHA1AESGCM = SecKeyAlgorithm(
        .eciesEncryptionCofactorX963SHA1AESGCM)
    /// kSecKeyAlgorithmECIESEncryptionCofactorX963SHA224AESGCM
    public static let eciesEncryptionCofactorX963SHA224AESGCM = SecKeyAlgorithm(
        .eciesEncryptionCofactorX963SHA224AESGCM)
    /// kSecKeyAlgorithmECIESEncryptionCofactorX963SHA256AESGCM
    public static let eciesEncryptionCofactorX963SHA256AESGCM = SecKeyAlgorithm(
        .eciesEncryptionCofactorX963SHA256AESGCM)
    /// kSecKeyAlgorithmECIESEncryptionCofactorX963SHA384AESGCM
    public static let eciesEncryptionCofactorX963SHA384AESGCM = SecKeyAlgorithm(
        .eciesEncryptionCofactorX963SHA384AESGCM)
    /// kSecKeyAlgorithmECIESEncryptionCofactorX963SHA512AESGCM
    public static let eciesEncryptionCofactorX963SHA512AESGCM = SecKeyAlgorithm(
        .eciesEncryptionCofactorX963SHA512AESGCM)
    /// kSecKeyAlgorithmECIESEncryptionStandardVariableIVX963SHA224AESGCM
    public static let eciesEncryptionStandardVariableIVX963SHA224AESGCM = SecKeyAlgorithm(
        .eciesEncryptionStandardVariableIVX963SHA224AESGCM)
    /// kSecKeyAlgorithmECIESEncryptionStandardVariableIVX963SHA256AESGCM
    public static let eciesEncryptionStandardVariableIVX963SHA256AESGCM = SecKeyAlgorithm(
        .eciesEncryptionStandardVariableIVX963SHA256AESGCM)
    /// kSecKeyAlgorithmECIESEncryptionStandardVariableIVX963SHA384AESGCM
    public static let eciesEncryptionStandardVariableIVX963SHA384AESGCM = SecKeyAlgorithm(
        .eciesEncryptionStandardVariableIVX963SHA384AESGCM)
    /// kSecKeyAlgorithmECIESEncryptionStandardVariableIVX963SHA512AESGCM
    public static let eciesEncryptionStandardVariableIVX963SHA512AESGCM = SecKeyAlgorithm(
        .eciesEncryptionStandardVariableIVX963SHA512AESGCM)
    /// kSecKeyAlgorithmECIESEncryptionCofactorVariableIVX963SHA224AESGCM
    public static let eciesEncryptionCofactorVariableIVX963SHA224AESGCM = SecKeyAlgorithm(
        .eciesEncryptionCofactorVariableIVX963SHA224AESGCM)
    /// kSecKeyAlgorithmECIESEncryptionCofactorVariableIVX963SHA256AESGCM
    public static let eciesEncryptionCofactorVariableIVX963SHA256AESGCM = SecKeyAlgorithm(
        .eciesEncryptionCofactorVariableIVX963SHA256AESGCM)
    /// kSecKeyAlgorithmECIESEncryptionCofactorVariableIVX963SHA384AESGCM
    public static let eciesEncryptionCofactorVariableIVX963SHA384AESGCM = SecKeyAlgorithm(
        .eciesEncryptionCofactorVariableIVX963SHA384AESGCM)
    /// kSecKeyAlgorithmECIESEncryptionCofactorVariableIVX963SHA512AESGCM
    public static let eciesEncryptionCofactorVariableIVX963SHA512AESGCM = SecKeyAlgorithm(
        .eciesEncryptionCofactorVariableIVX963SHA512AESGCM)
}
