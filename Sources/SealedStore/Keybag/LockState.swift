/// Whether a keychain's secrets can be read.
public enum LockState: Hashable, Sendable {
    /// It has no passphrase, and is always unlocked on its machine.
    case noPassphrase
    /// Secrets that take an unlocked keychain can't be read.
    case locked
    /// It is unlocked for all programs of the user, for so many more seconds; nil for ever.
    case unlocked(locksIn: Int?)
}
