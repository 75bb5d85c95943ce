/// A keychain: items with attributes and a sealed secret, in a store.
///
/// The functions and their rules are those of Keychain Services.
public struct Keychain {
    private let store: any KeychainStore

    /// The access group of items that are added without one.
    public let accessGroup: ByteString
    /// The accessibility of items that are added without one.
    public let accessible: Accessibility

    /// The keychain that a store keeps.
    ///
    /// - Parameters:
    ///   - accessGroup: The access group of items that are added without one.
    ///   - accessible: The accessibility of items that are added without one.
    public init(
        _ store: any KeychainStore, accessGroup: ByteString = "login",
        accessible: Accessibility = .whenUnlocked
    ) {
        self.store = store
        self.accessGroup = accessGroup
        self.accessible = accessible
    }

    /// How many bytes a secret may have: 2 MiB.
    public static let secretLimit = 2 << 20

    /// Adds an item.
    ///
    /// Its dates are set to now, whatever the attributes say, but for an item that comes from
    /// elsewhere. An absent access group and accessibility are the keychain's own.
    ///
    /// - Parameters:
    ///   - returns: What to return of the new item. The secret can't be asked for, since the caller
    ///     has it.
    ///   - keepsDates: Whether the item comes from elsewhere, a backup for example, and keeps the
    ///     dates that the attributes have, as ``ItemAttributes/setDates(now:)`` bounds them. Whatever
    ///     its dates are, it is the one that was added last. A keychain of another kind may be
    ///     unable to keep them; they become now then.
    /// - Returns: What was asked for, nil if that is nothing.
    /// - Throws: ``Status/duplicateItem`` if there is an item with this identity;
    ///   ``Status/noSuchClass``, ``Status/noSuchAttribute``, ``Status/param`` and
    ///   ``Status/dataTooLarge`` for an item that can't be; what the store throws.
    ///
    /// The corresponding function is SecItemAdd.
    @discardableResult
    public func add(
        _ itemClass: ItemClass, _ attributes: ItemAttributes, secret: borrowing Secret,
        returns: ReturnOptions = [], keepsDates: Bool = false
    ) throws(KeychainError) -> MatchedItem? {
        let attributes = try storable(
            keepsDates ? attributes : attributes.withoutDates, itemClass)
        try Keychain.check(secret)
        let reference = try store.add(itemClass, attributes, secret: secret)
        let returned = returns.subtracting(.data)
        guard !returned.isEmpty else {
            return nil
        }
        guard returned.contains(.attributes) else {
            return MatchedItem(reference, attributes, secret: nil, returns: returned)
        }
        return try firstMatch(Query(reference, returns: returned))
    }

    /// The attributes with which an item is added.
    private func storable(
        _ attributes: ItemAttributes, _ itemClass: ItemClass
    ) throws(KeychainError) -> ItemAttributes {
        try attributes.check(for: itemClass)
        var attributes = attributes
        attributes.accessible =
            attributes.accessible ?? attributes.accessControl?.accessible ?? accessible
        if attributes.accessGroup == nil {
            attributes.accessGroup = accessGroup
        }
        try attributes.checkStorable()
        return attributes
    }

    /// The names of other programs' items that the walks so far left out.
    ///
    /// - Throws: What the store throws.
    package func skippedItems() throws(KeychainError) -> [String] { try store.skippedItems() }

    /// Finds items.
    ///
    /// - Returns: ``MatchResult/exists`` if the query asks for nothing, ``MatchResult/item(_:)``
    ///   with the limit one (the item added or changed last), ``MatchResult/items(_:)`` with any
    ///   other limit.
    /// - Throws: ``Status/itemNotFound`` if nothing matches, with any limit;
    ///   ``Status/interactionNotAllowed`` if a secret is locked; ``Status/param``,
    ///   ``Status/noSuchClass``, ``Status/noSuchAttribute`` for a query that can't be; what the
    ///   store throws.
    ///
    /// The corresponding function is SecItemCopyMatching.
    public func copyMatching(_ query: Query) throws(KeychainError) -> MatchResult {
        if query.returns.isEmpty {
            _ = try firstMatch(query)
            return .exists
        }
        if query.limit == 1, query.match.limit ?? .one == .one {
            return .item(try firstMatch(query))
        }
        var items = MatchedItems()
        try forEachMatch(query) { item throws(KeychainError) in
            items.append(item)
            return .next
        }
        guard items.count > 0 else {
            throw KeychainError(.itemNotFound)
        }
        return .items(items)
    }

