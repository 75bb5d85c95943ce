/// Whether a keychain's secrets can be read.
public enum LockState: Hashable, Sendable {
    /// It has no passphrase and is always unlocked on its machine.
    case noPassphrase
    /// Secrets that need an unlocked keychain can't be read.
    case locked
    /// It is unlocked for all programs of the user, for this many more seconds; nil means without
    /// end.
    case unlocked(locksIn: Int?)
}
