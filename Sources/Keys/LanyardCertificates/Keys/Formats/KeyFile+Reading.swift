internal import LanyardSecrets

extension KeyFile {
    /// Reads a key in DER.
    static func read(
        der contents: borrowing Secret, _ format: DERKeyFormat, password: borrowing Secret?
    ) throws(KeychainError) -> KeyFile {
        switch format {
        case .pkcs8:
            return KeyFile(.pkcs8, .privateKey(try PrivateKey(pkcs8: contents)))
        case .encryptedPKCS8:
            switch password {
            case .some(let password):
                let key = try PrivateKey(encryptedPKCS8: contents, password: password)
                return KeyFile(.pkcs8, isEncrypted: true, .privateKey(key))
            case .none: throw KeychainError.passphraseRequired
            }
        case .pkcs1:
            let key = try PrivateKey(externalRepresentation: contents, type: .rsa)
            return KeyFile(.pkcs1, .privateKey(key))
        case .sec1:
            let key = try contents.withBytes { bytes throws(KeychainError) in
                try PrivateKey.read(sec1: bytes, nil)
            }
            return KeyFile(.sec1, .privateKey(key))
        case .subjectPublicKeyInfo:
            let key = try contents.withBytes { bytes throws(KeychainError) in
                try PublicKey(subjectPublicKeyInfo: bytes)
            }
            return KeyFile(.subjectPublicKeyInfo, .publicKey(key))
        case .pkcs1PublicKey:
            let key = try contents.withBytes { bytes throws(KeychainError) in
                try PublicKey(externalRepresentation: bytes, type: .rsa)
            }
            return KeyFile(.pkcs1PublicKey, .publicKey(key))
        }
    }

    /// Reads the first block with a key of a PEM text.
    static func read(
        pem text: Span<UInt8>, password: borrowing Secret?
    ) throws(KeychainError) -> KeyFile {
        var position = 0
        while let document = try PEMDocument.next(in: text, from: &position) {
            if let file = try read(document, password: password) {
                return file
            }
        }
        throw KeychainError(.unknownFormat, "no key of a known format found")
    }

    /// Reads a block of a PEM text; nil for one without a key.
    static func read(
        _ document: borrowing PEMDocument, password: borrowing Secret?
    ) throws(KeychainError) -> KeyFile? {
        guard document.contents.count <= sizeLimit else {
            throw .tooLargeKeyFile
        }
        if document.label == "OPENSSH PRIVATE KEY" {
            return try read(openSSH: document.contents, password: password)
        }
        if let format = DERKeyFormat(label: document.label) {
            return try read(document, format, password: password)
        }
        if document.label.bytes.ends(with: " PRIVATE KEY".utf8) {
            throw .unsupportedKeyType
        }
        return nil
    }

    private static func read(
        _ document: borrowing PEMDocument, _ format: DERKeyFormat, password: borrowing Secret?
    ) throws(KeychainError) -> KeyFile {
        guard TraditionalPEM.isEncrypted(document.headers) else {
            return try read(der: document.contents, format, password: password)
        }
        switch password {
        case .some(let password):
            let contents = try TraditionalPEM.decrypt(document, password: password)
            let file: KeyFile
            do throws(KeychainError) {
                file = try read(der: contents, format, password: nil)
            } catch {
                // One of 256 paddings fits with a wrong password, and something else appears.
                throw error.status == .invalidKeyFormat
                    ? KeychainError(.authFailed, wrongPassword) : error
            }
            return KeyFile(file.format, isEncrypted: true, file.key)
        case .none: throw KeychainError.passphraseRequired
        }
    }
}

extension [UInt8] {
    fileprivate func ends(with suffix: String.UTF8View) -> Bool {
        count >= suffix.count && self.suffix(suffix.count).elementsEqual(suffix)
    }
}
