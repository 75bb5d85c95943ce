/// A keychain: items with attributes and an encrypted secret, in a store.
///
/// The functions and their rules are those of Keychain Services. They find, change and delete items
/// of the keychain's ``accessGroups`` alone; for any other group that a query or an item names they
/// throw ``Status/missingEntitlement``.
public struct Keychain {
    private let store: any KeychainStore

    /// The access groups that the program may use.
    public let accessGroups: AccessGroups
    /// The accessibility of items that are added without one.
    public let accessible: Accessibility
    /// Reads certificates and keys; nil in a program that has no use for them.
    package let decoder: (any CertificateDecoding)?

    /// Creates a keychain on a store.
    ///
    /// - Parameters:
    ///   - accessGroups: The access groups that the program may use.
    ///   - accessible: The accessibility of items that are added without one.
    ///   - decoder: Reads certificates and keys; nil if the program stores none.
    public init(
        _ store: any KeychainStore, accessGroups: AccessGroups,
        accessible: Accessibility = .whenUnlocked, decoder: (any CertificateDecoding)? = nil
    ) {
        self.store = store
        self.accessGroups = accessGroups
        self.accessible = accessible
        self.decoder = decoder
    }

    /// Creates a keychain on a store for a program that uses a single access group.
    ///
    /// - Parameters:
    ///   - accessGroup: The only access group that the program may use.
    ///   - accessible: The accessibility of items that are added without one.
    ///   - decoder: Reads certificates and keys; nil if the program stores none.
    public init(
        _ store: any KeychainStore, accessGroup: ByteString,
        accessible: Accessibility = .whenUnlocked, decoder: (any CertificateDecoding)? = nil
    ) {
        self.init(
            store, accessGroups: AccessGroups(accessGroup), accessible: accessible,
            decoder: decoder)
    }

    /// Returns the same keychain with other access groups.
    package func using(_ accessGroups: AccessGroups) -> Keychain {
        Keychain(store, accessGroups: accessGroups, accessible: accessible, decoder: decoder)
    }

    /// Returns the same keychain for a program that stores certificates and keys.
    public func using(_ decoder: any CertificateDecoding) -> Keychain {
        Keychain(store, accessGroups: accessGroups, accessible: accessible, decoder: decoder)
    }

    /// The access group of items that are added without one: the first of ``accessGroups``.
    public var accessGroup: ByteString { accessGroups.first }

    /// The most bytes that a secret may have: 2 MiB.
    public static let secretLimit = 2 << 20

    /// Adds an item.
    ///
    /// The item's dates become now, unless `keepsDates` is true. A missing access group becomes
    /// ``accessGroup``, and a missing accessibility the keychain's own. What a certificate or a key says of
    /// itself is read from it. A certificate can always be read, also while the keychain is locked.
    ///
    /// - Parameters:
    ///   - returns: What to return of the new item. The secret can't be requested, because the
    ///     caller has it.
    ///   - context: What the program supplies for an item with an access control.
    ///   - keepsDates: Whether to store the dates that the attributes have, as for an item from a
    ///     backup; ``ItemAttributes/setDates(now:)`` bounds them. The item counts as the one added
    ///     last, whatever its dates. A keychain of another kind may be unable to store them; they
    ///     then become now.
    /// - Returns: What was requested, nil if that is nothing.
    /// - Throws: ``Status/duplicateItem`` if an item with this identity exists;
    ///   ``Status/missingEntitlement`` for a group that may not be used; ``Status/noSuchClass``,
    ///   ``Status/noSuchAttribute``, ``Status/param`` and ``Status/dataTooLarge`` for an invalid
    ///   item; what the store throws.
    ///
    /// The corresponding function is SecItemAdd.
    @discardableResult
    public func add(
        _ itemClass: ItemClass, _ attributes: ItemAttributes, secret: borrowing Secret,
        returns: ReturnOptions = [], context: AuthenticationContext? = nil,
        keepsDates: Bool = false
    ) throws(KeychainError) -> MatchedItem? {
        try Keychain.check(secret)
        let attributes = try storable(
            keepsDates ? attributes : attributes.withoutDates, itemClass, secret)
        let reference = try store.add(itemClass, attributes, secret: secret, context: context)
        let returned = returns.subtracting(.data)
        guard !returned.isEmpty else {
            return nil
        }
        guard returned.contains(.attributes) else {
            return MatchedItem(reference, attributes, secret: nil, returns: returned)
        }
        return try firstMatch(Query(reference, returns: returned))
    }

