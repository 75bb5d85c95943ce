extension KeyAlgorithm {
    /// RSA PKCS #1 v1.5 of a digest, SHA-1: kSecKeyAlgorithmRSASignatureDigestPKCS1v15SHA1.
    public static let rsaSignatureDigestPKCS1v15SHA1 = KeyAlgorithm(
        .rsaSignature(.digest, .pkcs1v15, .sha1))
    /// RSA PKCS #1 v1.5 of a digest, SHA-224: kSecKeyAlgorithmRSASignatureDigestPKCS1v15SHA224.
    public static let rsaSignatureDigestPKCS1v15SHA224 = KeyAlgorithm(
        .rsaSignature(.digest, .pkcs1v15, .sha224))
    /// RSA PKCS #1 v1.5 of a digest, SHA-256: kSecKeyAlgorithmRSASignatureDigestPKCS1v15SHA256.
    public static let rsaSignatureDigestPKCS1v15SHA256 = KeyAlgorithm(
        .rsaSignature(.digest, .pkcs1v15, .sha256))
    /// RSA PKCS #1 v1.5 of a digest, SHA-384: kSecKeyAlgorithmRSASignatureDigestPKCS1v15SHA384.
    public static let rsaSignatureDigestPKCS1v15SHA384 = KeyAlgorithm(
        .rsaSignature(.digest, .pkcs1v15, .sha384))
    /// RSA PKCS #1 v1.5 of a digest, SHA-512: kSecKeyAlgorithmRSASignatureDigestPKCS1v15SHA512.
    public static let rsaSignatureDigestPKCS1v15SHA512 = KeyAlgorithm(
        .rsaSignature(.digest, .pkcs1v15, .sha512))
    /// RSA PKCS #1 v1.5 of a message, SHA-1: kSecKeyAlgorithmRSASignatureMessagePKCS1v15SHA1.
    public static let rsaSignatureMessagePKCS1v15SHA1 = KeyAlgorithm(
        .rsaSignature(.message, .pkcs1v15, .sha1))
    /// RSA PKCS #1 v1.5 of a message, SHA-224: kSecKeyAlgorithmRSASignatureMessagePKCS1v15SHA224.
    public static let rsaSignatureMessagePKCS1v15SHA224 = KeyAlgorithm(
        .rsaSignature(.message, .pkcs1v15, .sha224))
    /// RSA PKCS #1 v1.5 of a message, SHA-256: kSecKeyAlgorithmRSASignatureMessagePKCS1v15SHA256.
    public static let rsaSignatureMessagePKCS1v15SHA256 = KeyAlgorithm(
        .rsaSignature(.message, .pkcs1v15, .sha256))
    /// RSA PKCS #1 v1.5 of a message, SHA-384: kSecKeyAlgorithmRSASignatureMessagePKCS1v15SHA384.
    public static let rsaSignatureMessagePKCS1v15SHA384 = KeyAlgorithm(
        .rsaSignature(.message, .pkcs1v15, .sha384))
    /// RSA PKCS #1 v1.5 of a message, SHA-512: kSecKeyAlgorithmRSASignatureMessagePKCS1v15SHA512.
    public static let rsaSignatureMessagePKCS1v15SHA512 = KeyAlgorithm(
        .rsaSignature(.message, .pkcs1v15, .sha512))
    /// RSA PSS of a digest, SHA-1: kSecKeyAlgorithmRSASignatureDigestPSSSHA1.
    public static let rsaSignatureDigestPSSSHA1 = KeyAlgorithm(.rsaSignature(.digest, .pss, .sha1))
    /// RSA PSS of a digest, SHA-224: kSecKeyAlgorithmRSASignatureDigestPSSSHA224.
    public static let rsaSignatureDigestPSSSHA224 = KeyAlgorithm(
        .rsaSignature(.digest, .pss, .sha224))
    /// RSA PSS of a digest, SHA-256: kSecKeyAlgorithmRSASignatureDigestPSSSHA256.
    public static let rsaSignatureDigestPSSSHA256 = KeyAlgorithm(
        .rsaSignature(.digest, .pss, .sha256))
    /// RSA PSS of a digest, SHA-384: kSecKeyAlgorithmRSASignatureDigestPSSSHA384.
    public static let rsaSignatureDigestPSSSHA384 = KeyAlgorithm(
        .rsaSignature(.digest, .pss, .sha384))
    /// RSA PSS of a digest, SHA-512: kSecKeyAlgorithmRSASignatureDigestPSSSHA512.
    public static let rsaSignatureDigestPSSSHA512 = KeyAlgorithm(
        .rsaSignature(.digest, .pss, .sha512))
    /// RSA PSS of a message, SHA-1: kSecKeyAlgorithmRSASignatureMessagePSSSHA1.
    public static let rsaSignatureMessagePSSSHA1 = KeyAlgorithm(
        .rsaSignature(.message, .pss, .sha1))
    /// RSA PSS of a message, SHA-224: kSecKeyAlgorithmRSASignatureMessagePSSSHA224.
    public static let rsaSignatureMessagePSSSHA224 = KeyAlgorithm(
        .rsaSignature(.message, .pss, .sha224))
    /// RSA PSS of a message, SHA-256: kSecKeyAlgorithmRSASignatureMessagePSSSHA256.
    public static let rsaSignatureMessagePSSSHA256 = KeyAlgorithm(
        .rsaSignature(.message, .pss, .sha256))
    /// RSA PSS of a message, SHA-384: kSecKeyAlgorithmRSASignatureMessagePSSSHA384.
    public static let rsaSignatureMessagePSSSHA384 = KeyAlgorithm(
        .rsaSignature(.message, .pss, .sha384))
    /// RSA PSS of a message, SHA-512: kSecKeyAlgorithmRSASignatureMessagePSSSHA512.
    public static let rsaSignatureMessagePSSSHA512 = KeyAlgorithm(
        .rsaSignature(.message, .pss, .sha512))
}
