package import KeychainServices

/// What was done to a store.
package struct Counts: Equatable {
    package var lookUps = 0
    /// Look-ups that asked for secrets.
    package var secretLookUps = 0
    package var transactions = 0
    package var adds = 0
    package var updates = 0
    package var deletes = 0

    package init(
        lookUps: Int = 0, secretLookUps: Int = 0, transactions: Int = 0, adds: Int = 0,
        updates: Int = 0, deletes: Int = 0
    ) {
        self.lookUps = lookUps
        self.secretLookUps = secretLookUps
        self.transactions = transactions
        self.adds = adds
        self.updates = updates
        self.deletes = deletes
    }
}

/// A store in memory that counts, that can be locked, and in which something can happen between a
/// look-up and the transaction after it.
package final class CountingStore: KeychainStore {
    // Every change has the same date: the order of items must never depend on it.
    private let store = InMemoryStore { Timestamp(secondsSinceEpoch: 0) }
    package var counts = Counts()
    package var isLocked = false
    package var isReadOnly = false
    /// What every call fails with.
    package var failure: KeychainError?
    /// As if another process were always faster, in a store that can't keep others out.
    package var deletesNothing = false
    /// What another process does just before the next transaction.
    package var meanwhile: (() throws(KeychainError) -> Void)?

    package init() {}

    package func add(
        _ itemClass: ItemClass, _ attributes: ItemAttributes, secret: borrowing Secret,
        context: AuthenticationContext?
    ) throws(KeychainError) -> ItemReference {
        counts.adds += 1
        return try store.add(itemClass, attributes, secret: secret, context: context)
    }

    package func forEachMatch(
        _ query: Query, _ body: (consuming MatchedItem) throws(KeychainError) -> WalkControl
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

    package func update(
        _ query: Query, _ changes: ItemAttributes, secret: borrowing Secret?
    ) throws(KeychainError) -> Int {
        counts.updates += 1
        return try store.update(query, changes, secret: secret)
    }

    package func delete(_ query: Query) throws(KeychainError) -> Int {
        counts.deletes += 1
        return deletesNothing ? 0 : try store.delete(query)
    }

    package func transaction(_ body: () throws(KeychainError) -> Void) throws(KeychainError) {
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