    /// Returns the attributes with which an item is stored.
    private func storable(
        _ attributes: ItemAttributes, _ itemClass: ItemClass, _ secret: borrowing Secret
    ) throws(KeychainError) -> ItemAttributes {
        try attributes.check(for: itemClass)
        var attributes = try decoded(attributes, itemClass, secret)
        try attributes.check(for: itemClass)
        attributes.accessible =
            attributes.accessible ?? attributes.accessControl?.accessible ?? accessible
        if attributes.accessGroup == nil {
            attributes.accessGroup = accessGroup
        }
        try accessGroups.check(attributes.accessGroup)
        try attributes.checkStorable()
        return attributes
    }

    /// Returns the names of other programs' items that the walks so far skipped.
    ///
    /// - Throws: What the store throws.
    package func skippedItems() throws(KeychainError) -> [String] { try store.skippedItems() }

    /// Returns the name of the keychain that an item was found in, nil if the store is a single one.
    package func keychainName(of reference: ItemReference) -> String? {
        store.keychainName(of: reference)
    }

    /// Finds items.
    ///
    /// - Returns: ``MatchResult/exists`` if the query asks for nothing, ``MatchResult/item(_:)``
    ///   with the limit one (the item added or changed last), ``MatchResult/items(_:)`` with any
    ///   other limit.
    /// - Throws: ``Status/itemNotFound`` if nothing matches, with any limit;
    ///   ``Status/interactionNotAllowed`` if a secret is locked; ``Status/missingEntitlement`` for
    ///   a group that may not be used; ``Status/param``, ``Status/noSuchClass``,
    ///   ``Status/noSuchAttribute`` for an invalid query; what the store throws.
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

    /// Passes the items that match a query to a closure one by one, by default most recently added or
    /// changed first.
    ///
    /// It ends at the query's limit, by default one, or when the closure returns
    /// ``WalkControl/stop``. A walk over all items has only one of them in memory at a time. A
    /// query without a match is not an error here. The closure must not change the keychain.
    ///
    /// - Throws: What ``copyMatching(_:)`` and the closure throw.
    public func forEachMatch(
        _ query: Query, _ body: (consuming MatchedItem) throws(KeychainError) -> WalkControl
    ) throws(KeychainError) {
        try query.checkForCopyMatching()
        guard query.match.searchList == nil || store.hasSearchList else {
            throw KeychainError(.param, "a single keychain has no search list")
        }
        guard query.itemClass != .identity else {
            return try forEachIdentity(query, body)
        }
        let limit = query.limit
        let trust = try trustedCertificates(query)
        var count = 0
        var failure: KeychainError?
        do throws(KeychainError) {
            try store.forEachMatch(accessGroups.limiting(trust?.query ?? query)) {
                item throws(KeychainError) in
                if let trust, !trust.contains(item) {
                    return .next
                }
                count += 1
                do throws(KeychainError) {
                    let item = trust == nil ? item : item.returning(query.returns)
                    return try body(item) == .next && count < limit ? .next : .stop
                } catch {
                    failure = error
                    throw error
                }
            }
        } catch {
            // The store could only have read the other items after asking the user.
            guard query.match.authenticationUI == .skip, failure == nil,
                error.status == .interactionNotAllowed
            else {
                throw error
            }
        }
    }

