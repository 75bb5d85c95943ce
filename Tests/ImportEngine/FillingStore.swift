import KeychainServices

/// A store in memory that finds an item among very many at once, takes many together, and knows whether
/// it is empty.
final class FillingStore: KeychainStore {
    private struct StoredItem {
        let reference: ItemReference
        let attributes: ItemAttributes
        let secret: String
    }

    private var items: [ItemIdentity: StoredItem] = [:]
    /// How many items were there after each transaction.
    private(set) var transactions: [Int] = []
    /// Whether a transaction fails at its end.
    var isFull = false

    func add(
        _ itemClass: ItemClass, _ attributes: ItemAttributes, secret: borrowing Secret
    ) throws(KeychainError) -> ItemReference {
        let identity = ItemIdentity(itemClass, attributes)
        guard items[identity] == nil else {
            throw KeychainError(.duplicateItem)
        }
        let reference = ItemReference(itemClass: itemClass, id: .random())
        items[identity] = StoredItem(
            reference: reference, attributes: attributes, secret: secret.text)
        return reference
    }

    func add(
        _ items: ArraySlice<NewItem>, more: (_ added: Int) -> ArraySlice<NewItem>,
        accessible: Accessibility, storable: (NewItem) throws(KeychainError) -> NewItem
    ) throws(KeychainError) -> Int? {
        var count = 0
        var items = items
        while !items.isEmpty {
            for item in items {
                do throws(KeychainError) {
                    let item = try storable(item)
                    var attributes = item.attributes
                    attributes.accessible = attributes.accessible ?? accessible
                    _ = try add(item.itemClass, attributes, secret: item.secret)
                } catch {
                    return count
                }
                count += 1
            }
            items = more(count)
        }
        return count
    }

    func isKnownEmpty() -> Bool { items.isEmpty }

    /// What a query for one place means, or for all items.
    func forEachMatch(
        _ query: Query, _ body: (consuming MatchedItem) throws(KeychainError) -> Step
    ) throws(KeychainError) {
        let found =
            query.attributes == ItemAttributes()
            ? Array(items.values)
            : [items[ItemIdentity(query.itemClass ?? .genericPassword, query.attributes)]]
                .compactMap { $0 }
        for item in found {
            let matched = MatchedItem(
                item.reference, item.attributes, secret: Secret(item.secret),
                returns: query.returns)
            guard try body(matched) == .next else {
                return
            }
        }
    }

    func update(
        _ query: Query, _ changes: ItemAttributes, secret: borrowing Secret?
    ) throws(KeychainError) -> Int {
        throw KeychainError(.unimplemented)
    }

    func delete(_ query: Query) throws(KeychainError) -> Int {
        throw KeychainError(.unimplemented)
    }

    func transaction<Result>(
        _ body: () throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        let before = items
        do throws(KeychainError) {
            let result = try body()
            guard !isFull else {
                throw KeychainError(.diskFull)
            }
            transactions.append(items.count)
            return result
        } catch {
            items = before
            throw error
        }
    }
}
