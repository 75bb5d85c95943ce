internal import KeychainServices
internal import KeychainServicesFoundation

extension Secret {
    /// Creates a secret of bytes that are public.
    init(bytes: [UInt8]) {
        self.init(copying: bytes.span)
    }
}

extension Secret {
    /// Creates the passphrase that a caller gives as text or as data.
    ///
    /// - Throws: ``Status/param`` for anything else.
    init(passphrase value: Any) throws(KeychainError) {
        if let text = value as? String {
            self.init(text)
        } else if let data = value as? Data {
            self.init(data)
        } else {
            throw KeychainError(.param, "a passphrase is a text or data")
        }
    }
}