    /// Passes the items that match several queries to a closure, as ``forEachMatch(_:_:)`` does.
    /// Damage in one query's items does not stop the others.
    ///
    /// - Returns: The error that keeps some items from being read, for the caller to throw at the
    ///   end; nil if there is none.
    /// - Throws: What ``forEachMatch(_:_:)`` throws, for any other error or if nothing was read
    ///   before.
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
            } catch  where error.status == .decode || error.status == .invalidKeychain && hasItems {
                damage = damage ?? error
            }
        }
        if let damage, !hasItems {
            throw damage
        }
        return damage
    }

    /// Runs a closure that only reads; all its reads see one state, if the store supports that. The
    /// closure may run twice.
    ///
    /// - Throws: What the closure and the store throw.
    package func readTogether<Result>(
        _ body: () throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        var result: Result?
        try store.readTogether { () throws(KeychainError) -> Void in result = try body() }
        // Set: a store that does not run the closure throws.
        return result!
    }

    private func firstMatch(_ query: Query) throws(KeychainError) -> MatchedItem {
        guard let found = try firstMatch(of: query) else {
            throw KeychainError(.itemNotFound)
        }
        return found
    }

    /// Sets attributes, the secret or both in every item that matches a query.
    ///
    /// The modification date becomes now. The class can't change, and dates among the changes are
    /// ignored.
    ///
    /// - Throws: ``Status/itemNotFound`` if nothing matches; ``Status/duplicateItem`` if an item
    ///   would take another one's identity; ``Status/missingEntitlement`` for a group that may not
    ///   be used, in the query or among the changes; ``Status/param`` for match options, for a
    ///   persistent reference together with attributes, for an empty change and for attributes that
    ///   a certificate says of itself; ``Status/unimplemented`` for identities;
    ///   ``Status/noSuchAttribute``, ``Status/dataTooLarge``; what the store throws. Nothing has
    ///   changed then.
    ///
    /// The corresponding function is SecItemUpdate.
    public func update(
        _ query: Query, _ changes: ItemAttributes = ItemAttributes(),
        secret: borrowing Secret? = nil
    ) throws(KeychainError) {
        try query.checkForChange()
        var changes = changes.withoutDates
        try changes.check(for: query.itemClass!)
        try changes.checkStorable()
        try accessGroups.check(changes.accessGroup)
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
        changes = try possible(changes, of: query.itemClass!, secret)
        guard try store.update(accessGroups.limiting(query), changes, secret: secret) > 0 else {
            throw KeychainError(.itemNotFound)
        }
    }

    /// Deletes every item that matches a query; of an identity, its certificate and its private key. The key stays
    /// if another certificate needs it.
    ///
    /// - Throws: ``Status/itemNotFound`` if nothing matches; ``Status/missingEntitlement`` for a
    ///   group that may not be used; ``Status/param`` for match options and for a persistent
    ///   reference together with attributes; what the store throws.
    ///
    /// The corresponding function is SecItemDelete.
    public func delete(_ query: Query) throws(KeychainError) {
        try query.checkForChange()
        guard query.itemClass != .identity else {
            return try deleteIdentities(query)
        }
        guard try store.delete(accessGroups.limiting(query)) > 0 else {
            throw KeychainError(.itemNotFound)
        }
    }

    /// Runs a closure while no other process can change the keychain, and undoes its changes if it
    /// throws, as far as the store can.
    ///
    /// - Throws: What the closure and the store throw.
    public func transaction<Result>(
        _ body: () throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        var result: Result?
        try store.transaction { () throws(KeychainError) -> Void in result = try body() }
        // Set: a store that does not run the closure throws.
        return result!
    }

    static func check(_ secret: borrowing Secret) throws(KeychainError) {
        guard secret.count <= secretLimit else {
            throw KeychainError(.dataTooLarge, "the secret is longer than 2 MiB")
        }
    }
}
