internal import Keychains
internal import KeychainServices
internal import SealedStore

extension DiagnosisContext {
    /// The most items of a keychain that are looked at.
    private static let itemLimit = 10_000

    /// Hands the items of the sealed keychains in use to a closure, as far as they can be had without
    /// unlocking anything.
    ///
    /// - Parameter group: Of these items alone; nil for all.
    func forEachItem(
        group: ByteString? = nil, returns: ReturnOptions,
        _ body: (borrowing MatchedItem, SealedKeychain) -> Void
    ) {
        var attributes = ItemAttributes()
        attributes.accessGroup = group
        for state in keychainStates where state.keychain.isInUse && state.failure == nil {
            let keychain = state.keychain
            guard keychain.exists, let store = try? SealedStore(at: keychain.location) else {
                continue
            }
            for itemClass in [ItemClass.internetPassword, .genericPassword] {
                var query = Query(itemClass, attributes, returns: returns)
                query.synchronizable = .any
                query.match.limit = .atMost(DiagnosisContext.itemLimit)
                try? Keychain(store).forEachMatch(query) { item in
                    body(item, keychain)
                    return .next
                }
            }
        }
    }
}
