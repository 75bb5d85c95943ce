public import LanyardConfiguration
public import KeychainServices
public import SealedStore

extension Configuration {
    /// Limits SQLite's memory, in bytes; far more than even a large, genuine keychain takes.
    package static let memoryForSQLite: Int64 = 32 << 20

    /// Opens a sealed keychain.
    ///
    /// - Parameter unlocker: Unlocks the keychain if needed; nil for one that prints messages.
    /// - Returns: nil for a default keychain that doesn't exist yet.
    /// - Throws: ``Status/noSuchKeychain`` if any other keychain is missing, or a known one has
    ///   disappeared; what ``SealedStore`` throws.
    public func openSealedKeychain(
        _ name: String, unlocker: KeychainUnlocker? = nil
    ) throws(KeychainError) -> SealedStore? {
        let location = try location(ofKeychain: name)
        SQLiteMemory.limit(to: Configuration.memoryForSQLite)
        do throws(KeychainError) {
            return try logging(
                name,
                SealedStore(
                    at: location,
                    provider: unlocker ?? KeychainUnlocker(name: name, configuration: self),
                    busyTimeout: patience ?? SealedStore.usualBusyTimeout))
        } catch  where error.status == .noSuchKeychain {
            try SealedStore.checkNotVanished(at: location)
            guard name == Configuration.login else {
                throw missingKeychain(name, file: location.file)
            }
            return nil
        }
    }

    /// Opens a sealed keychain, and creates the default one if it is missing.
    ///
    /// - Throws: As ``openSealedKeychain(_:unlocker:)``.
    public func openOrMakeSealedKeychain(
        _ name: String, unlocker: KeychainUnlocker? = nil
    ) throws(KeychainError) -> SealedStore {
        if let store = try openSealedKeychain(name, unlocker: unlocker) {
            return store
        }
        return try logging(
            name,
            SealedStore.openOrMake(
                at: try location(ofKeychain: name),
                provider: unlocker ?? KeychainUnlocker(name: name, configuration: self)))
    }

    /// Returns a keychain that logs the uses of its items if its settings say so.
    package func logging(
        _ name: String, _ store: SealedStore
    ) throws(KeychainError) -> SealedStore {
        if try logsUses(ofKeychain: name) {
            store.logsUses = true
        }
        return store
    }
}
