public import KeychainServices

/// A keychain that a plugin serves: a store with operations beyond its items.
public protocol ServedKeychain: KeychainStore {
    /// Called before each request, with its limits.
    func begin(_ call: PluginCall)

    /// Checks whether the keychain can be used, without asking the user.
    ///
    /// - Throws: ``Status/notAvailable`` if it can't be reached, ``Status/noSuchKeychain`` if its
    ///   content is missing.
    func status() throws(KeychainError) -> PluginStatus

    /// Unlocks the keychain.
    ///
    /// - Throws: ``Status/interactionNotAllowed`` if that needs the user, who must not or can't be
    ///   asked, ``Status/userCanceled`` if the user refuses.
    func unlock() throws(KeychainError)

    /// Locks the keychain.
    func lock() throws(KeychainError)
}
