internal import KeychainServices
internal import LinuxSystem

/// A walk over the items that a query means, a few of them in each transaction.
struct ItemWalk {
    private let query: Query
    /// What was read last.
    private(set) var batch = Batch()
    private(set) var tally = WalkTally()
    /// Which secrets are known to be locked; to find that out takes time.
    private var locked: Set<Accessibility> = []

    init(_ query: Query) {
        self.query = query
    }

    /// Goes over what was changed since the walk began.
    mutating func beginAgain() {
        batch = Batch(changedSince: batch.changeAtStart)
    }

    /// Reads the next few items.
    ///
    /// - Parameters:
    ///   - deadline: When it ends, in milliseconds of ``SystemCalls/monotonicMilliseconds()``; nil for never.
    ///   - unlocksUnasked: Whether a secret that is wanted only if it can be read is unlocked nevertheless.
    /// - Returns: Whether it did; not if one of them has to be unlocked first.
    mutating func read(
        _ records: Records, until deadline: Int64?, unlocksUnasked: () -> Bool
    ) throws(KeychainError) -> Bool {
        batch.begin(records.rowSet.change)
        tally.begin(records.rowSet)
        let candidates = try Candidates(query, records.keys)
        var rows = try candidates.select(records.database, changes: batch.rest)
        locked = []
        while !batch.isFull {
            if let deadline, SystemCalls.monotonicMilliseconds() > deadline {
                throw KeychainError(.notAvailable, "there was no time to read all items")
            }
            guard try rows.step() else {
                batch.isLast = true
                break
            }
            do throws(KeychainError) {
                guard try take(rows, records.sealing, unlocksUnasked) else {
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
                try tally.finish(records.rowSet, records.database)
            }
        }
        return true
    }

    /// Reads the row that a walk has come to, and puts its item into a batch if the query means it.
    ///
    /// - Returns: Whether it did; not if the item has to be unlocked first.
    private mutating func take(
        _ rows: borrowing CandidateRows, _ sealing: ItemSealing, _ unlocksUnasked: () -> Bool
    ) throws(KeychainError) -> Bool {
        guard !rows.isOfOtherClass else {
            return true
        }
        var row = try rows.row()
        guard batch.isNew(row) else {
            return true
        }
        let attributes = try sealing.openAttributes(row)
        guard query.matches(row.itemClass, attributes, id: row.id) else {
            return true
        }
        var secret: Secret?
        if query.returns.contains(.data)
            || query.returns.contains(.readableData) && !locked.contains(row.accessible)
        {
            row.secret = rows.secret()
            guard try openSecret(&secret, row, attributes, sealing, unlocksUnasked) else {
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
    private mutating func openSecret(
        _ secret: inout Secret?, _ row: ItemRow, _ attributes: ItemAttributes,
        _ sealing: ItemSealing, _ unlocksUnasked: () -> Bool
    ) throws(KeychainError) -> Bool {
        let isNeeded = query.returns.contains(.data)
        do throws(KeychainError) {
            switch try sealing.classKey(of: row) {
            case .atHand(let key):
                secret = try sealing.openSecret(row, of: attributes, with: key)
            case .locked:
                guard !isNeeded, !unlocksUnasked() else {
                    return false
                }
                locked.insert(row.accessible)
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
}
