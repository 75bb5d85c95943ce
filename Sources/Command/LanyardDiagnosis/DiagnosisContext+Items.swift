internal import KeychainServices
internal import SealedStore

extension DiagnosisContext {
    /// Limits how many items of a keychain are checked.
    private static let itemLimit = 10_000

    /// Passes items of the used sealed keychains to a closure, without unlocking anything.
    ///
    /// - Parameters:
    ///   - classes: The classes of the items.
    ///   - group: Limits the items to a group; nil for all.
    func forEachItem(
        classes: [ItemClass] = [.internetPassword, .genericPassword], group: ByteString? = nil,
        returns: ReturnOptions,
        _ body: (borrowing MatchedItem, SealedKeychain) -> Void
    ) {
        var attributes = ItemAttributes()
        attributes.accessGroup = group
        for state in keychainStates where state.keychain.isInUse && state.failure == nil {
            let keychain = state.keychain
            guard keychain.exists, let store = try? SealedStore(at: keychain.location) else {
                continue
            }
            for itemClass in classes {
                var query = Query(itemClass, attributes, returns: returns)
                query.synchronizable = .any
                query.match.limit = .atMost(DiagnosisContext.itemLimit)
                try? Keychain(store, accessGroups: .all()).forEachMatch(query) { item in
                    body(item, keychain)
                    return .next
                }
            }
        }
    }
}
