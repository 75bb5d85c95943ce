extension KeyAlgorithm {
    /// RSA PKCS #1 v1.5, for old programs only: kSecKeyAlgorithmRSAEncryptionPKCS1.
    public static let rsaEncryptionPKCS1 = KeyAlgorithm(.rsaPKCS1)
    /// RSA OAEP, SHA-1: kSecKeyAlgorithmRSAEncryptionOAEPSHA1.
    public static let rsaEncryptionOAEPSHA1 = KeyAlgorithm(.rsaOAEP(.sha1, withAESGCM: false))
    /// RSA OAEP, SHA-224: kSecKeyAlgorithmRSAEncryptionOAEPSHA224.
    public static let rsaEncryptionOAEPSHA224 = KeyAlgorithm(.rsaOAEP(.sha224, withAESGCM: false))
    /// RSA OAEP, SHA-256: kSecKeyAlgorithmRSAEncryptionOAEPSHA256.
    public static let rsaEncryptionOAEPSHA256 = KeyAlgorithm(.rsaOAEP(.sha256, withAESGCM: false))
    /// RSA OAEP, SHA-384: kSecKeyAlgorithmRSAEncryptionOAEPSHA384.
    public static let rsaEncryptionOAEPSHA384 = KeyAlgorithm(.rsaOAEP(.sha384, withAESGCM: false))
    /// RSA OAEP, SHA-512: kSecKeyAlgorithmRSAEncryptionOAEPSHA512.
    public static let rsaEncryptionOAEPSHA512 = KeyAlgorithm(.rsaOAEP(.sha512, withAESGCM: false))
    /// AES-GCM under a key in RSA OAEP: kSecKeyAlgorithmRSAEncryptionOAEPSHA1AESGCM.
    public static let rsaEncryptionOAEPSHA1AESGCM = KeyAlgorithm(.rsaOAEP(.sha1, withAESGCM: true))
    /// AES-GCM under a key in RSA OAEP: kSecKeyAlgorithmRSAEncryptionOAEPSHA224AESGCM.
    public static let rsaEncryptionOAEPSHA224AESGCM = KeyAlgorithm(
        .rsaOAEP(.sha224, withAESGCM: true))
    /// AES-GCM under a key in RSA OAEP: kSecKeyAlgorithmRSAEncryptionOAEPSHA256AESGCM.
    public static let rsaEncryptionOAEPSHA256AESGCM = KeyAlgorithm(
        .rsaOAEP(.sha256, withAESGCM: true))
    /// AES-GCM under a key in RSA OAEP: kSecKeyAlgorithmRSAEncryptionOAEPSHA384AESGCM.
    public static let rsaEncryptionOAEPSHA384AESGCM = KeyAlgorithm(
        .rsaOAEP(.sha384, withAESGCM: true))
    /// AES-GCM under a key in RSA OAEP: kSecKeyAlgorithmRSAEncryptionOAEPSHA512AESGCM.
    public static let rsaEncryptionOAEPSHA512AESGCM = KeyAlgorithm(
        .rsaOAEP(.sha512, withAESGCM: true))
    /// kSecKeyAlgorithmECIESEncryptionStandardX963SHA1AESGCM
    public static let eciesEncryptionStandardX963SHA1AESGCM = KeyAlgorithm(
        .ecies(.standard, .sha1, variableIV: false))
    /// kSecKeyAlgorithmECIESEncryptionStandardX963SHA224AESGCM
    public static let eciesEncryptionStandardX963SHA224AESGCM = KeyAlgorithm(
        .ecies(.standard, .sha224, variableIV: false))
    /// kSecKeyAlgorithmECIESEncryptionStandardX963SHA256AESGCM
    public static let eciesEncryptionStandardX963SHA256AESGCM = KeyAlgorithm(
        .ecies(.standard, .sha256, variableIV: false))
    /// kSecKeyAlgorithmECIESEncryptionStandardX963SHA384AESGCM
    public static let eciesEncryptionStandardX963SHA384AESGCM = KeyAlgorithm(
        .ecies(.standard, .sha384, variableIV: false))
    /// kSecKeyAlgorithmECIESEncryptionStandardX963SHA512AESGCM
    public static let eciesEncryptionStandardX963SHA512AESGCM = KeyAlgorithm(
        .ecies(.standard, .sha512, variableIV: false))
    /// kSecKeyAlgorithmECIESEncryptionCofactorX963SHA1AESGCM
    public static let eciesEncryptionCofactorX963SHA1AESGCM = KeyAlgorithm(
        .ecies(.cofactor, .sha1, variableIV: false))
    /// kSecKeyAlgorithmECIESEncryptionCofactorX963SHA224AESGCM
    public static let eciesEncryptionCofactorX963SHA224AESGCM = KeyAlgorithm(
        .ecies(.cofactor, .sha224, variableIV: false))
    /// kSecKeyAlgorithmECIESEncryptionCofactorX963SHA256AESGCM
    public static let eciesEncryptionCofactorX963SHA256AESGCM = KeyAlgorithm(
        .ecies(.cofactor, .sha256, variableIV: false))
    /// kSecKeyAlgorithmECIESEncryptionCofactorX963SHA384AESGCM
    public static let eciesEncryptionCofactorX963SHA384AESGCM = KeyAlgorithm(
        .ecies(.cofactor, .sha384, variableIV: false))
    /// kSecKeyAlgorithmECIESEncryptionCofactorX963SHA512AESGCM
    public static let eciesEncryptionCofactorX963SHA512AESGCM = KeyAlgorithm(
        .ecies(.cofactor, .sha512, variableIV: false))
    /// kSecKeyAlgorithmECIESEncryptionStandardVariableIVX963SHA224AESGCM
    public static let eciesEncryptionStandardVariableIVX963SHA224AESGCM = KeyAlgorithm(
        .ecies(.standard, .sha224, variableIV: true))
    /// kSecKeyAlgorithmECIESEncryptionStandardVariableIVX963SHA256AESGCM
    public static let eciesEncryptionStandardVariableIVX963SHA256AESGCM = KeyAlgorithm(
        .ecies(.standard, .sha256, variableIV: true))
    /// kSecKeyAlgorithmECIESEncryptionStandardVariableIVX963SHA384AESGCM
    public static let eciesEncryptionStandardVariableIVX963SHA384AESGCM = KeyAlgorithm(
        .ecies(.standard, .sha384, variableIV: true))
    /// kSecKeyAlgorithmECIESEncryptionStandardVariableIVX963SHA512AESGCM
    public static let eciesEncryptionStandardVariableIVX963SHA512AESGCM = KeyAlgorithm(
        .ecies(.standard, .sha512, variableIV: true))
    /// kSecKeyAlgorithmECIESEncryptionCofactorVariableIVX963SHA224AESGCM
    public static let eciesEncryptionCofactorVariableIVX963SHA224AESGCM = KeyAlgorithm(
        .ecies(.cofactor, .sha224, variableIV: true))
    /// kSecKeyAlgorithmECIESEncryptionCofactorVariableIVX963SHA256AESGCM
    public static let eciesEncryptionCofactorVariableIVX963SHA256AESGCM = KeyAlgorithm(
        .ecies(.cofactor, .sha256, variableIV: true))
    /// kSecKeyAlgorithmECIESEncryptionCofactorVariableIVX963SHA384AESGCM
    public static let eciesEncryptionCofactorVariableIVX963SHA384AESGCM = KeyAlgorithm(
        .ecies(.cofactor, .sha384, variableIV: true))
    /// kSecKeyAlgorithmECIESEncryptionCofactorVariableIVX963SHA512AESGCM
    public static let eciesEncryptionCofactorVariableIVX963SHA512AESGCM = KeyAlgorithm(
        .ecies(.cofactor, .sha512, variableIV: true))
}
