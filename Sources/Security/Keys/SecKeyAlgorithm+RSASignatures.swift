internal import Certificates

extension SecKeyAlgorithm {
    /// RSA PKCS #1 v1.5 of a digest, SHA-1: kSecKeyAlgorithmRSASignatureDigestPKCS1v15SHA1.
    public static var rsaSignatureDigestPKCS1v15SHA1: SecKeyAlgorithm {
        SecKeyAlgorithm(.rsaSignatureDigestPKCS1v15SHA1)
    }
    /// RSA PKCS #1 v1.5 of a digest, SHA-224: kSecKeyAlgorithmRSASignatureDigestPKCS1v15SHA224.
    public static var rsaSignatureDigestPKCS1v15SHA224: SecKeyAlgorithm {
        SecKeyAlgorithm(.rsaSignatureDigestPKCS1v15SHA224)
    }
    /// RSA PKCS #1 v1.5 of a digest, SHA-256: kSecKeyAlgorithmRSASignatureDigestPKCS1v15SHA256.
    public static var rsaSignatureDigestPKCS1v15SHA256: SecKeyAlgorithm {
        SecKeyAlgorithm(.rsaSignatureDigestPKCS1v15SHA256)
    }
    /// RSA PKCS #1 v1.5 of a digest, SHA-384: kSecKeyAlgorithmRSASignatureDigestPKCS1v15SHA384.
    public static var rsaSignatureDigestPKCS1v15SHA384: SecKeyAlgorithm {
        SecKeyAlgorithm(.rsaSignatureDigestPKCS1v15SHA384)
    }
    /// RSA PKCS #1 v1.5 of a digest, SHA-512: kSecKeyAlgorithmRSASignatureDigestPKCS1v15SHA512.
    public static var rsaSignatureDigestPKCS1v15SHA512: SecKeyAlgorithm {
        SecKeyAlgorithm(.rsaSignatureDigestPKCS1v15SHA512)
    }
    /// RSA PKCS #1 v1.5 of a message, SHA-1: kSecKeyAlgorithmRSASignatureMessagePKCS1v15SHA1.
    public static var rsaSignatureMessagePKCS1v15SHA1: SecKeyAlgorithm {
        SecKeyAlgorithm(.rsaSignatureMessagePKCS1v15SHA1)
    }
    /// RSA PKCS #1 v1.5 of a message, SHA-224: kSecKeyAlgorithmRSASignatureMessagePKCS1v15SHA224.
    public static var rsaSignatureMessagePKCS1v15SHA224: SecKeyAlgorithm {
        SecKeyAlgorithm(.rsaSignatureMessagePKCS1v15SHA224)
    }
    /// RSA PKCS #1 v1.5 of a message, SHA-256: kSecKeyAlgorithmRSASignatureMessagePKCS1v15SHA256.
    public static var rsaSignatureMessagePKCS1v15SHA256: SecKeyAlgorithm {
        SecKeyAlgorithm(.rsaSignatureMessagePKCS1v15SHA256)
    }
    /// RSA PKCS #1 v1.5 of a message, SHA-384: kSecKeyAlgorithmRSASignatureMessagePKCS1v15SHA384.
    public static var rsaSignatureMessagePKCS1v15SHA384: SecKeyAlgorithm {
        SecKeyAlgorithm(.rsaSignatureMessagePKCS1v15SHA384)
    }
    /// RSA PKCS #1 v1.5 of a message, SHA-512: kSecKeyAlgorithmRSASignatureMessagePKCS1v15SHA512.
    public static var rsaSignatureMessagePKCS1v15SHA512: SecKeyAlgorithm {
        SecKeyAlgorithm(.rsaSignatureMessagePKCS1v15SHA512)
    }
    /// RSA PSS of a digest, SHA-1: kSecKeyAlgorithmRSASignatureDigestPSSSHA1.
    public static var rsaSignatureDigestPSSSHA1: SecKeyAlgorithm {
        SecKeyAlgorithm(.rsaSignatureDigestPSSSHA1)
    }
    /// RSA PSS of a digest, SHA-224: kSecKeyAlgorithmRSASignatureDigestPSSSHA224.
    public static var rsaSignatureDigestPSSSHA224: SecKeyAlgorithm {
        SecKeyAlgorithm(.rsaSignatureDigestPSSSHA224)
    }
    /// RSA PSS of a digest, SHA-256: kSecKeyAlgorithmRSASignatureDigestPSSSHA256.
    public static var rsaSignatureDigestPSSSHA256: SecKeyAlgorithm {
        SecKeyAlgorithm(.rsaSignatureDigestPSSSHA256)
    }
    /// RSA PSS of a digest, SHA-384: kSecKeyAlgorithmRSASignatureDigestPSSSHA384.
    public static var rsaSignatureDigestPSSSHA384: SecKeyAlgorithm {
        SecKeyAlgorithm(.rsaSignatureDigestPSSSHA384)
    }
    /// RSA PSS of a digest, SHA-512: kSecKeyAlgorithmRSASignatureDigestPSSSHA512.
    public static var rsaSignatureDigestPSSSHA512: SecKeyAlgorithm {
        SecKeyAlgorithm(.rsaSignatureDigestPSSSHA512)
    }
    /// RSA PSS of a message, SHA-1: kSecKeyAlgorithmRSASignatureMessagePSSSHA1.
    public static var rsaSignatureMessagePSSSHA1: SecKeyAlgorithm {
        SecKeyAlgorithm(.rsaSignatureMessagePSSSHA1)
    }
    /// RSA PSS of a message, SHA-224: kSecKeyAlgorithmRSASignatureMessagePSSSHA224.
    public static var rsaSignatureMessagePSSSHA224: SecKeyAlgorithm {
        SecKeyAlgorithm(.rsaSignatureMessagePSSSHA224)
    }
    /// RSA PSS of a message, SHA-256: kSecKeyAlgorithmRSASignatureMessagePSSSHA256.
    public static var rsaSignatureMessagePSSSHA256: SecKeyAlgorithm {
        SecKeyAlgorithm(.rsaSignatureMessagePSSSHA256)
    }
    /// RSA PSS of a message, SHA-384: kSecKeyAlgorithmRSASignatureMessagePSSSHA384.
    public static var rsaSignatureMessagePSSSHA384: SecKeyAlgorithm {
        SecKeyAlgorithm(.rsaSignatureMessagePSSSHA384)
    }
    /// RSA PSS of a message, SHA-512: kSecKeyAlgorithmRSASignatureMessagePSSSHA512.
    public static var rsaSignatureMessagePSSSHA512: SecKeyAlgorithm {
        SecKeyAlgorithm(.rsaSignatureMessagePSSSHA512)
    }
}
