internal import Certificates

extension SecKeyAlgorithm {
    /// RSA PKCS #1 v1.5, for old programs only: kSecKeyAlgorithmRSAEncryptionPKCS1.
    public static var rsaEncryptionPKCS1: SecKeyAlgorithm { SecKeyAlgorithm(.rsaEncryptionPKCS1) }
    /// RSA OAEP, SHA-1: kSecKeyAlgorithmRSAEncryptionOAEPSHA1.
    public static var rsaEncryptionOAEPSHA1: SecKeyAlgorithm {
        SecKeyAlgorithm(.rsaEncryptionOAEPSHA1)
    }
    /// RSA OAEP, SHA-224: kSecKeyAlgorithmRSAEncryptionOAEPSHA224.
    public static var rsaEncryptionOAEPSHA224: SecKeyAlgorithm {
        SecKeyAlgorithm(.rsaEncryptionOAEPSHA224)
    }
    /// RSA OAEP, SHA-256: kSecKeyAlgorithmRSAEncryptionOAEPSHA256.
    public static var rsaEncryptionOAEPSHA256: SecKeyAlgorithm {
        SecKeyAlgorithm(.rsaEncryptionOAEPSHA256)
    }
    /// RSA OAEP, SHA-384: kSecKeyAlgorithmRSAEncryptionOAEPSHA384.
    public static var rsaEncryptionOAEPSHA384: SecKeyAlgorithm {
        SecKeyAlgorithm(.rsaEncryptionOAEPSHA384)
    }
    /// RSA OAEP, SHA-512: kSecKeyAlgorithmRSAEncryptionOAEPSHA512.
    public static var rsaEncryptionOAEPSHA512: SecKeyAlgorithm {
        SecKeyAlgorithm(.rsaEncryptionOAEPSHA512)
    }
    /// AES-GCM under a key in RSA OAEP: kSecKeyAlgorithmRSAEncryptionOAEPSHA1AESGCM.
    public static var rsaEncryptionOAEPSHA1AESGCM: SecKeyAlgorithm {
        SecKeyAlgorithm(.rsaEncryptionOAEPSHA1AESGCM)
    }
    /// AES-GCM under a key in RSA OAEP: kSecKeyAlgorithmRSAEncryptionOAEPSHA224AESGCM.
    public static var rsaEncryptionOAEPSHA224AESGCM: SecKeyAlgorithm {
        SecKeyAlgorithm(.rsaEncryptionOAEPSHA224AESGCM)
    }
    /// AES-GCM under a key in RSA OAEP: kSecKeyAlgorithmRSAEncryptionOAEPSHA256AESGCM.
    public static var rsaEncryptionOAEPSHA256AESGCM: SecKeyAlgorithm {
        SecKeyAlgorithm(.rsaEncryptionOAEPSHA256AESGCM)
    }
    /// AES-GCM under a key in RSA OAEP: kSecKeyAlgorithmRSAEncryptionOAEPSHA384AESGCM.
    public static var rsaEncryptionOAEPSHA384AESGCM: SecKeyAlgorithm {
        SecKeyAlgorithm(.rsaEncryptionOAEPSHA384AESGCM)
    }
    /// AES-GCM under a key in RSA OAEP: kSecKeyAlgorithmRSAEncryptionOAEPSHA512AESGCM.
    public static var rsaEncryptionOAEPSHA512AESGCM: SecKeyAlgorithm {
        SecKeyAlgorithm(.rsaEncryptionOAEPSHA512AESGCM)
    }
    /// kSecKeyAlgorithmECIESEncryptionStandardX963SHA1AESGCM
    public static var eciesEncryptionStandardX963SHA1AESGCM: SecKeyAlgorithm {
        SecKeyAlgorithm(.eciesEncryptionStandardX963SHA1AESGCM)
    }
    /// kSecKeyAlgorithmECIESEncryptionStandardX963SHA224AESGCM
    public static var eciesEncryptionStandardX963SHA224AESGCM: SecKeyAlgorithm {
        SecKeyAlgorithm(.eciesEncryptionStandardX963SHA224AESGCM)
    }
    /// kSecKeyAlgorithmECIESEncryptionStandardX963SHA256AESGCM
    public static var eciesEncryptionStandardX963SHA256AESGCM: SecKeyAlgorithm {
        SecKeyAlgorithm(.eciesEncryptionStandardX963SHA256AESGCM)
    }
    /// kSecKeyAlgorithmECIESEncryptionStandardX963SHA384AESGCM
    public static var eciesEncryptionStandardX963SHA384AESGCM: SecKeyAlgorithm {
        SecKeyAlgorithm(.eciesEncryptionStandardX963SHA384AESGCM)
    }
    /// kSecKeyAlgorithmECIESEncryptionStandardX963SHA512AESGCM
    public static var eciesEncryptionStandardX963SHA512AESGCM: SecKeyAlgorithm {
        SecKeyAlgorithm(.eciesEncryptionStandardX963SHA512AESGCM)
    }
    /// kSecKeyAlgorithmECIESEncryptionCofactorX963SHA1AESGCM
    public static var eciesEncryptionCofactorX963SHA1AESGCM: SecKeyAlgorithm {
        SecKeyAlgorithm(.eciesEncryptionCofactorX963SHA1AESGCM)
    }
    /// kSecKeyAlgorithmECIESEncryptionCofactorX963SHA224AESGCM
    public static var eciesEncryptionCofactorX963SHA224AESGCM: SecKeyAlgorithm {
        SecKeyAlgorithm(.eciesEncryptionCofactorX963SHA224AESGCM)
    }
    /// kSecKeyAlgorithmECIESEncryptionCofactorX963SHA256AESGCM
    public static var eciesEncryptionCofactorX963SHA256AESGCM: SecKeyAlgorithm {
        SecKeyAlgorithm(.eciesEncryptionCofactorX963SHA256AESGCM)
    }
    /// kSecKeyAlgorithmECIESEncryptionCofactorX963SHA384AESGCM
    public static var eciesEncryptionCofactorX963SHA384AESGCM: SecKeyAlgorithm {
        SecKeyAlgorithm(.eciesEncryptionCofactorX963SHA384AESGCM)
    }
    /// kSecKeyAlgorithmECIESEncryptionCofactorX963SHA512AESGCM
    public static var eciesEncryptionCofactorX963SHA512AESGCM: SecKeyAlgorithm {
        SecKeyAlgorithm(.eciesEncryptionCofactorX963SHA512AESGCM)
    }
    /// kSecKeyAlgorithmECIESEncryptionStandardVariableIVX963SHA224AESGCM
    public static var eciesEncryptionStandardVariableIVX963SHA224AESGCM: SecKeyAlgorithm {
        SecKeyAlgorithm(.eciesEncryptionStandardVariableIVX963SHA224AESGCM)
    }
    /// kSecKeyAlgorithmECIESEncryptionStandardVariableIVX963SHA256AESGCM
    public static var eciesEncryptionStandardVariableIVX963SHA256AESGCM: SecKeyAlgorithm {
        SecKeyAlgorithm(.eciesEncryptionStandardVariableIVX963SHA256AESGCM)
    }
    /// kSecKeyAlgorithmECIESEncryptionStandardVariableIVX963SHA384AESGCM
    public static var eciesEncryptionStandardVariableIVX963SHA384AESGCM: SecKeyAlgorithm {
        SecKeyAlgorithm(.eciesEncryptionStandardVariableIVX963SHA384AESGCM)
    }
    /// kSecKeyAlgorithmECIESEncryptionStandardVariableIVX963SHA512AESGCM
    public static var eciesEncryptionStandardVariableIVX963SHA512AESGCM: SecKeyAlgorithm {
        SecKeyAlgorithm(.eciesEncryptionStandardVariableIVX963SHA512AESGCM)
    }
    /// kSecKeyAlgorithmECIESEncryptionCofactorVariableIVX963SHA224AESGCM
    public static var eciesEncryptionCofactorVariableIVX963SHA224AESGCM: SecKeyAlgorithm {
        SecKeyAlgorithm(.eciesEncryptionCofactorVariableIVX963SHA224AESGCM)
    }
    /// kSecKeyAlgorithmECIESEncryptionCofactorVariableIVX963SHA256AESGCM
    public static var eciesEncryptionCofactorVariableIVX963SHA256AESGCM: SecKeyAlgorithm {
        SecKeyAlgorithm(.eciesEncryptionCofactorVariableIVX963SHA256AESGCM)
    }
    /// kSecKeyAlgorithmECIESEncryptionCofactorVariableIVX963SHA384AESGCM
    public static var eciesEncryptionCofactorVariableIVX963SHA384AESGCM: SecKeyAlgorithm {
        SecKeyAlgorithm(.eciesEncryptionCofactorVariableIVX963SHA384AESGCM)
    }
    /// kSecKeyAlgorithmECIESEncryptionCofactorVariableIVX963SHA512AESGCM
    public static var eciesEncryptionCofactorVariableIVX963SHA512AESGCM: SecKeyAlgorithm {
        SecKeyAlgorithm(.eciesEncryptionCofactorVariableIVX963SHA512AESGCM)
    }
}
