/// A place that stores items: what a backend implements.
///
/// ``Keychain`` checks everything before it reaches a store. Queries have a class and are
/// consistent, attributes belong to their class, and a new item has an accessibility and an access
/// group. A store enforces the rules that only it can: identity, order, dates and the lock state.
///
/// ``Query/matches(_:_:id:)`` says whether a query matches an item, and also applies the access
/// groups in ``Query/accessGroups``.
public protocol KeychainStore: AnyObject {
    /// Adds an item.
    ///
    /// A store sets its dates with ``ItemAttributes/setDates(now:)``, which bounds those that the
    /// attributes have; missing ones become now. Dates don't affect the order: the item is the one
    /// added last.
    ///
    /// - Parameter context: What the program supplies for an item with an access control.
    /// - Throws: ``Status/duplicateItem`` if an item with its identity exists;
    ///   ``Status/unimplemented`` for an access control that the store can't enforce.
    func add(
        _ itemClass: ItemClass, _ attributes: ItemAttributes, secret: borrowing Secret,
        context: AuthenticationContext?
    ) throws(KeychainError) -> ItemReference

    /// Passes the items that match a query to a closure, in the order of its
    /// ``MatchOptions/order``, until it returns ``WalkControl/stop``. The caller applies the query's
    /// limit. The closure must not change the store.
    ///
    /// - Throws: ``Status/interactionNotAllowed`` if a requested secret is locked,
    ///   ``Status/decode`` for an item that does not authenticate, what the closure throws.
    func forEachMatch(
        _ query: Query,
        _ body: (consuming MatchedItem) throws(KeychainError) -> WalkControl
    ) throws(KeychainError)

    /// Whether a query can name keychains in its ``MatchOptions/searchList``.
    var hasSearchList: Bool { get }

    /// Returns the name of the keychain that an item was found in, nil if the store is a single one.
    func keychainName(of reference: ItemReference) -> String?

    /// Returns the names of other programs' items that the walks so far skipped, because their form
    /// is unknown.
    func skippedItems() throws(KeychainError) -> [String]

    /// Sets attributes, the secret or both in every item that matches a query, and their
    /// modification date: in all of them or none.
    ///
    /// - Returns: The number of items changed.
    /// - Throws: ``Status/duplicateItem`` if an item would take another one's identity.
    func update(
        _ query: Query, _ changes: ItemAttributes, secret: borrowing Secret?
    ) throws(KeychainError) -> Int

    /// Deletes every item that matches a query: all of them or none.
    ///
    /// - Returns: The number of items deleted.
    func delete(_ query: Query) throws(KeychainError) -> Int

    /// Runs a closure while no other process can change the store, and undoes its changes if it
    /// throws. A store whose service has no transactions just runs the closure, and documents that.
    func transaction(_ body: () throws(KeychainError) -> Void) throws(KeychainError)

    /// Runs a closure that only reads. If the store supports it, all reads see one state, and many
    /// of them take much less time. The closure may run twice.
    func readTogether(_ body: () throws(KeychainError) -> Void) throws(KeychainError)

    /// Passes the id of each item to a closure, in ascending order, with the number of the change that stored the item
    /// as it is: an item with the number that it had before has not changed. This opens no item.
    ///
    /// - Returns: Whether the store numbers its changes; if not, the closure was not called.
    /// - Throws: ``Status/decode`` if items are missing; what the closure throws.
    func forEachNumber(
        _ body: (_ id: ItemID, _ change: Int64) throws(KeychainError) -> Void
    ) throws(KeychainError) -> Bool

    /// Returns the item that the change with a number stored, nil if it is not there any more. It may be, although
    /// ``forEachNumber(_:)`` lacks it: then the store is damaged.
    func item(numbered change: Int64) throws(KeychainError) -> ItemReference?
}

extension KeychainStore {
    /// Adds an item without a context.
    ///
    /// - Throws: What ``add(_:_:secret:context:)`` throws.
    @discardableResult
    public func add(
        _ itemClass: ItemClass, _ attributes: ItemAttributes, secret: borrowing Secret
    ) throws(KeychainError) -> ItemReference {
        try add(itemClass, attributes, secret: secret, context: nil)
    }

    /// False, because a store is a single keychain.
    public var hasSearchList: Bool { false }

    /// Returns nil, because a store is a single keychain.
    public func keychainName(of reference: ItemReference) -> String? { nil }

    /// Returns no names.
    public func skippedItems() throws(KeychainError) -> [String] { [] }

    /// Runs the closure without grouping its reads.
    public func readTogether(_ body: () throws(KeychainError) -> Void) throws(KeychainError) {
        try body()
    }

    /// Runs a closure in a transaction, and returns its result.
    ///
    /// - Throws: What the closure and ``transaction(_:)`` throw.
    public func transaction<Result>(
        _ body: () throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        var result: Result?
        try transaction { () throws(KeychainError) -> Void in result = try body() }
        // Set: a transaction that runs no closure throws.
        return result!
    }

    /// Runs a closure whose reads see one state, if the store supports that, and returns its result.
    ///
    /// - Throws: What the closure and ``readTogether(_:)`` throw.
    public func readTogether<Result>(
        _ body: () throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        var result: Result?
        try readTogether { () throws(KeychainError) -> Void in result = try body() }
        return result!
    }

    /// Returns false, because the store does not number its changes.
    public func forEachNumber(
        _ body: (_ id: ItemID, _ change: Int64) throws(KeychainError) -> Void
    ) throws(KeychainError) -> Bool {
        false
    }

    /// Returns nil, because the store does not number its changes.
    public func item(numbered change: Int64) throws(KeychainError) -> ItemReference? { nil }
}

/// Whether a walk over items continues.
public enum WalkControl: Sendable {
    /// Continue with the next item, if any.
    case next
    /// End the walk.
    case stop
}
