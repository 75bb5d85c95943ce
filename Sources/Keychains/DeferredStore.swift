public import Configuration
public import KeychainServices
internal import SealedStore

/// The sealed keychain that a helper uses, opened when something is asked of it and made when the
/// first item is added. Until then it is as good as empty.
public final class DeferredStore: KeychainStore {
    private let name: String
    private let configuration: Configuration
    private let unlocker: KeychainUnlocker?
    private var opened: SealedStore?

    /// - Parameters:
    ///   - name: The keychain's name.
    ///   - configuration: Says where the keychain lies.
    ///   - unlocker: Unlocks it where that is needed; nil for one that says what it has to say.
    public init(
        name: String, configuration: Configuration, unlocker: KeychainUnlocker? = nil
    ) {
        self.name = name
        self.configuration = configuration
        self.unlocker = unlocker
    }

    /// The keychain, nil if it is the default one and not there yet.
    ///
    /// - Throws: ``Status/noSuchKeychain`` if any other is not there.
    private func existing() throws(KeychainError) -> SealedStore? {
        if let opened {
            return opened
        }
        opened = try configuration.openSealedKeychain(name, unlocker: unlocker)
        return opened
    }

    private func existingOrNew() throws(KeychainError) -> SealedStore {
        if let opened {
            return opened
        }
        let store = try configuration.openOrMakeSealedKeychain(name, unlocker: unlocker)
        opened = store
        return store
    }

    /// Adds an item to the keychain, which is made if it is the default one and not there yet.
    ///
    /// - Throws: What ``SealedStore`` throws.
    public func add(
        _ itemClass: ItemClass, _ attributes: ItemAttributes, secret: borrowing Secret
    ) throws(KeychainError) -> ItemReference {
        try existingOrNew().add(itemClass, attributes, secret: secret)
    }

    /// Hands the items that a query means to a closure; none while there is no keychain.
    ///
    /// - Throws: What ``SealedStore`` and the closure throw.
    public func forEachMatch(
        _ query: Query, _ body: (consuming MatchedItem) throws(KeychainError) -> WalkControl
    ) throws(KeychainError) {
        try existing()?.forEachMatch(query, body)
    }

    /// Changes the items that a query means; none while there is no keychain.
    ///
    /// - Throws: What ``SealedStore`` throws.
    public func update(
        _ query: Query, _ changes: ItemAttributes, secret: borrowing Secret?
    ) throws(KeychainError) -> Int {
        try existing()?.update(query, changes, secret: secret) ?? 0
    }

    /// Deletes the items that a query means; none while there is no keychain.
    ///
    /// - Throws: What ``SealedStore`` throws.
    public func delete(_ query: Query) throws(KeychainError) -> Int {
        try existing()?.delete(query) ?? 0
    }

    /// Runs a closure that only reads as ``SealedStore`` does.
    ///
    /// - Throws: What ``SealedStore`` and the closure throw.
    public func readTogether<Result>(
        _ body: () throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        guard let store = try existing() else {
            return try body()
        }
        return try store.readTogether(body)
    }

    /// Runs a closure in a transaction of the keychain, which is made if it is the default one and
    /// not there yet.
    ///
    /// - Throws: What ``SealedStore`` and the closure throw.
    public func transaction<Result>(
        _ body: () throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        try existingOrNew().transaction(body)
    }
}
