internal import LanyardConfiguration
internal import KeychainServices
internal import KeychainPlugin
internal import SealedStore

/// A keychain of the search list, opened on first use; a sealed default keychain is created with its first
/// item.
final class ListedKeychain {
    let name: String
    /// Whether it is only tried, because the user has not chosen it.
    let isImplicit: Bool
    private let isNamed: Bool
    private let configuration: Configuration
    private let unlocker: KeychainUnlocker?
    private var state = State.unopened

    private enum State {
        case unopened
        case open(any KeychainStore)
        case unusable(KeychainError)
    }

    init(
        _ name: String, isImplicit: Bool, isNamed: Bool = false, configuration: Configuration,
        unlocker: KeychainUnlocker?
    ) {
        self.name = name
        self.isImplicit = isImplicit
        self.isNamed = isNamed
        self.configuration = configuration
        self.unlocker = unlocker
    }

    /// Why it can't be used; nil if it works or was not used yet.
    var failure: KeychainError? {
        if case .unusable(let failure) = state {
            return failure
        }
        return nil
    }

    /// The names of other programs' items that were skipped while reading.
    var skippedItems: [String] {
        guard case .open(let store) = state else {
            return []
        }
        return (try? store.skippedItems()) ?? []
    }

    /// Returns the keychain's store, nil for a default sealed keychain that doesn't exist yet.
    ///
    /// - Throws: ``Status/notAvailable`` if it can't be reached, the same each time; what ``SealedStore``
    ///   throws.
    func store() throws(KeychainError) -> (any KeychainStore)? {
        try opened { () throws(KeychainError) in
            try configuration.openSealedKeychain(name, unlocker: unlocker)
        }
    }

    /// Returns the keychain's store and creates it if needed.
    ///
    /// - Throws: As ``store()``.
    func storeOrNew() throws(KeychainError) -> any KeychainStore {
        let store = try opened { () throws(KeychainError) in
            try configuration.openOrMakeSealedKeychain(name, unlocker: unlocker)
        }
        guard let store else {
            throw KeychainError(.noSuchKeychain)
        }
        return store
    }

    private func opened(
        sealed: () throws(KeychainError) -> SealedStore?
    ) throws(KeychainError) -> (any KeychainStore)? {
        switch state {
        case .open(let store): return store
        case .unusable(let failure): throw failure
        case .unopened: break
        }
        let other: (any KeychainStore)?
        do throws(KeychainError) {
            other = try openOther()
        } catch {
            state = .unusable(error)
            throw error
        }
        // A sealed store is released properly, which wipes its keys.
        let store: (any KeychainStore)? = if let other { other } else { try sealed() }
        if let store {
            state = .open(store)
        }
        return store
    }

    /// Skips the keychain from now on.
    func leaveOut(_ failure: KeychainError) {
        state = .unusable(failure)
    }

    /// Whether something was stored in it.
    private(set) var hasChanged = false

    /// Records that items were deleted.
    func hasFewerItems() {
        BackgroundExchange.note(name, configuration.places)
    }

    /// Records that something was stored in it.
    func wasUsed() {
        hasChanged = true
        BackgroundExchange.note(name, configuration.places)
        if isImplicit {
            UseMark(configuration.places).set()
        }
    }

    /// - Returns: Nil for a sealed keychain.
    private func openOther() throws(KeychainError) -> (any KeychainStore)? {
        let store: any KeychainStore
        switch try configuration.kind(ofKeychain: name) {
        case .sealed:
            return nil
        case .secretService:
            store = try SecretServiceProbe(keychain: name, configuration).open(isNamed: isNamed)
        case .plugin:
            store = try openPlugin()
        }
        // The program ends soon after it has used its keychains, and its plugins end with it. Waiting for
        // them would only delay the caller.
        // Safe: it is never released.
        _ = unsafe Unmanaged.passRetained(store as AnyObject)
        return store
    }

    /// Starts the plugin now: a caller that can do without it then learns at once that it fails.
    private func openPlugin() throws(KeychainError) -> any KeychainStore {
        let store = try configuration.pluginStore(ofKeychain: name)
        try store.open()
        return store
    }
}
