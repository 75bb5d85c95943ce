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
        var batch = Batch()
        var tally = WalkTally()
        var handedOut: [UInt64] = []
        var handedOutBefore: Set<UInt64> = []
        while true {
            if try !read(&batch, query, &tally) {
                try unlockForThisProcess()
                guard try read(&batch, query, &tally) else {
                    throw UnlockedKeys.locked
                }
            }
            for item in batch.items where !handedOutBefore.contains(item.key) {
                handedOut.append(item.key)
                guard let matched = item.take(), try body(matched) == .next else {
                    return
                }
            }
            guard batch.isLast else {
                continue
            }
            guard batch.lastChange > batch.changeAtStart else {
                return try tally.check()
            }
            // What was changed meanwhile went to the front, perhaps before its turn.
            handedOutBefore = Set(handedOut)
            batch = Batch(changedSince: batch.changeAtStart)
        }
    }

    /// Reads the next few items.
    ///
    /// - Returns: Whether it did; not if one of them has to be unlocked first.
    private func read(
        _ batch: inout Batch, _ query: Query, _ tally: inout WalkTally
    ) throws(KeychainError) -> Bool {
        let before = (batch, tally)
        let isRead = try reading { state throws(KeychainError) in
            batch.begin(state.rowSet.change)
            tally.begin(state.rowSet)
            let candidates = try Candidates(query, state.keys)
            var rows = try candidates.select(file.database, changes: batch.rest)
            var reader = RowReader(query, state.sealing)
            while !batch.isFull {
                try checkWalkDeadline()
                guard try rows.step() else {
                    batch.isLast = true
                    break
                }
                do throws(KeychainError) {
                    guard try take(rows, &reader, &batch) else {
                        return false
                    }
                } catch {
                    // One damaged item is no reason to leave out the others.
                    guard candidates.isWhole, error.status == .decode else {
                        throw error
                    }
                    tally.note(error)
                }
            }
            if candidates.isWhole {
                tally.add(rows: rows.count - (batch.hasRepeatedRow ? 1 : 0))
                if batch.isLast {
                    try tally.finish(state.rowSet, file.database)
                }
            }
            return true
        }
        if !isRead {
            (batch, tally) = before
        }
        return isRead
    }

    /// What the reading of rows needs.
    private struct RowReader {
        let query: Query
        let sealing: ItemSealing
        /// Which secrets are known to be locked; to find that out takes time.
        var locked: Set<Accessibility> = []

        init(_ query: Query, _ sealing: ItemSealing) {
            self.query = query
            self.sealing = sealing
        }
    }

    /// Reads the row that a walk has come to, and puts its item into a batch if the query means it.
    ///
    /// - Returns: Whether it did; not if the item has to be unlocked first.
    private func take(
        _ rows: borrowing CandidateRows, _ reader: inout RowReader, _ batch: inout Batch
    ) throws(KeychainError) -> Bool {
        guard !rows.isOfOtherClass else {
            return true
        }
        var row = try rows.row()
        guard batch.isNew(row) else {
            return true
        }
        let query = reader.query
        let attributes = try reader.sealing.openAttributes(row)
        guard query.matches(row.itemClass, attributes, id: row.id) else {
            return true
        }
        var secret: Secret?
        if query.returns.contains(.data)
            || query.returns.contains(.readableData) && !reader.locked.contains(row.accessible)
        {
            row.secret = rows.secret()
            guard try openSecret(&secret, row, attributes, &reader) else {
                return false
            }
        }
        let reference = ItemReference(itemClass: row.itemClass, id: row.id)
        batch.append(
            row.id, MatchedItem(reference, attributes, secret: secret, returns: query.returns),
            size: row.attributes.count + row.secret.count)
        return true
    }

    /// - Returns: Whether the secret was opened, or need not be; not if it has to be unlocked first.
    private func openSecret(
        _ secret: inout Secret?, _ row: ItemRow, _ attributes: ItemAttributes,
        _ reader: inout RowReader
    ) throws(KeychainError) -> Bool {
        let isNeeded = reader.query.returns.contains(.data)
        do throws(KeychainError) {
            switch try reader.sealing.classKey(of: row) {
            case .atHand(let key):
                secret = try reader.sealing.openSecret(row, of: attributes, with: key)
            case .locked:
                // What the process was given unlocks without asking.
                let unlocks = provider?.hasGivenPassphrase == true && unlockError == nil
                guard !isNeeded, !unlocks || isUnlocking else {
                    return false
                }
                reader.locked.insert(row.accessible)
            case .elsewhere(let error):
                if isNeeded {
                    throw error
                }
            }
        } catch {
            // What is damaged `verify` is there to tell.
            guard !isNeeded, error.status == .decode else {
                throw error
            }
        }
        return true
    }

    private func checkWalkDeadline() throws(KeychainError) {
        if let walkDeadline, SystemCalls.monotonicMilliseconds() > walkDeadline {
            throw KeychainError(.notAvailable, "there was no time to read all items")
        }
    }
}

/// A few items of a walk.
private struct Batch {
    /// An item that can be taken once.
    final class Entry {
        /// Half of the item's random id, which tells items apart as well.
        let key: UInt64
        private var item: MatchedItem?

        init(_ id: ItemID, _ item: consuming MatchedItem) {
            key = id.bytes[..<8].reduce(0) { $0 << 8 | UInt64($1) }
            self.item = consume item
        }

        func take() -> MatchedItem? { item.take() }
    }

    private(set) var items: [Entry] = []
    /// The numbers of the changes whose rows are still to be read. The last row that was read is
    /// among them, so that a damaged index which names it twice shows.
    private(set) var rest: ClosedRange<Int64>
    private var lastRead: Int64?
    /// Whether the last row of the batch before came again.
    private(set) var hasRepeatedRow = false
    /// Whether there is nothing after these items.
    var isLast = false
    /// The number of the keychain's last change when the walk began.
    private(set) var changeAtStart: Int64 = -1
    /// The same when these items were read.
    private(set) var lastChange: Int64 = -1
    /// Most walks end with the first item.
    private var size = 1
    private var bytes = 0

    /// The walk over all rows, or over those that were changed after a change.
    init(changedSince change: Int64 = Int64.min) {
        rest = (change == Int64.min ? change : change + 1)...Int64.max
    }

    /// Makes room for the next items.
    mutating func begin(_ change: Int64) {
        if changeAtStart == -1 {
            changeAtStart = change
        } else {
            size = min(size * 4, 256)
        }
        lastChange = change
        hasRepeatedRow = false
        items = []
        bytes = 0
    }

    /// Whether a row has not been read before; it has been now.
    mutating func isNew(_ row: ItemRow) -> Bool {
        defer {
            lastRead = row.change
            rest = rest.lowerBound...max(rest.lowerBound, row.change)
        }
        guard row.change != lastRead else {
            hasRepeatedRow = true
            return false
        }
        return true
    }

    var isFull: Bool { items.count >= size || bytes >= 1 << 20 }

    mutating func append(_ id: ItemID, _ item: consuming MatchedItem, size: Int) {
        items.append(Entry(id, item))
        bytes += size
    }
}
