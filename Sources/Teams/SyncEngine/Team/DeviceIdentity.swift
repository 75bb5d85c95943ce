internal import LanyardCryptography
internal import LinuxSystem
package import LanyardSecrets

/// This device's own keys in a team, derived from one seed, which never leaves the machine.
package final class DeviceIdentity: Sendable {
    /// What the team knows about it.
    package let card: DeviceCard
    /// Its id.
    package let id: Identifier
    private let signingKey: SigningKey
    private let encryptionKey: EncryptionKey

    /// Creates the identity of a seed.
    ///
    /// - Parameter seed: 32 random bytes.
    /// - Throws: ``Status/param`` for a name that is empty, too long, or has control characters.
    package init(
        person: String, name: String, seed: borrowing Secret
    ) throws(KeychainError) {
        signingKey = SigningKey(
            seed: KeyDerivation.derive(seed, label: "lanyard device signing key"))
        encryptionKey = EncryptionKey(
            seed: KeyDerivation.derive(seed, label: "lanyard device encryption key"))
        card = try DeviceCard(
            person: person, name: name, signingKey: signingKey.publicKey,
            encryptionKey: encryptionKey.publicKey)
        id = card.id
    }

    /// Returns a new seed.
    package static func makeSeed() throws(KeychainError) -> Secret {
        try RandomBytes.makeKey()
    }

    func sign(_ message: [UInt8]) -> [UInt8] {
        signingKey.sign(message)
    }

    /// - Throws: ``Status/decode`` if the box is for another device, or was changed.
    func open(_ box: [UInt8]) throws(KeychainError) -> Secret {
        try encryptionKey.open(box)
    }
}
