/// The attributes of a key.
extension ItemAttributes {
    /// Whether the key is public, private or symmetric: kSecAttrKeyClass.
    public var keyClass: KeyClass? {
        get { self[.keyClass]?.number.map { KeyClass(rawValue: $0) } }
        set { self[.keyClass] = newValue.map { .number($0.rawValue) } }
    }
    /// The algorithm that the key is for: kSecAttrKeyType.
    public var keyType: KeyType? {
        get { self[.keyType]?.number.map { KeyType(rawValue: $0) } }
        set { self[.keyType] = newValue.map { .number($0.rawValue) } }
    }
    /// The size of the key in bits: kSecAttrKeySizeInBits.
    public var keySizeInBits: UInt32? {
        get { self[.keySizeInBits]?.number }
        set { self[.keySizeInBits] = newValue.map { .number($0) } }
    }
    /// The number of the key's bits that count: kSecAttrEffectiveKeySize.
    public var effectiveKeySize: UInt32? {
        get { self[.effectiveKeySize]?.number }
        set { self[.effectiveKeySize] = newValue.map { .number($0) } }
    }
    /// The name by which programs find the key. A pair's two keys have the SHA-1 digest of the public one, 20
    /// bytes: kSecAttrApplicationLabel.
    public var applicationLabel: ByteString? {
        get { self[.applicationLabel]?.text }
        set { self[.applicationLabel] = newValue.map { .text($0) } }
    }
    /// A tag that the program defines: kSecAttrApplicationTag.
    public var applicationTag: ByteString? {
        get { self[.applicationTag]?.text }
        set { self[.applicationTag] = newValue.map { .text($0) } }
    }
    /// Whether the key is stored in a keychain: kSecAttrIsPermanent.
    public var isPermanent: Bool? {
        get { self[.isPermanent]?.flag }
        set { self[.isPermanent] = newValue.map { .flag($0) } }
    }
    /// Whether the key may encrypt: kSecAttrCanEncrypt.
    public var canEncrypt: Bool? {
        get { self[.canEncrypt]?.flag }
        set { self[.canEncrypt] = newValue.map { .flag($0) } }
    }
    /// Whether the key may decrypt: kSecAttrCanDecrypt.
    public var canDecrypt: Bool? {
        get { self[.canDecrypt]?.flag }
        set { self[.canDecrypt] = newValue.map { .flag($0) } }
    }
    /// Whether other keys may be derived from the key: kSecAttrCanDerive.
    public var canDerive: Bool? {
        get { self[.canDerive]?.flag }
        set { self[.canDerive] = newValue.map { .flag($0) } }
    }
    /// Whether the key may sign: kSecAttrCanSign.
    public var canSign: Bool? {
        get { self[.canSign]?.flag }
        set { self[.canSign] = newValue.map { .flag($0) } }
    }
    /// Whether the key may verify signatures: kSecAttrCanVerify.
    public var canVerify: Bool? {
        get { self[.canVerify]?.flag }
        set { self[.canVerify] = newValue.map { .flag($0) } }
    }
    /// Whether the key may wrap other keys: kSecAttrCanWrap.
    public var canWrap: Bool? {
        get { self[.canWrap]?.flag }
        set { self[.canWrap] = newValue.map { .flag($0) } }
    }
    /// Whether the key may unwrap other keys: kSecAttrCanUnwrap.
    public var canUnwrap: Bool? {
        get { self[.canUnwrap]?.flag }
        set { self[.canUnwrap] = newValue.map { .flag($0) } }
    }
}

/// Whether a key is public, private or symmetric.
///
/// The corresponding key is kSecAttrKeyClass.
public struct KeyClass: RawRepresentable, Hashable, Sendable {
    /// The number of the class.
    public let rawValue: UInt32

    /// Creates the class with this number.
    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// The public key of a pair: kSecAttrKeyClassPublic.
    public static let `public` = KeyClass(rawValue: 0)
    /// The private key of a pair: kSecAttrKeyClassPrivate.
    public static let `private` = KeyClass(rawValue: 1)
    /// A key without a pair: kSecAttrKeyClassSymmetric.
    public static let symmetric = KeyClass(rawValue: 2)
}

/// The algorithm that a key is for.
///
/// The corresponding key is kSecAttrKeyType.
public struct KeyType: RawRepresentable, Hashable, Sendable {
    /// The number of the algorithm.
    public let rawValue: UInt32

    /// Creates the type with this number.
    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// RSA. Its data is the RSAPrivateKey or RSAPublicKey of RFC 8017: kSecAttrKeyTypeRSA.
    public static let rsa = KeyType(rawValue: 42)
    /// One of the curves P-256, P-384 and P-521. Its data is the uncompressed point of ANSI X9.63, followed by
    /// the private number if there is one: kSecAttrKeyTypeECSECPrimeRandom.
    public static let ellipticCurve = KeyType(rawValue: 73)
    /// Ed25519. Its data are the 32 bytes of RFC 8032.
    public static let ed25519 = KeyType(rawValue: 105)
    /// X25519. Its data are the 32 bytes of RFC 7748.
    public static let x25519 = KeyType(rawValue: 106)
    /// AES, 16, 24 or 32 bytes: kSecAttrKeyTypeAES.
    public static let aes = KeyType(rawValue: 2_147_483_649)
}
