public import LanyardSecrets

extension Status {
    /// The file's format is not one that can be read: errSecUnknownFormat
    public static let unknownFormat = Status(rawValue: -25257)
    /// The file is encrypted, and no password is given: errSecPassphraseRequired
    public static let passphraseRequired = Status(rawValue: -25260)
    /// Keys can't have this size: errSecKeySizeNotAllowed
    public static let keySizeNotAllowed = Status(rawValue: -25311)
    /// Keys of this type or curve are not supported: errSecUnsupportedKeyFormat
    public static let unsupportedKeyFormat = Status(rawValue: -67734)
    /// Keys of this size are not supported: errSecUnsupportedKeySize
    public static let unsupportedKeySize = Status(rawValue: -67735)
    /// The key is damaged: errSecInvalidKeyFormat
    public static let invalidKeyFormat = Status(rawValue: -67742)
    /// No key can have this algorithm, or not this key: errSecInvalidAlgorithm
    public static let invalidAlgorithm = Status(rawValue: -67747)
    /// The private and the public part are of different keys: errSecPublicKeyInconsistent
    public static let publicKeyInconsistent = Status(rawValue: -67811)
}

extension KeychainError {
    static var invalidKeyFormat: KeychainError {
        KeychainError(.invalidKeyFormat, "invalid key format")
    }
    static var keySizeNotAllowed: KeychainError {
        KeychainError(.keySizeNotAllowed, "this key size is not allowed")
    }
    static var passphraseRequired: KeychainError {
        KeychainError(.passphraseRequired, "missing passphrase")
    }
    static var publicKeyInconsistent: KeychainError {
        KeychainError(
            .publicKeyInconsistent, "the parts of the public key contradict each other")
    }
    static var unsupportedKeySize: KeychainError {
        KeychainError(.unsupportedKeySize, "unsupported key size")
    }
    static var unsupportedKeyType: KeychainError {
        KeychainError(
            .unsupportedKeyFormat, "unsupported type of key",
            hint: "RSA, P-256, P-384, P-521, Ed25519 and X25519 keys are supported")
    }
    static var outOfMemory: KeychainError { KeychainError(.allocate) }
}
