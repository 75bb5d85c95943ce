public import KeychainServices

/// A keychain that a plugin serves: a store, and what can be asked of it beyond its items.
public protocol ServedKeychain: KeychainStore {
    /// Called before each request is carried out: what holds for it.
    func begin(_ call: PluginCall)

    /// Tries whether the keychain can be used, without showing anything to a person.
    ///
    /// - Throws: ``Status/notAvailable`` if it can't be reached, ``Status/noSuchKeychain`` if what it
    ///   stands for is not there.
    func status() throws(KeychainError) -> PluginStatus

    /// Unlocks the keychain.
    ///
    /// - Throws: ``Status/interactionNotAllowed`` if a person would have to be asked and must not be or
    ///   can't be, ``Status/userCanceled`` if she refused.
    func unlock() throws(KeychainError)

    /// Locks the keychain.
    func lock() throws(KeychainError)
}
