/// A store in memory, for tests and for items that must never reach a disk. It is always unlocked.
public final class InMemoryStore: KeychainStore {
    private final class StoredItem {
        let reference: ItemReference
        let attributes: ItemAttributes
        let secret: Secret
        /// Encoded once, because each new item is compared with all others.
        let identity: ItemIdentity

        init(
            _ reference: ItemReference, _ attributes: ItemAttributes, _ secret: consuming Secret
        ) {
            self.reference = reference
            self.attributes = attributes
            self.secret = secret
            identity = ItemIdentity(reference.itemClass, attributes)
        }
    }

    /// In the order of adding or changing.
    private var items: [StoredItem] = []
    private let now: () -> Timestamp
    private let protect: (borrowing Secret) -> Void

    /// Creates an empty store.
    ///
    /// - Parameter now: Returns the time for the items' dates.
    public convenience init(now: @escaping () -> Timestamp) {
        self.init(now: now, protecting: { _ in })
    }

    /// Creates an empty store.
    ///
    /// - Parameters:
    ///   - now: Returns the time for the items' dates.
    ///   - protect: Called with each secret that it keeps, for example to keep its memory off the disk.
    package init(
        now: @escaping () -> Timestamp, protecting protect: @escaping (borrowing Secret) -> Void
    ) {
        self.now = now
        self.protect = protect
    }

    /// Adds an item.
    ///
    /// - Throws: ``Status/duplicateItem`` if an item with its identity exists,
    ///   ``Status/authFailed`` for an accessibility that needs a passphrase,
    ///   ``Status/unimplemented`` for an access control with conditions.
    public func add(
        _ itemClass: ItemClass, _ attributes: ItemAttributes, secret: borrowing Secret,
        context: AuthenticationContext?
    ) throws(KeychainError) -> ItemReference {
        try checkAccessible(attributes)
        let reference = ItemReference(itemClass: itemClass, id: .random())
        var attributes = attributes
        attributes.setDates(now: now())
        try insert(StoredItem(reference, attributes, secret.copy()))
        return reference
    }

    /// Passes the items that match a query to a closure, by default most recently added or changed
    /// first.
    ///
    /// - Throws: What the closure throws.
    public func forEachMatch(
        _ query: Query, _ body: (consuming MatchedItem) throws(KeychainError) -> WalkControl
    ) throws(KeychainError) {
        let ordered = query.match.order == .oldestFirst ? items : items.reversed()
        for item in ordered where matches(query, item) {
            let secret =
                query.returns.isDisjoint(with: [.data, .readableData])
                ? nil : item.secret.copy()
            let matched = MatchedItem(
                item.reference, item.attributes, secret: secret, returns: query.returns)
            guard try body(matched) == .next else {
                return
            }
        }
    }

    /// Changes every item that matches a query: all of them or none.
    ///
    /// - Throws: ``Status/duplicateItem`` if an item would take another one's identity,
    ///   ``Status/authFailed`` for an accessibility that needs a passphrase,
    ///   ``Status/unimplemented`` for an access control with conditions.
    public func update(
        _ query: Query, _ changes: ItemAttributes, secret: borrowing Secret?
    ) throws(KeychainError) -> Int {
        let before = items
        let matched = items.filter { matches(query, $0) }
        do throws(KeychainError) {
            for item in matched {
                var attributes = item.attributes.merging(changes)
                try attributes.checkStorable()
                try checkAccessible(attributes)
                attributes.modificationDate = now()
                items.removeAll { $0 === item }
                try insert(
                    StoredItem(item.reference, attributes, secret.copy() ?? item.secret.copy()))
            }
        } catch {
            items = before
            throw error
        }
        return matched.count
    }

    /// Deletes every item that matches a query.
    public func delete(_ query: Query) throws(KeychainError) -> Int {
        let count = items.count
        items.removeAll { matches(query, $0) }
        return count - items.count
    }

    /// Runs a closure, and undoes its changes if it throws.
    ///
    /// - Throws: What the closure throws.
    public func transaction(_ body: () throws(KeychainError) -> Void) throws(KeychainError) {
        let before = items
        do throws(KeychainError) {
            return try body()
        } catch {
            items = before
            throw error
        }
    }

    private func matches(_ query: Query, _ item: StoredItem) -> Bool {
        query.matches(item.reference.itemClass, item.attributes, id: item.reference.id)
    }

    private func insert(_ item: StoredItem) throws(KeychainError) {
        let identity = item.identity
        guard !items.contains(where: { $0.identity == identity }) else {
            throw KeychainError(.duplicateItem)
        }
        protect(item.secret)
        items.append(item)
    }

    /// This store has no passphrase, so it refuses items that need one.
    private func checkAccessible(_ attributes: ItemAttributes) throws(KeychainError) {
        try attributes.checkUnconditional()
        if attributes.accessible == .whenPasscodeSetThisDeviceOnly {
            throw KeychainError(.authFailed, "the keychain has no passphrase")
        }
    }
}
