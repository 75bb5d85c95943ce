public import LanyardSecrets

extension PrivateKey {
    /// Returns the key as a text file of a format, which ssh-keygen and openssl read.
    ///
    /// - Parameters:
    ///   - format: ``KeyFormat/pkcs8``, ``KeyFormat/openSSH``, or the traditional one of the key's type:
    ///     ``KeyFormat/pkcs1`` or ``KeyFormat/sec1``.
    ///   - password: Encrypts the key. Traditional files resist guessing badly; prefer PKCS #8.
    ///   - comment: What an OpenSSH file says about the key; others have no comment.
    /// - Throws: ``Status/unsupportedKeyFormat`` for a format that keys of this type don't have.
    ///
    /// The corresponding function is SecItemExport.
    public func file(
        _ format: KeyFormat, password: borrowing Secret? = nil, comment: ByteString = ""
    ) throws(KeychainError) -> Secret {
        switch (format, type) {
        case (.pkcs8, _):
            switch password {
            case .some(let password):
                return PEMDocument.encode(
                    "ENCRYPTED PRIVATE KEY", try encryptedPKCS8(password: password))
            case .none: return PEMDocument.encode("PRIVATE KEY", try pkcs8())
            }
        case (.pkcs1, .rsa):
            return try traditional(
                "RSA PRIVATE KEY", externalRepresentation(), password: password)
        case (.sec1, .ellipticCurve):
            return try traditional(
                "EC PRIVATE KEY", sec1(parameters: true), password: password)
        case (.openSSH, _): return try openSSHFile(password: password, comment: comment)
        default:
            throw KeychainError(
                .unsupportedKeyFormat, "keys of this type can't be written in this format")
        }
    }

    /// Returns the key as an encrypted text file, like ``file(_:password:comment:)`` with an optional
    /// password, which an argument would be moved into.
    public func file(
        _ format: KeyFormat, password: borrowing Secret, comment: ByteString = ""
    ) throws(KeychainError) -> Secret {
        let password: Secret? = password.copy()
        return try file(format, password: password, comment: comment)
    }

    /// Creates a key from a file that has to have a private one.
    ///
    /// - Throws: ``Status/unknownFormat`` for a public key; what ``KeyFile/init(_:password:)`` throws.
    ///
    /// The corresponding function is SecItemImport.
    public convenience init(
        file: borrowing Secret, password: borrowing Secret? = nil
    ) throws(KeychainError) {
        switch try KeyFile(file, password: password).key {
        case .privateKey(let key): self.init(sameAs: key)
        case .publicKey:
            throw KeychainError(.unknownFormat, "the file has a public key, not a private one")
        }
    }

    /// Creates a key from a file like ``init(file:password:)`` with an optional password, which an
    /// argument would be moved into.
    public convenience init(
        file: borrowing Secret, password: borrowing Secret
    ) throws(KeychainError) {
        let password: Secret? = password.copy()
        try self.init(file: file, password: password)
    }

    private func traditional(
        _ label: StaticString, _ contents: borrowing Secret, password: borrowing Secret?
    ) throws(KeychainError) -> Secret {
        switch password {
        case .some(let password):
            try TraditionalPEM.encrypt(label, contents, password: password)
        case .none: PEMDocument.encode(label, contents)
        }
    }
}

extension PublicKey {
    /// Returns the key as a text file of a format.
    ///
    /// - Parameters:
    ///   - format: ``KeyFormat/subjectPublicKeyInfo``, ``KeyFormat/openSSHPublicKey``, or
    ///     ``KeyFormat/pkcs1PublicKey`` for RSA.
    ///   - comment: What an OpenSSH line says about the key; others have no comment.
    /// - Throws: ``Status/unsupportedKeyFormat`` for a format that keys of this type don't have.
    ///
    /// The corresponding function is SecItemExport.
    public func file(
        _ format: KeyFormat, comment: ByteString = ""
    ) throws(KeychainError) -> [UInt8] {
        switch (format, type) {
        case (.subjectPublicKeyInfo, _):
            PEMDocument.encode(
                "PUBLIC KEY", Secret(subjectPublicKeyInfo)
            ).publicBytes()
        case (.pkcs1PublicKey, .rsa):
            PEMDocument.encode(
                "RSA PUBLIC KEY", Secret(externalRepresentation)
            ).publicBytes()
        case (.openSSHPublicKey, _): try SSHPublicKeyLine(self, comment: comment).bytes
        default:
            throw KeychainError(
                .unsupportedKeyFormat, "keys of this type can't be written in this format")
        }
    }
}
