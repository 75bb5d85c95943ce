/// The kinds of keys. The raw values are Keychain Services' numbers.
///
/// The corresponding constant is kSecAttrKeyType.
public enum AsymmetricKeyType: UInt32, Hashable, Sendable, CaseIterable {
    /// RSA with two primes: kSecAttrKeyTypeRSA.
    case rsa = 42
    /// A NIST curve, P-256, P-384 or P-521: kSecAttrKeyTypeECSECPrimeRandom.
    case ellipticCurve = 73
    /// Signatures with Edwards' form of Curve25519: RFC 8032.
    case ed25519 = 105
    /// Key exchange with Curve25519: RFC 7748.
    case x25519 = 106
}
