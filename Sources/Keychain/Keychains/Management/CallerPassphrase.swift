internal import LanyardConfiguration
internal import KeychainServices
internal import SealedStore

/// Supplies the passphrase that a caller passed to a function, and asks no one.
final class CallerPassphrase: PassphraseProvider {
    private let secret: Secret
    private let limit: UInt32?

    init(
        _ secret: consuming Secret, keychain: String, _ configuration: Configuration
    ) throws(KeychainError) {
        self.secret = secret
        limit = try configuration.autolock(ofKeychain: keychain).limit
    }

    var hasGivenPassphrase: Bool { true }

    func givenPassphrase() throws(KeychainError) -> GivenPassphrase? {
        GivenPassphrase(secret.copy(), origin: "the caller")
    }

    func askForPassphrase(_ question: UnlockQuestion) throws(KeychainError) -> Secret {
        throw KeychainError(.authFailed)
    }

    func timeout() throws(KeychainError) -> UInt32? { limit }

    func keychainStaysLocked(_ reason: KeychainError) {}
}
