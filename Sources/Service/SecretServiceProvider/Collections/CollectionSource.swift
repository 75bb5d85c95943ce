#if SecretService
internal import LanyardConfiguration
internal import KeychainServices
internal import LinuxSystem
internal import SealedStore

/// Where the items of a collection are.
protocol CollectionSource: AnyObject {
    /// What has changed since the last call; all items at the first one.
    func changes() -> [KeychainSnapshot.Change]

    /// Whether the secrets can't be read now, as of the last call of ``changes()``.
    var isLocked: Bool { get }

    /// Whether the uses of its items are logged.
    var logsUses: Bool { get }

    /// How many items it takes, and how large a secret, in bytes; nil for what a keychain takes.
    var limits: (items: Int, secret: Int)? { get }

    /// Whether a call has just waited in vain for another program: for a short time the next ones then hardly wait.
    var isBusy: Bool { get set }

    /// The folders in which other programs' changes can be seen.
    var folders: Set<FolderWatch.Folder> { get }

    /// Takes over the user's changed configuration.
    func follow(_ configuration: Configuration)

    /// Opens it for a call.
    func keychain() throws(KeychainError) -> Keychain

    /// Closes it after a call.
    func close()

    /// Records that a client changed an item.
    func hasChanged()

    /// Locks it, if it can be locked.
    func lock() throws(KeychainError)
}
#endif
