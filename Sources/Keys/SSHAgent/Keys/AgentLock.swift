internal import LanyardCryptography
internal import KeychainServices
internal import LinuxSystem

/// The lock of the agent, which a password opens: Argon2id makes the key that encrypts the keys in memory,
/// and nothing else of the password is kept.
struct AgentLock {
    /// What an opened lock has.
    struct Opened: ~Copyable {
        let lock: AgentLock
        /// Encrypts the keys in memory.
        let key: Secret
    }

    /// What the check's box holds the key to.
    private static let purpose = Array("lanyard ssh-agent lock".utf8)

    private let stretching: PassphraseStretching
    /// An empty box, which only the right key opens.
    private let check: [UInt8]

    /// Makes a lock with a password.
    ///
    /// - Throws: ``Status/allocate`` without enough memory, ``Status/io`` without random numbers.
    static func make(password: borrowing Secret) throws(KeychainError) -> Opened {
        let stretching = PassphraseStretching(
            salt: try RandomBytes.make(PassphraseStretching.saltSize))
        let key = try stretching.key(password).locked()
        let check = try SealedBox.seal(
            [UInt8]().span, under: key, associatedData: purpose)
        return Opened(lock: AgentLock(stretching: stretching, check: check), key: key)
    }

    /// Returns the key.
    ///
    /// - Throws: ``Status/authFailed`` for a wrong password.
    func key(password: borrowing Secret) throws(KeychainError) -> Secret {
        let key = try stretching.key(password).locked()
        do throws(KeychainError) {
            _ = try SealedBox.open(check.span, under: key, associatedData: AgentLock.purpose)
        } catch {
            throw KeychainError(.authFailed)
        }
        return key
    }
}
