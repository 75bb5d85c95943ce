internal import LanyardSecrets

/// The encryption of OpenSSL's traditional PEM files, which their headers describe.
enum TraditionalPEM {
    private static let name = "DEK-Info: "

    /// Whether the headers say that the contents are encrypted.
    static func isEncrypted(_ headers: [ByteString]) -> Bool {
        headers.contains { $0.bytes.starts(with: "Proc-Type:".utf8) }
    }

    /// Returns the contents of a block decrypted.
    ///
    /// - Throws: ``Status/authFailed`` for a wrong password, which can't be told from damage;
    ///   ``Status/unsupportedKeyFormat`` for other ciphers than AES-CBC and 3DES.
    static func decrypt(
        _ document: borrowing PEMDocument, password: borrowing Secret
    ) throws(KeychainError) -> Secret {
        guard let header = document.headers.first(where: { $0.bytes.starts(with: name.utf8) })
        else {
            throw .invalidPEM
        }
        let parts = header.bytes.dropFirst(name.utf8.count).split(
            separator: UInt8(ascii: ","), maxSplits: 1)
        guard parts.count == 2,
            let cipher = SymmetricCipher.allCases.first(where: {
                $0.headerName.map { parts[0].elementsEqual($0.utf8) } ?? false
            })
        else {
            throw KeychainError(.unsupportedKeyFormat, "unsupported encryption of the key")
        }
        guard let vector = Hexadecimal.decode(parts[1]), vector.count == cipher.vectorByteCount
        else {
            throw .invalidPEM
        }
        let key = try Libcrypto.bytesToKey(password, salt: vector, cipher)
        return try document.contents.withBytes { bytes throws(KeychainError) in
            try cipher.apply(.decrypt, bytes, key: key, vector: vector.span, isPadded: true)
        }
    }

    /// Returns a block with encrypted contents: AES-256-CBC.
    static func encrypt(
        _ label: StaticString, _ contents: borrowing Secret, password: borrowing Secret
    ) throws(KeychainError) -> Secret {
        let cipher = SymmetricCipher.aes256CBC
        let vector = try Libcrypto.randomBytes(cipher.vectorByteCount)
        let key = try Libcrypto.bytesToKey(password, salt: vector, cipher)
        let encrypted = try contents.withBytes { bytes throws(KeychainError) in
            try cipher.apply(.encrypt, bytes, key: key, vector: vector.span, isPadded: true)
        }
        let digits = Hexadecimal.encode(vector).uppercased()
        return PEMDocument.encode(
            label, headers: ["Proc-Type: 4,ENCRYPTED", "\(name)AES-256-CBC,\(digits)"], encrypted)
    }
}
