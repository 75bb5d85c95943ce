extension KeyAlgorithm {
    /// ECDSA in DER, of a digest, SHA-1: kSecKeyAlgorithmECDSASignatureDigestX962SHA1.
    public static let ecdsaSignatureDigestX962SHA1 = KeyAlgorithm(.ecdsa(.digest, .x962, .sha1))
    /// ECDSA in DER, of a digest, SHA-224: kSecKeyAlgorithmECDSASignatureDigestX962SHA224.
    public static let ecdsaSignatureDigestX962SHA224 = KeyAlgorithm(.ecdsa(.digest, .x962, .sha224))
    /// ECDSA in DER, of a digest, SHA-256: kSecKeyAlgorithmECDSASignatureDigestX962SHA256.
    public static let ecdsaSignatureDigestX962SHA256 = KeyAlgorithm(.ecdsa(.digest, .x962, .sha256))
    /// ECDSA in DER, of a digest, SHA-384: kSecKeyAlgorithmECDSASignatureDigestX962SHA384.
    public static let ecdsaSignatureDigestX962SHA384 = KeyAlgorithm(.ecdsa(.digest, .x962, .sha384))
    /// ECDSA in DER, of a digest, SHA-512: kSecKeyAlgorithmECDSASignatureDigestX962SHA512.
    public static let ecdsaSignatureDigestX962SHA512 = KeyAlgorithm(.ecdsa(.digest, .x962, .sha512))
    /// ECDSA in DER, of a message, SHA-1: kSecKeyAlgorithmECDSASignatureMessageX962SHA1.
    public static let ecdsaSignatureMessageX962SHA1 = KeyAlgorithm(.ecdsa(.message, .x962, .sha1))
    /// ECDSA in DER, of a message, SHA-224: kSecKeyAlgorithmECDSASignatureMessageX962SHA224.
    public static let ecdsaSignatureMessageX962SHA224 = KeyAlgorithm(
        .ecdsa(.message, .x962, .sha224))
    /// ECDSA in DER, of a message, SHA-256: kSecKeyAlgorithmECDSASignatureMessageX962SHA256.
    public static let ecdsaSignatureMessageX962SHA256 = KeyAlgorithm(
        .ecdsa(.message, .x962, .sha256))
    /// ECDSA in DER, of a message, SHA-384: kSecKeyAlgorithmECDSASignatureMessageX962SHA384.
    public static let ecdsaSignatureMessageX962SHA384 = KeyAlgorithm(
        .ecdsa(.message, .x962, .sha384))
    /// ECDSA in DER, of a message, SHA-512: kSecKeyAlgorithmECDSASignatureMessageX962SHA512.
    public static let ecdsaSignatureMessageX962SHA512 = KeyAlgorithm(
        .ecdsa(.message, .x962, .sha512))
    /// ECDSA of fixed length, of a digest, SHA-1: kSecKeyAlgorithmECDSASignatureDigestRFC4754SHA1.
    public static let ecdsaSignatureDigestRFC4754SHA1 = KeyAlgorithm(
        .ecdsa(.digest, .rfc4754, .sha1))
    /// ECDSA of fixed length, of a digest, SHA-224: kSecKeyAlgorithmECDSASignatureDigestRFC4754SHA224.
    public static let ecdsaSignatureDigestRFC4754SHA224 = KeyAlgorithm(
        .ecdsa(.digest, .rfc4754, .sha224))
    /// ECDSA of fixed length, of a digest, SHA-256: kSecKeyAlgorithmECDSASignatureDigestRFC4754SHA256.
    public static let ecdsaSignatureDigestRFC4754SHA256 = KeyAlgorithm(
        .ecdsa(.digest, .rfc4754, .sha256))
    /// ECDSA of fixed length, of a digest, SHA-384: kSecKeyAlgorithmECDSASignatureDigestRFC4754SHA384.
    public static let ecdsaSignatureDigestRFC4754SHA384 = KeyAlgorithm(
        .ecdsa(.digest, .rfc4754, .sha384))
    /// ECDSA of fixed length, of a digest, SHA-512: kSecKeyAlgorithmECDSASignatureDigestRFC4754SHA512.
    public static let ecdsaSignatureDigestRFC4754SHA512 = KeyAlgorithm(
        .ecdsa(.digest, .rfc4754, .sha512))
    /// ECDSA of fixed length, of a message, SHA-1: kSecKeyAlgorithmECDSASignatureMessageRFC4754SHA1.
    public static let ecdsaSignatureMessageRFC4754SHA1 = KeyAlgorithm(
        .ecdsa(.message, .rfc4754, .sha1))
    /// ECDSA of fixed length, of a message, SHA-224: kSecKeyAlgorithmECDSASignatureMessageRFC4754SHA224.
    public static let ecdsaSignatureMessageRFC4754SHA224 = KeyAlgorithm(
        .ecdsa(.message, .rfc4754, .sha224))
    /// ECDSA of fixed length, of a message, SHA-256: kSecKeyAlgorithmECDSASignatureMessageRFC4754SHA256.
    public static let ecdsaSignatureMessageRFC4754SHA256 = KeyAlgorithm(
        .ecdsa(.message, .rfc4754, .sha256))
    /// ECDSA of fixed length, of a message, SHA-384: kSecKeyAlgorithmECDSASignatureMessageRFC4754SHA384.
    public static let ecdsaSignatureMessageRFC4754SHA384 = KeyAlgorithm(
        .ecdsa(.message, .rfc4754, .sha384))
    /// ECDSA of fixed length, of a message, SHA-512: kSecKeyAlgorithmECDSASignatureMessageRFC4754SHA512.
    public static let ecdsaSignatureMessageRFC4754SHA512 = KeyAlgorithm(
        .ecdsa(.message, .rfc4754, .sha512))
    /// Ed25519 of a message: kSecKeyAlgorithmEdDSASignatureMessageCurve25519SHA512.
    public static let edDSASignatureMessageCurve25519SHA512 = KeyAlgorithm(.edDSA)
}
