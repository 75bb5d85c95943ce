internal import Configuration
internal import KeychainServices
internal import KeychainPlugin
internal import LinuxSystem
internal import SealedStore

/// A keychain of the search list, opened when something is asked of it.
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

    /// The keychain's store.
    ///
    /// - Throws: ``Status/notAvailable`` if it can't be reached; the same each time.
    func store() throws(KeychainError) -> any KeychainStore {
        switch state {
        case .open(let store): return store
        case .unusable(let failure): throw failure
        case .unopened: break
        }
        do throws(KeychainError) {
            let store = try open()
            if !(store is DeferredStore) {
                // Safe: as below.
                unsafe ListedKeychain.kept.append(store)
            }
            state = .open(store)
            return store
        } catch {
            state = .unusable(error)
            throw error
        }
    }

    /// A program ends soon after it has done with its keychains. To wait for a plugin's end would only
    /// keep its caller waiting: a plugin ends by itself when the program does. A sealed keychain is
    /// taken down in order, which wipes its keys.
    // Safe: a program opens its keychains while it has one thread.
    private nonisolated(unsafe) static var kept: [any KeychainStore] = []

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

    private func open() throws(KeychainError) -> any KeychainStore {
        switch try configuration.kind(ofKeychain: name) {
        case .sealed:
            DeferredStore(name: name, configuration: configuration, unlocker: unlocker)
        case .secretService:
            try SecretServiceProbe(keychain: name, configuration).open(isNamed: isNamed)
        case .plugin:
            try openPlugin()
        }
    }

    /// Started now, so that whoever can do without it learns at once that it does not work.
    private func openPlugin() throws(KeychainError) -> any KeychainStore {
        let store = try configuration.pluginStore(ofKeychain: name)
        try store.open()
        return store
    }
}
