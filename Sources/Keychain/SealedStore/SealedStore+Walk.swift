public import KeychainServices
internal import LinuxSystem

extension SealedStore {
    /// Passes the items that match a query to a closure, by default most recently added or changed
    /// first.
    ///
    /// It reads a few items at a time. While the closure runs the file is free: even a slow one,
    /// such as a list in a pager, delays no other program. An item that another process adds or
    /// changes meanwhile comes at the end.
    ///
    /// - Throws: ``Status/decode`` for an item that does not authenticate;
    ///   ``Status/databaseLocked``, ``Status/invalidKeychain``; what the closure throws.
    public func forEachMatch(
        _ query: Query, _ body: (consuming MatchedItem) throws(KeychainError) -> WalkControl
    ) throws(KeychainError) {
        beginWalk()
        defer { endWalk() }
        var walk = ItemWalk(query, logsUses: logsUses)
        var uses = ItemUses()
        let conditions = ConditionKeys()
        var handedOut: [UInt64] = []
        var handedOutBefore: Set<UInt64> = []
        var restarts = 0
        while true {
            try read(&walk, query, conditions)
            if walk.restarts > restarts {
                restarts = walk.restarts
                handedOutBefore = Set(handedOut)
            }
            for item in walk.batch.items where !handedOutBefore.contains(item.key) {
                handedOut.append(item.key)
                if let use = item.use.flatMap({ uses.add($0) }) {
                    log([use])
                }
                guard let matched = item.take(), try body(matched) == .next else {
                    return
                }
            }
            guard walk.batch.isLast else {
                continue
            }
            guard walk.batch.lastChange > walk.batch.changeAtStart else {
                return try walk.tally.check(location.name)
            }
            // An item changed meanwhile moved to the front, perhaps before its turn.
            walk.beginAgain()
        }
    }

    /// Reads the next few items, after asking for what that takes.
    private func read(
        _ walk: inout ItemWalk, _ query: Query, _ conditions: ConditionKeys
    ) throws(KeychainError) {
        try reading(conditions, for: query.match, readsOthers: query.namesNoItem) {
            records throws(KeychainError) in
            records.conditions.context = query.context
            // An attempt that lacks something leaves the walk where it was.
            var next = walk
            try next.read(records, until: walkDeadline) {
                // A given passphrase unlocks without asking.
                provider?.hasGivenPassphrase == true && unlockError == nil && !isUnlocking
            }
            walk = next
        }
    }
}

extension Query {
    /// Whether it searches without a name: the answer to a question then opens more than one item.
    fileprivate var namesNoItem: Bool {
        limit > 1 && ids.isEmpty && attributes.service == nil && attributes.server == nil
            && attributes.account == nil
    }
}
