internal import Configuration
internal import KeychainServices
internal import KeychainPlugin
internal import LinuxSystem
internal import SealedStore

/// A keychain of the search list, opened when something is asked of it; a sealed one is made when the first
/// item is added, if it is the default one.
final class ListedKeychain {
    /// Its name.
    let name: String
    /// Whether it is only tried, since nobody has chosen it.
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

    /// Why it can't be used, nil if it can or nothing was asked of it yet.
    var failure: KeychainError? {
        if case .unusable(let failure) = state {
            return failure
        }
        return nil
    }

    /// The names of other programs' items that were left out of what was read of it.
    var skippedItems: [String] {
        guard case .open(let store) = state else {
            return []
        }
        return (try? store.skippedItems()) ?? []
    }

    /// The keychain's store, nil for the default sealed keychain while it is not there.
    ///
    /// - Throws: ``Status/notAvailable`` if it can't be reached, the same each time; what
    ///   ``SealedStore`` throws.
    func store() throws(KeychainError) -> (any KeychainStore)? {
        try opened { () throws(KeychainError) in
            try configuration.openSealedKeychain(name, unlocker: unlocker)
        }
    }

    /// The keychain's store, which is made if need be.
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
        // A sealed one is taken down in order, which wipes its keys.
        let store: (any KeychainStore)? = if let other { other } else { try sealed() }
        if let store {
            state = .open(store)
        }
        return store
    }

    /// Leaves it alone from now on.
    func leaveOut(_ failure: KeychainError) {
        state = .unusable(failure)
    }

    /// Whether something was stored in it.
    private(set) var hasChanged = false

    /// Takes note that something was stored in it.
    func wasUsed() {
        hasChanged = true
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
        // A program ends soon after it has done with its keychains. To wait for a plugin's end would only
        // keep its caller waiting: a plugin ends by itself when the program does.
        // Safe: it is never released.
        _ = unsafe Unmanaged.passRetained(store as AnyObject)
        return store
    }

    /// Started now, so that whoever can do without it learns at once that it does not work.
    private func openPlugin() throws(KeychainError) -> any KeychainStore {
        let store = try configuration.pluginStore(ofKeychain: name)
        try store.open()
        return store
    }
}
