/// A place that keeps items: what a backend implements.
///
/// ``Keychain`` stands before it and has checked what reaches it: queries have a class and go
/// together, attributes belong to their class, an item to add has an accessibility and an access
/// group. A store keeps the rules that only it can: identity, order, dates and the lock state.
public protocol KeychainStore: AnyObject {
    /// Adds an item. It has the dates that its attributes have, if any, within the bounds of
    /// ``ItemAttributes/setDates(now:)``, which does that; others become now. They say nothing of the
    /// order: the item is the one that was added last.
    ///
    /// - Throws: ``Status/duplicateItem`` if its identity exists.
    func add(
        _ itemClass: ItemClass, _ attributes: ItemAttributes, secret: borrowing Secret
    ) throws(KeychainError) -> ItemReference

    /// Hands the items that a query means to a closure, those added or changed last first, until
    /// it answers ``WalkControl/stop``. The query's limit is the caller's part. The closure must not
    /// change the store.
    ///
    /// - Throws: ``Status/interactionNotAllowed`` if a secret is asked for that is locked,
    ///   ``Status/decode`` for an item that does not authenticate, what the closure throws.
    func forEachMatch(
        _ query: Query,
        _ body: (consuming MatchedItem) throws(KeychainError) -> WalkControl
    ) throws(KeychainError)

    /// The names of what stands beside the items and was left out of the walks so far, as it is another
    /// program's and has no form that is known here.
    func skippedItems() throws(KeychainError) -> [String]

    /// Sets attributes, the secret or both in every item that a query means, and their
    /// modification date; all of them or none.
    ///
    /// - Returns: How many items were changed.
    /// - Throws: ``Status/duplicateItem`` if an item would take another one's identity.
    func update(
        _ query: Query, _ changes: ItemAttributes, secret: borrowing Secret?
    ) throws(KeychainError) -> Int

    /// Deletes every item that a query means; all of them or none.
    ///
    /// - Returns: How many items were deleted.
    func delete(_ query: Query) throws(KeychainError) -> Int

    /// Runs a closure so that no other process changes the store meanwhile, and nothing of what
    /// the closure did stays if it throws. A store whose service can't do that runs it as it is
    /// and says so in its own documentation.
    func transaction<Result>(
        _ body: () throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result

    /// Runs a closure that only reads, so that all its reads see one state, if the store can do that:
    /// many of them take much less time then. The closure may run twice.
    func readTogether<Result>(
        _ body: () throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result
}

extension KeychainStore {
    /// None.
    public func skippedItems() throws(KeychainError) -> [String] { [] }

    /// Each read is one by itself.
    public func readTogether<Result>(
        _ body: () throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        try body()
    }
}

/// Whether a walk over items goes on.
public enum WalkControl: Sendable {
    /// To the next item, if there is one.
    case next
    /// No further.
    case stop
}
