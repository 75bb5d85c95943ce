internal import KeychainServices
internal import LinuxSystem

/// A walk over the items that match a query, a few of them in each transaction.
struct ItemWalk {
    private let query: Query
    private let logsUses: Bool
    /// The items read last.
    private(set) var batch: Batch
    private(set) var tally = WalkTally()
    /// The accessibilities whose secrets are known to be locked, because finding out takes time.
    private var locked: Set<Accessibility> = []
    /// The numbers of the rows still to be read, each on its own, because the file is damaged; nil if it is not.
    private var rowNumbers: RowNumbers?

    /// How many times it began again: items that were read before may then come once more.
    private(set) var restarts = 0

    init(_ query: Query, logsUses: Bool = false) {
        self.query = query
        self.logsUses = logsUses && !query.returns.contains(.unlogged)
        batch = Batch(
            query.match.order ?? .newestFirst, readsSeveral: query.returns.contains(.untilEnd))
    }

    /// Starts again with the items changed since the walk began.
    mutating func beginAgain() {
        restarts += 1
        rowNumbers = nil
        batch = Batch(
            query.match.order ?? .newestFirst, changedSince: batch.changeAtStart)
    }

    /// Reads the next few items.
    ///
    /// - Parameters:
    ///   - deadline: The time at which it ends, in milliseconds of
    ///     ``SystemCalls/monotonicMilliseconds()``; nil for never.
    ///   - unlocksUnasked: Whether to unlock even a secret that is wanted only if it is readable.
    /// - Throws: ``Status/interactionNotAllowed`` if one of them must be unlocked first.
    mutating func read(
        _ records: Records, until deadline: Int64?, unlocksUnasked: () -> Bool
    ) throws(KeychainError) {
        batch.begin(records.rowSet.change)
        tally.begin(records.rowSet)
        locked = []
        let candidates = try Candidates(query, records.keys)
        if rowNumbers == nil {
            do throws(KeychainError) {
                return try readInOrder(candidates, records, until: deadline, unlocksUnasked)
            } catch {
                // In a search by attributes the item behind the damage could be the one to answer with.
                guard candidates.isWhole || !query.ids.isEmpty,
                    [.invalidKeychain, .dataTooLarge].contains(error.status)
                else {
                    throw error
                }
                try beginOneByOne(records)
            }
        }
        return try readOneByOne(candidates, records, until: deadline, unlocksUnasked)
    }

    private mutating func readInOrder(
        _ candidates: Candidates, _ records: Records, until deadline: Int64?,
        _ unlocksUnasked: () -> Bool
    ) throws(KeychainError) {
        var rows = try candidates.select(records.database, changes: batch.rest)
        while !batch.isFull {
            try ItemWalk.check(deadline)
            guard try rows.step() else {
                batch.isLast = true
                break
            }
            try takeOrNote(rows, candidates, records, unlocksUnasked)
        }
        if candidates.isWhole {
            tally.add(rows: rows.count - (batch.hasRepeatedRow ? 1 : 0))
            if batch.isLast {
                try tally.finish(records.rowSet, records.database)
            }
        }
    }

    /// Begins again: an index or a page of the table that can't be read must not hide rows elsewhere.
    private mutating func beginOneByOne(_ records: Records) throws(KeychainError) {
        restarts += 1
        rowNumbers = try RowNumbers(records.database)
        tally = WalkTally()
        tally.begin(records.rowSet)
        batch = Batch(query.match.order ?? .newestFirst)
        batch.begin(records.rowSet.change)
    }

