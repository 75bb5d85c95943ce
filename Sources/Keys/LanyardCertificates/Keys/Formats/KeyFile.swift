public import LanyardSecrets

/// A file with a private or a public key, whose form is found out from its content.
///
///     let file = try KeyFile(contents, password: password)
///     if case .privateKey(let key) = file.key { … }
public struct KeyFile: Sendable {
    /// A key of either kind.
    public enum Key: Sendable {
        /// A private key, which has its public key.
        case privateKey(PrivateKey)
        /// A public key alone.
        case publicKey(PublicKey)
    }

    /// The form of the file.
    public let format: KeyFormat
    /// Whether the file was encrypted.
    public let isEncrypted: Bool
    /// The key.
    public let key: Key
    /// What an OpenSSH file says about the key, otherwise empty.
    public let comment: ByteString

    /// The largest number of bytes that a file may have: 1 MiB.
    public static let sizeLimit = 1 << 20

    /// Reads a file in DER, PEM or one of OpenSSH's forms.
    ///
    /// In PEM the first block with a key counts; certificates and parameters around it are skipped.
    ///
    /// - Parameter password: Decrypts an encrypted key, and is ignored for others.
    /// - Throws: ``Status/unknownFormat``; ``Status/passphraseRequired`` for an encrypted key without a
    ///   password; ``Status/authFailed`` for a wrong password, which can't always be told from damage;
    ///   ``Status/dataTooLarge`` for a file over 1 MiB or a password that would take too long to check;
    ///   ``Status/unsupportedKeyFormat``, ``Status/unsupportedKeySize`` for keys of other types, curves
    ///   and sizes; ``Status/invalidKeyFormat``, ``Status/publicKeyInconsistent`` and
    ///   ``Status/decode`` for damaged files.
    ///
    /// The corresponding function is SecItemImport.
    public init(
        _ contents: borrowing Secret, password: borrowing Secret? = nil
    ) throws(KeychainError) {
        guard contents.count <= Self.sizeLimit else {
            throw .tooLargeKeyFile
        }
        self = try contents.withBytes { bytes throws(KeychainError) in
            if let format = DERKeyFormat(bytes) {
                return try Self.read(der: contents, format, password: password)
            }
            if let line = try SSHPublicKeyLine(firstOf: bytes) {
                return KeyFile(
                    .openSSHPublicKey, .publicKey(line.key), comment: line.comment)
            }
            return try Self.read(pem: bytes, password: password)
        }
    }

    /// Reads a file like ``init(_:password:)`` with an optional password, which an argument would be
    /// moved into.
    public init(
        _ contents: borrowing Secret, password: borrowing Secret
    ) throws(KeychainError) {
        let password: Secret? = password.copy()
        try self.init(contents, password: password)
    }

    init(
        _ format: KeyFormat, isEncrypted: Bool = false, _ key: Key, comment: ByteString = ""
    ) {
        self.format = format
        self.isEncrypted = isEncrypted
        self.key = key
        self.comment = comment
    }
}

extension KeychainError {
    static var tooLargeKeyFile: KeychainError {
        KeychainError(.dataTooLarge, "a file with a key has at most 1 MiB")
    }
}