    /// Hands the items that a query means to a closure one by one, those added or changed last
    /// first, up to the query's limit, which is one unless it says otherwise, or until the closure
    /// answers ``WalkControl/stop``. So a walk over all items holds one at a time. Nothing matching is no error here. The closure must not
    /// change the keychain.
    ///
    /// - Throws: What ``copyMatching(_:)`` and the closure throw.
    public func forEachMatch(
        _ query: Query, _ body: (consuming MatchedItem) throws(KeychainError) -> WalkControl
    ) throws(KeychainError) {
        try query.checkForCopyMatching()
        let limit = query.limit
        var count = 0
        try store.forEachMatch(query) { item throws(KeychainError) in
            count += 1
            return try body(item) == .next && count < limit ? .next : .stop
        }
    }

    /// Hands the items that several queries mean to a closure, as ``forEachMatch(_:_:)`` does. Damage in
    /// what one query means is no reason to leave out the others.
    ///
    /// - Returns: What keeps some items from being read, to be thrown when all is told that can be; nil
    ///   if there are none.
    /// - Throws: What ``forEachMatch(_:_:)`` throws, if that is something else or nothing was read before.
    package func forEachMatch(
        ofAll queries: [Query], _ body: (consuming MatchedItem) throws(KeychainError) -> WalkControl
    ) throws(KeychainError) -> KeychainError? {
        var damage: KeychainError?
        var hasItems = false
        for query in queries {
            do throws(KeychainError) {
                try forEachMatch(query) { item throws(KeychainError) in
                    hasItems = true
                    return try body(item)
                }
            } catch {
                guard error.status == .decode || error.status == .invalidKeychain && hasItems else {
                    throw error
                }
                damage = damage ?? error
            }
        }
        if let damage, !hasItems {
            throw damage
        }
        return damage
    }

    /// Runs a closure that only reads, so that all its reads see one state where the store can do that.
    /// It may run twice.
    ///
    /// - Throws: What the closure and the store throw.
    package func readTogether<Result>(
        _ body: () throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        try store.readTogether(body)
    }

    private func firstMatch(_ query: Query) throws(KeychainError) -> MatchedItem {
        guard let found = try firstMatch(of: query) else {
            throw KeychainError(.itemNotFound)
        }
        return found
    }

    /// Sets attributes, the secret or both in every item that a query means.
    ///
    /// The modification date becomes now; the class can't change, and dates among the changes are
    /// set aside.
    ///
    /// - Throws: ``Status/itemNotFound`` if nothing matches; ``Status/duplicateItem`` if an item
    ///   would take another one's identity; ``Status/param`` for match options, for a persistent
    ///   reference beside attributes and for nothing to change; ``Status/noSuchAttribute``,
    ///   ``Status/dataTooLarge``; what the store throws. Nothing has changed then.
    ///
    /// The corresponding function is SecItemUpdate.
    public func update(
        _ query: Query, _ changes: ItemAttributes = ItemAttributes(),
        secret: borrowing Secret? = nil
    ) throws(KeychainError) {
        try query.checkForChange()
        let changes = changes.withoutDates
        try changes.check(for: query.itemClass!)
        try changes.checkStorable()
        let isSecretPresent: Bool
        switch secret {
        case .some(let secret):
            try Keychain.check(secret)
            isSecretPresent = true
        case .none:
            isSecretPresent = false
        }
        guard isSecretPresent || changes != ItemAttributes() else {
            throw KeychainError(.param, "the update changes nothing")
        }
        guard try store.update(query, changes, secret: secret) > 0 else {
            throw KeychainError(.itemNotFound)
        }
    }

    /// Deletes every item that a query means.
    ///
    /// - Throws: ``Status/itemNotFound`` if nothing matches; ``Status/param`` for match options
    ///   and for a persistent reference beside attributes; what the store throws.
    ///
    /// The corresponding function is SecItemDelete.
    public func delete(_ query: Query) throws(KeychainError) {
        try query.checkForChange()
        guard try store.delete(query) > 0 else {
            throw KeychainError(.itemNotFound)
        }
    }

    /// Runs a closure so that no other process changes the keychain meanwhile, and nothing of
    /// what it did stays if it throws, as far as the store can.
    ///
    /// - Throws: What the closure and the store throw.
    public func transaction<Result>(
        _ body: () throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        try store.transaction(body)
    }

    static func check(_ secret: borrowing Secret) throws(KeychainError) {
        guard secret.count <= secretLimit else {
            throw KeychainError(.dataTooLarge, "the secret is longer than 2 MiB")
        }
    }
}
