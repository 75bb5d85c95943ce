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
    /// How many times items were changed.
    private(set) var updates = 0
    /// Whether it adds many items together.
    var addsTogether = false
    /// How many times it was to do so.
    private(set) var additions = 0
    /// Whether it says so while there is no item.
    var knowsWhetherEmpty = false

    init(now: @escaping () -> Timestamp = { Timestamp(secondsSinceEpoch: 0) }) {
        store = InMemoryStore(now: now)
    }

    func add(
        _ itemClass: ItemClass, _ attributes: ItemAttributes, secret: borrowing Secret
    ) throws(KeychainError) -> ItemReference {
        let reference = try store.add(itemClass, attributes, secret: secret)
        added += 1
        return reference
    }

    func add(
        _ items: ArraySlice<NewItem>, more: (_ added: Int) -> ArraySlice<NewItem>,
        accessible: Accessibility, storable: (NewItem) throws(KeychainError) -> NewItem
    ) throws(KeychainError) -> Int? {
        guard addsTogether else {
            return nil
        }
        additions += 1
        var count = 0
        for item in items {
            do throws(KeychainError) {
                let item = try storable(item)
                var attributes = item.attributes
                attributes.accessible = attributes.accessible ?? accessible
                _ = try add(item.itemClass, attributes, secret: item.secret)
            } catch {
                break
            }
            count += 1
        }
        return count
    }

    func isKnownEmpty() throws(KeychainError) -> Bool {
        guard knowsWhetherEmpty else {
            return false
        }
        var isEmpty = true
        for itemClass in [ItemClass.genericPassword, .internetPassword] {
            try store.forEachMatch(Query(itemClass)) { _ in
                isEmpty = false
                return .stop
            }
        }
        return isEmpty
    }

    func forEachMatch(
        _ query: Query, _ body: (consuming MatchedItem) throws(KeychainError) -> Step
    ) throws(KeychainError) {
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

    func transaction<Result>(
        _ body: () throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        guard transactions.count < limit else {
            throw KeychainError(.diskFull)
        }
        added = 0
        let result = try store.transaction(body)
        transactions.append(added)
        return result
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
