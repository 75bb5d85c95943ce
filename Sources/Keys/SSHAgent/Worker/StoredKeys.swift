internal import KeychainServices

/// The keys of the keychain.
protocol StoredKeys {
    /// Returns the keys that can sign, without a question to the user.
    func identities() throws(KeychainError) -> [Identity]

    /// Signs with a key.
    ///
    /// - Parameters:
    ///   - reason: Who wants it, for a question to the user.
    ///   - mayAsk: Whether the user may be asked.
    /// - Throws: ``Status/itemNotFound`` if no key has this public key; ``Status/interactionNotAllowed`` if
    ///   the user has to be asked; what the keychain throws.
    func sign(
        _ request: SignRequest, reason: (_ key: ByteString) -> String, mayAsk: Bool
    ) throws(KeychainError) -> ByteString
}
