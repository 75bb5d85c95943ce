internal import LanyardCertificates

extension SecKeyAlgorithm {
    /// RSA PKCS #1 v1.5 of a digest, SHA-1: kSecKeyAlgorithmRSASignatureDigestPKCS1v15SHA1.
    public static let rsaSignatureDigestPKCS1v15SHA1 = SecKeyAlgorithm(
        .rsaSignatureDigestPKCS1v15SHA1)
    /// RSA PKCS #1 v1.5 of a digest, SHA-224: kSecKeyAlgorithmRSASignatureDigestPKCS1v15SHA224.
    public static let rsaSignatureDigestPKCS1v15SHA224 = SecKeyAlgorithm(
        .rsaSignatureDigestPKCS1v15SHA224)
    /// RSA PKCS #1 v1.5 of a digest, SHA-256: kSecKeyAlgorithmRSASignatureDigestPKCS1v15SHA256.
    public static let rsaSignatureDigestPKCS1v15SHA256 = SecKeyAlgorithm(
        .rsaSignatureDigestPKCS1v15SHA256)
    /// RSA PKCS #1 v1.5 of a digest, SHA-384: kSecKeyAlgorithmRSASignatureDigestPKCS1v15SHA384.
    public static let rsaSignatureDigestPKCS1v15SHA384 = SecKeyAlgorithm(
        .rsaSignatureDigestPKCS1v15SHA384)
    /// RSA PKCS #1 v1.5 of a digest, SHA-512: kSecKeyAlgorithmRSASignatureDigestPKCS1v15SHA512.
    public static let rsaSignatureDigestPKCS1v15SHA512 = SecKeyAlgorithm(
        .rsaSignatureDigestPKCS1v15SHA512)
    /// RSA PKCS #1 v1.5 of a message, SHA-1: kSecKeyAlgorithmRSASignatureMessagePKCS1v15SHA1.
    public static let rsaSignatureMessagePKCS1v15SHA1 = SecKeyAlgorithm(
        .rsaSignatureMessagePKCS1v15SHA1)
    /// RSA PKCS #1 v1.5 of a message, SHA-224: kSecKeyAlgorithmRSASignatureMessagePKCS1v15SHA224.
    public static let rsaSignatureMessagePKCS1v15SHA224 = SecKeyAlgorithm(
        .rsaSignatureMessagePKCS1v15SHA224)
    /// RSA PKCS #1 v1.5 of a message, SHA-256: kSecKeyAlgorithmRSASignatureMessagePKCS1v15SHA256.
    public static let rsaSignatureMessagePKCS1v15SHA256 = SecKeyAlgorithm(
        .rsaSignatureMessagePKCS1v15SHA256)
    /// RSA PKCS #1 v1.5 of a message, SHA-384: kSecKeyAlgorithmRSASignatureMessagePKCS1v15SHA384.
    public static let rsaSignatureMessagePKCS1v15SHA384 = SecKeyAlgorithm(
        .rsaSignatureMessagePKCS1v15SHA384)
    /// RSA PKCS #1 v1.5 of a message, SHA-512: kSecKeyAlgorithmRSASignatureMessagePKCS1v15SHA512.
    public static let rsaSignatureMessagePKCS1v15SHA512 = SecKeyAlgorithm(
        .rsaSignatureMessagePKCS1v15SHA512)
    /// RSA PSS of a digest, SHA-1: kSecKeyAlgorithmRSASignatureDigestPSSSHA1.
    public static let rsaSignatureDigestPSSSHA1 = SecKeyAlgorithm(.rsaSignatureDigestPSSSHA1)
    /// RSA PSS of a digest, SHA-224: kSecKeyAlgorithmRSASignatureDigestPSSSHA224.
    public static let rsaSignatureDigestPSSSHA224 = SecKeyAlgorithm(.rsaSignatureDigestPSSSHA224)
    /// RSA PSS of a digest, SHA-256: kSecKeyAlgorithmRSASignatureDigestPSSSHA256.
    public static let rsaSignatureDigestPSSSHA256 = SecKeyAlgorithm(.rsaSignatureDigestPSSSHA256)
    /// RSA PSS of a digest, SHA-384: kSecKeyAlgorithmRSASignatureDigestPSSSHA384.
    public static let rsaSignatureDigestPSSSHA384 = SecKeyAlgorithm(.rsaSignatureDigestPSSSHA384)
    /// RSA PSS of a digest, SHA-512: kSecKeyAlgorithmRSASignatureDigestPSSSHA512.
    public static let rsaSignatureDigestPSSSHA512 = SecKeyAlgorithm(.rsaSignatureDigestPSSSHA512)
    /// RSA PSS of a message, SHA-1: kSecKeyAlgorithmRSASignatureMessagePSSSHA1.
    public static let rsaSignatureMessagePSSSHA1 = SecKeyAlgorithm(.rsaSignatureMessagePSSSHA1)
    /// RSA PSS of a message, SHA-224: kSecKeyAlgorithmRSASignatureMessagePSSSHA224.
    public static let rsaSignatureMessagePSSSHA224 = SecKeyAlgorithm(.rsaSignatureMessagePSSSHA224)
    /// RSA PSS of a message, SHA-256: kSecKeyAlgorithmRSASignatureMessagePSSSHA256.
    public static let rsaSignatureMessagePSSSHA256 = SecKeyAlgorithm(.rsaSignatureMessagePSSSHA256)
    /// RSA PSS of a message, SHA-384: kSecKeyAlgorithmRSASignatureMessagePSSSHA384.
    public static let rsaSignatureMessagePSSSHA384 = SecKeyAlgorithm(.rsaSignatureMessagePSSSHA384)
    /// RSA PSS of a message, SHA-512: kSecKeyAlgorithmRSASignatureMessagePSSSHA512.
    public static let rsaSignatureMessagePSSSHA512 = SecKeyAlgorithm(.rsaSignatureMessagePSSSHA512)
}
