public import Configuration
public import KeychainServices
public import SealedStore

extension Configuration {
    /// In bytes; far more than an honest keychain takes, also a large one.
    package static let memoryForSQLite: Int64 = 32 << 20

    /// Opens a sealed keychain.
    ///
    /// - Parameter unlocker: Unlocks it where that is needed; nil for one that says what it has to say.
    /// - Returns: nil if it is the default one and not there yet.
    /// - Throws: ``Status/noSuchKeychain`` if any other is not there, or one that was there has
    ///   disappeared; what ``SealedStore`` throws.
    public func openSealedKeychain(
        _ name: String, unlocker: KeychainUnlocker? = nil
    ) throws(KeychainError) -> SealedStore? {
        let location = try location(ofKeychain: name)
        SQLiteMemory.limit(to: Configuration.memoryForSQLite)
        do throws(KeychainError) {
            return try SealedStore(
                at: location,
                provider: unlocker ?? KeychainUnlocker(name: name, configuration: self))
        } catch {
            guard error.status == .noSuchKeychain else {
                throw error
            }
            try SealedStore.checkNotVanished(at: location)
            guard name == Configuration.login else {
                throw KeychainError(
                    .noSuchKeychain, "there is no keychain '\(name)' at '\(location.file)'",
                    hint: "lanyard keychain create \(name)")
            }
            return nil
        }
    }

    /// Opens a sealed keychain, and makes the default one where it is not there yet.
    ///
    /// - Throws: As ``openSealedKeychain(_:unlocker:)``.
    public func openOrMakeSealedKeychain(
        _ name: String, unlocker: KeychainUnlocker? = nil
    ) throws(KeychainError) -> SealedStore {
        if let store = try openSealedKeychain(name, unlocker: unlocker) {
            return store
        }
        return try SealedStore.openOrMake(
            at: try location(ofKeychain: name),
            provider: unlocker ?? KeychainUnlocker(name: name, configuration: self))
    }
}
