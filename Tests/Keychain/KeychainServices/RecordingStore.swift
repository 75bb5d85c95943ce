import KeychainServices

/// A store that remembers what was written to it, and can refuse to write.
final class RecordingStore: KeychainStore {
    enum Call { case add, update, delete, begin, end }

    private let store: InMemoryStore
    var calls: [Call] = []
    /// What every call that writes throws, if anything.
    var failure: KeychainError?

    init(_ store: InMemoryStore) {
        self.store = store
    }

    private func record(_ call: Call) throws(KeychainError) {
        if let failure {
            throw failure
        }
        calls.append(call)
    }

    func add(
        _ itemClass: ItemClass, _ attributes: ItemAttributes, secret: borrowing Secret,
        context: AuthenticationContext?
    ) throws(KeychainError) -> ItemReference {
        try record(.add)
        return try store.add(itemClass, attributes, secret: secret, context: context)
    }

    func forEachMatch(
        _ query: Query, _ body: (consuming MatchedItem) throws(KeychainError) -> WalkControl
    ) throws(KeychainError) {
        try store.forEachMatch(query, body)
    }

    func update(
        _ query: Query, _ changes: ItemAttributes, secret: borrowing Secret?
    ) throws(KeychainError) -> Int {
        try record(.update)
        return try store.update(query, changes, secret: secret)
    }

    func delete(_ query: Query) throws(KeychainError) -> Int {
        try record(.delete)
        return try store.delete(query)
    }

    func transaction(_ body: () throws(KeychainError) -> Void) throws(KeychainError) {
        try record(.begin)
        try store.transaction(body)
        try record(.end)
    }
}