    private mutating func readOneByOne(
        _ candidates: Candidates, _ records: Records, until deadline: Int64?,
        _ unlocksUnasked: () -> Bool
    ) throws(KeychainError) {
        while !batch.isFull {
            try ItemWalk.check(deadline)
            guard let number = rowNumbers?.next(query.match.order ?? .newestFirst) else {
                batch.isLast = true
                break
            }
            var rows = try candidates.select(
                records.database, changes: number...number, usesIndexes: false)
            do throws(KeychainError) {
                guard try rows.step() else {
                    continue
                }
            } catch {
                guard RowWalk.isDamage(error) else {
                    throw error
                }
                tally.note(error)
                continue
            }
            tally.add(rows: 1)
            try takeOrNote(rows, candidates, records, unlocksUnasked)
        }
        if candidates.isWhole, batch.isLast {
            try tally.finish(records.rowSet, records.database)
        }
    }

    private static func check(_ deadline: Int64?) throws(KeychainError) {
        if let deadline, SystemCalls.monotonicMilliseconds() > deadline {
            throw KeychainError(.notAvailable, "ran out of time reading all items")
        }
    }

    /// Reads the walk's current row. In a walk over all, one damaged item must not hide the others.
    private mutating func takeOrNote(
        _ rows: borrowing CandidateRows, _ candidates: Candidates, _ records: Records,
        _ unlocksUnasked: () -> Bool
    ) throws(KeychainError) {
        do throws(KeychainError) {
            try take(rows, records.sealing, unlocksUnasked)
        } catch {
            guard candidates.isWhole, RowWalk.isDamage(error) else {
                throw error
            }
            tally.note(error)
        }
    }

    /// Reads the walk's current row, and adds its item to a batch if it matches the query.
    private mutating func take(
        _ rows: borrowing CandidateRows, _ sealing: ItemSealing, _ unlocksUnasked: () -> Bool
    ) throws(KeychainError) {
        guard !rows.isOfOtherClass else {
            return
        }
        var row = try rows.row()
        guard batch.isNew(row) else {
            return
        }
        let attributes = try sealing.openAttributes(row)
        guard query.matches(row.itemClass, attributes, id: row.id) else {
            return
        }
        var secret: Secret?
        if query.returns.contains(.data)
            || query.returns.contains(.readableData) && !locked.contains(row.accessible)
        {
            row.secret = rows.secret()
            do throws(KeychainError) {
                secret = try openSecret(row, attributes, sealing, unlocksUnasked)
            } catch {
                // Only after asking the user could it be read.
                guard error.status == .interactionNotAllowed,
                    query.match.authenticationUI == .skip, !unlocksUnasked()
                else {
                    throw error
                }
                return sealing.conditions.begin()
            }
        }
        let use =
            logsUses && secret != nil
            ? ItemUse(.read, row.itemClass, attributes, query.context) : nil
        batch.append(
            row.id, MatchedItem(row.reference, attributes, secret: secret, returns: query.returns),
            size: row.attributes.count + row.secret.count, use: use)
    }

    /// - Returns: Nil for a secret that can't be read and is not needed.
    private mutating func openSecret(
        _ row: ItemRow, _ attributes: ItemAttributes, _ sealing: ItemSealing,
        _ unlocksUnasked: () -> Bool
    ) throws(KeychainError) -> Secret? {
        let conditions = sealing.conditions
        let isNeeded = query.returns.contains(.data)
        if isNeeded {
            try conditions.checkTrust(by: attributes, row.reference)
            try conditions.check(for: attributes, row.itemClass)
        } else if !conditions.isTrusted(by: attributes, row.reference) {
            return nil
        }
        do throws(KeychainError) {
            guard try conditions.areEnough(for: attributes) else {
                return nil
            }
            switch try sealing.classKey(of: row) {
            case .atHand(let key):
                return try sealing.openSecret(row, of: attributes, with: key)
            case .locked:
                guard !isNeeded, !unlocksUnasked() else {
                    throw conditions.lacksUnlocking()
                }
                locked.insert(row.accessible)
            case .elsewhere(let error):
                if isNeeded {
                    throw error
                }
            }
        } catch {
            // Reporting damage is the task of `verify`.
            guard !isNeeded, error.status == .decode else {
                throw error
            }
        }
        return nil
    }
}
