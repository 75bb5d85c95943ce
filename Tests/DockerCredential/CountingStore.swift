import Keychain

/// What was done to a store.
struct Counts: Equatable {
    var lookUps = 0
    /// Look-ups that asked for secrets.
    var secretLookUps = 0
    var transactions = 0
    var adds = 0
    var updates = 0
    var deletes = 0
}

/// A store in memory that counts, that can be locked, and in which something can happen between a
/// look-up and the transaction after it.
final class CountingStore: KeychainStore {
    // Every change has the same date: the order of items must never depend on it.
    private let store = InMemoryStore { Timestamp(secondsSinceEpoch: 0) }
    var counts = Counts()
    var isLocked = false
    var isReadOnly = false
    /// What every call fails with.
    var failure: KeychainError?
    /// As if another process were always faster, in a store that can't keep others out.
    var deletesNothing = false
    /// What another process does just before the next transaction.
    var meanwhile: (() throws(KeychainError) -> Void)?

    func add(
        _ itemClass: ItemClass, _ attributes: ItemAttributes, secret: borrowing Secret
    ) throws(KeychainError) -> ItemReference {
        counts.adds += 1
        return try store.add(itemClass, attributes, secret: secret)
    }

    func forEachMatch(
        _ query: Query, _ body: (consuming MatchedItem) throws(KeychainError) -> Step
    ) throws(KeychainError) {
        counts.lookUps += 1
        if let failure {
            throw failure
        }
        if query.returns.contains(.data) {
            counts.secretLookUps += 1
        }
        try store.forEachMatch(query) { item throws(KeychainError) in
            if isLocked, query.returns.contains(.data) {
                throw KeychainError(.interactionNotAllowed)
            }
            return try body(item)
        }
    }

    func update(
        _ query: Query, _ changes: ItemAttributes, secret: borrowing Secret?
    ) throws(KeychainError) -> Int {
        counts.updates += 1
        return try store.update(query, changes, secret: secret)
    }

    func delete(_ query: Query) throws(KeychainError) -> Int {
        counts.deletes += 1
        return deletesNothing ? 0 : try store.delete(query)
    }

    func transaction<Result>(
        _ body: () throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        counts.transactions += 1
        if let failure {
            throw failure
        }
        if isReadOnly {
            throw KeychainError(.readOnly)
        }
        let meanwhile = meanwhile
        self.meanwhile = nil
        try meanwhile?()
        return try store.transaction(body)
    }
}
