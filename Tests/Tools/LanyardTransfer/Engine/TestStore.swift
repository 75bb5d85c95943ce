import KeychainServices

/// A store in memory that counts its transactions, and can answer other secrets than it was given.
final class TestStore: KeychainStore {
    private let store: InMemoryStore
    /// How many items were added in each transaction.
    private(set) var transactions: [Int] = []
    /// Whether it answers another secret than it has.
    var lies = false
    /// How many transactions it takes; after that it fails.
    var limit = Int.max
    private var added = 0
    private var isInTransaction = false
    /// How many searches were no part of a transaction.
    private(set) var searchesOutside = 0
    /// How many times items were changed.
    private(set) var updates = 0
    init(now: @escaping () -> Timestamp = { Timestamp(secondsSinceEpoch: 0) }) {
        store = InMemoryStore(now: now)
    }

    func add(
        _ itemClass: ItemClass, _ attributes: ItemAttributes, secret: borrowing Secret,
        context: AuthenticationContext?
    ) throws(KeychainError) -> ItemReference {
        let reference = try store.add(itemClass, attributes, secret: secret, context: context)
        added += 1
        return reference
    }

    func forEachMatch(
        _ query: Query, _ body: (consuming MatchedItem) throws(KeychainError) -> WalkControl
    ) throws(KeychainError) {
        searchesOutside += isInTransaction ? 0 : 1
        try store.forEachMatch(query) { [lies] item throws(KeychainError) in
            guard lies, let reference = item.reference ?? item.anyReference else {
                return try body(item)
            }
            return try body(
                MatchedItem(
                    reference, item.attributes ?? ItemAttributes(), secret: Secret("a lie"),
                    returns: query.returns))
        }
    }

    func update(
        _ query: Query, _ changes: ItemAttributes, secret: borrowing Secret?
    ) throws(KeychainError) -> Int {
        updates += 1
        return try store.update(query, changes, secret: secret)
    }

    func delete(_ query: Query) throws(KeychainError) -> Int { try store.delete(query) }

    func transaction(_ body: () throws(KeychainError) -> Void) throws(KeychainError) {
        guard transactions.count < limit else {
            throw KeychainError(.diskFull)
        }
        added = 0
        isInTransaction = true
        defer { isInTransaction = false }
        try store.transaction(body)
        transactions.append(added)
    }

    func readTogether(_ body: () throws(KeychainError) -> Void) throws(KeychainError) {
        isInTransaction = true
        defer { isInTransaction = false }
        return try body()
    }
}

extension MatchedItem {
    fileprivate var anyReference: ItemReference? {
        ItemReference(itemClass: itemClass, id: .random())
    }
}

extension Keychain {
    /// All secrets by the services of their items.
    func secrets() throws -> [String: String] {
        var secrets: [String: String] = [:]
        var query = Query(.genericPassword, returns: [.attributes, .data])
        query.match.limit = .all
        try forEachMatch(query) { item throws(KeychainError) in
            switch item.secret {
            case .some(let secret):
                secrets[item.attributes?.service?.description ?? ""] = secret.text
            case .none: break
            }
            return .next
        }
        return secrets
    }
}
