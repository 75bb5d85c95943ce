internal import KeychainServices
internal import SQLiteFile

/// A check of all rows of a keychain, in one unchanging state.
struct Inspection {
    private let state: Records
    private let sealing: ItemSealing
    private(set) var verification = Verification()
    /// The sum over the sound rows.
    private(set) var soundSet = RowSet()
    /// The highest row number.
    private var newest: Int64 = 0

    init(_ state: Records) {
        self.state = state
        sealing = state.sealing
    }

    /// Checks all rows of a file.
    ///
    /// - Parameters:
    ///   - isStructureDamaged: Whether the file's parts don't fit together.
    ///   - progress: Called with the number of rows done and the number of all rows.
    mutating func walk(
        _ database: Database, isStructureDamaged: Bool, progress: (Int, Int) -> Void
    ) throws(KeychainError) {
        var walk = try RowWalk(database)
        while try take(try walk.next()) {
            progress(verification.items, Int(clamping: state.rowSet.count))
        }
        verification.isStructureDamaged = isStructureDamaged || walk.rest != nil
        compare()
        if verification.rowSet == .surplus(1), verification.damaged.isEmpty {
            try findPutBack(database)
        }
    }

    /// - Returns: Whether there may be another row.
    private mutating func take(_ step: consuming RowWalk.Step) throws(KeychainError) -> Bool {
        switch step {
        case .end:
            return false
        case .unreadable(let number, let error):
            note(number, error.status == .dataTooLarge ? .tooLarge : .row)
        case .row(let row):
            newest = max(newest, row.change)
            try check(row)
        }
        verification.items += 1
        return true
    }

    private mutating func note(
        _ number: Int64, _ damage: Verification.DamagedItem.Damage, _ itemClass: ItemClass? = nil,
        _ attributes: ItemAttributes? = nil
    ) {
        verification.damaged.append(
            Verification.DamagedItem(
                row: number, damage: damage, itemClass: itemClass, attributes: attributes))
    }

    private mutating func check(_ row: ItemRow) throws(KeychainError) {
        let attributes: ItemAttributes
        do throws(KeychainError) {
            attributes = try sealing.openAttributes(row)
        } catch  where error.status == .decode {
            return note(row.change, .attributes)
        }
        do throws(KeychainError) {
            switch try sealing.classKey(of: row) {
            case .atHand(let key):
                _ = try sealing.openContent(row, of: attributes, with: key)
            case .locked:
                verification.lockedSecrets += 1
            case .elsewhere:
                guard row.accessible.isThisDeviceOnly else {
                    return note(row.change, .secret, row.itemClass, attributes)
                }
                // Bound to another machine; its row still counts in the sum.
                verification.foreignSecrets += 1
            }
        } catch  where error.status == .decode {
            return note(row.change, .secret, row.itemClass, attributes)
        }
        soundSet.insert(row, state.keys)
    }

    private mutating func compare() {
        let stored = state.rowSet
        soundSet.change = max(stored.change, newest)
        let difference = verification.items - Int(clamping: stored.count)
        if difference != 0 {
            verification.rowSet = difference > 0 ? .surplus(difference) : .missing(-difference)
        } else if newest > stored.change {
            verification.rowSet = .exchanged
        } else if !verification.damaged.isEmpty {
            verification.rowSet = .unknown
        } else {
            verification.rowSet = soundSet == stored ? .complete : .exchanged
        }
    }

    /// Finds the single surplus row, if there is exactly one, by its share of the sum.
    private mutating func findPutBack(_ database: Database) throws(KeychainError) {
        var walk = try RowWalk(database)
        while case .row(let row) = try walk.next() {
            var others = soundSet
            others.remove(row, state.keys)
            others.change = state.rowSet.change
            if others == state.rowSet {
                soundSet = others
                soundSet.change = max(state.rowSet.change, newest)
                return note(row.change, .putBack, row.itemClass, try sealing.openAttributes(row))
            }
        }
    }
}
