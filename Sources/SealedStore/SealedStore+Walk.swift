public import KeychainServices
internal import LinuxSystem

extension SealedStore {
    /// Hands the items that a query means to a closure, those added or changed last first.
    ///
    /// The items are read a few at a time, and while the closure runs the file is free: one that
    /// takes its time, such as a list that a person pages through, keeps nobody waiting. An item
    /// that another process adds or changes meanwhile comes at the end.
    ///
    /// - Throws: ``Status/decode`` for an item that does not authenticate;
    ///   ``Status/databaseLocked``, ``Status/invalidKeychain``; what the closure throws.
    public func forEachMatch(
        _ query: Query, _ body: (consuming MatchedItem) throws(KeychainError) -> WalkControl
    ) throws(KeychainError) {
        beginWalk()
        defer { endWalk() }
        var walk = ItemWalk(query)
        var handedOut: [UInt64] = []
        var handedOutBefore: Set<UInt64> = []
        while true {
            if try !read(&walk) {
                try unlockForThisProcess()
                guard try read(&walk) else {
                    throw UnlockedKeys.locked
                }
            }
            for item in walk.batch.items where !handedOutBefore.contains(item.key) {
                handedOut.append(item.key)
                guard let matched = item.take(), try body(matched) == .next else {
                    return
                }
            }
            guard walk.batch.isLast else {
                continue
            }
            guard walk.batch.lastChange > walk.batch.changeAtStart else {
                return try walk.tally.check()
            }
            // What was changed meanwhile went to the front, perhaps before its turn.
            handedOutBefore = Set(handedOut)
            walk.beginAgain()
        }
    }

    /// Reads the next few items.
    ///
    /// - Returns: Whether it did; not if one of them has to be unlocked first.
    private func read(_ walk: inout ItemWalk) throws(KeychainError) -> Bool {
        let before = walk
        let isRead = try reading { records throws(KeychainError) in
            try walk.read(records, until: walkDeadline) {
                // What the process was given unlocks without asking.
                provider?.hasGivenPassphrase == true && unlockError == nil && !isUnlocking
            }
        }
        if !isRead {
            walk = before
        }
        return isRead
    }
}
