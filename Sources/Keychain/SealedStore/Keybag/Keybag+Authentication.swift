internal import LanyardCryptography
internal import KeychainServices

extension Keybag {
    /// Computes the authentication again after a change.
    ///
    /// - Parameter unlockedKey: The class key of whenUnlocked, required if there is a passphrase.
    mutating func authenticate(metadataKey: borrowing Secret, unlockedKey: borrowing Secret) {
        tag = expectedTag(metadataKey)
        unlockedTag = hasPassphrase ? expectedTag(unlockedKey) : []
    }

    /// Returns whether the keybag is unchanged since its last author, who had the metadata key.
    func isAuthentic(metadataKey: borrowing Secret) -> Bool {
        tag.hasSameBytes(as: expectedTag(metadataKey))
    }

    /// Returns whether the keybag is unchanged since its last author, who had the passphrase or the
    /// recovery key. The machine key is not enough for that.
    ///
    /// - Parameter unlockedKey: The class key of whenUnlocked.
    func isAuthentic(unlockedKey: borrowing Secret) -> Bool {
        !hasPassphrase || unlockedTag.hasSameBytes(as: expectedTag(unlockedKey))
    }

    private func expectedTag(_ key: borrowing Secret) -> [UInt8] {
        let key = KeyDerivation.derive(
            key, label: "lanyard keybag authentication", context: keychainID.span)
        return ByteString(copying: KeyedDigest.make(under: key, content.span).span).bytes
    }
}
