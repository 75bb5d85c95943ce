#if SecretService
internal import KeychainServices
internal import SealedStore

/// Where the items of a collection are.
protocol CollectionSource: AnyObject {
    /// What has changed since the last call; all items at the first one.
    func changes() -> [KeychainSnapshot.Change]

    /// Whether the secrets can't be read now, as of the last call of ``changes()``.
    var isLocked: Bool { get }

    /// Opens it for a call.
    func keychain() throws(KeychainError) -> Keychain

    /// Locks it, if it can be locked.
    func lock() throws(KeychainError)
}
#endif
