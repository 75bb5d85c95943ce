internal import KeychainServices

/// What the agent needs of the keys' mathematics.
protocol KeySigning {
    /// Throws if a key's parts don't fit together or are of a size that is not used.
    ///
    /// - Throws: ``Status/param`` or another status.
    func check(_ key: borrowing WirePrivateKey) throws(KeychainError)

    /// Signs a request's data with a private key, and returns the signature with the name of its
    /// algorithm: RFC 4253, section 6.6.
    func sign(
        _ request: SignRequest, with key: borrowing WirePrivateKey
    ) throws(KeychainError) -> ByteString

    /// Returns whether a signature with the name of its algorithm is that of these bytes by a public key, or by
    /// the key in a host's certificate.
    func isSignature(_ signature: ByteString, of data: ByteString, by publicKey: ByteString) -> Bool

    /// Returns the public key's name for users, as ssh-keygen prints it: `SHA256:` and 43 characters.
    func fingerprint(of publicKey: ByteString) -> String
}
