internal import KeychainServices
internal import SQLiteFile

/// A transaction's view of a keychain: its keys, its items, and the sum over their rows.
final class Records {
    let keys: UnlockedKeys
    private(set) var sealing: ItemSealing
    /// The sum over the present rows.
    var rowSet: RowSet
    /// The record of what was last seen of the keychain; nil if that does not matter.
    let seen: AnchorContent?
    let database: Database
    /// The uses of items to log when the transaction is complete; nil if none are logged.
    var uses: ItemUses?

    init(
        _ database: Database, _ keys: UnlockedKeys, _ rowSet: RowSet, seen: AnchorContent?
    ) {
        self.database = database
        self.keys = keys
        self.rowSet = rowSet
        self.seen = seen
        sealing = ItemSealing(keys, ConditionKeys())
    }

    /// The keys for secrets with an access control.
    var conditions: ConditionKeys {
        get { sealing.conditions }
        set { sealing = ItemSealing(keys, newValue) }
    }

    /// Adds an item.
    func add(
        _ reference: ItemReference, _ attributes: ItemAttributes, _ secret: borrowing Secret
    ) throws(KeychainError) {
        var row = ItemRow(reference, change: try nextChange())
        try sealing.seal(attributes, secret, into: &row)
        try insert(row)
        uses?.add(ItemUse(.stored, reference.itemClass, attributes, conditions.context))
    }

    /// Changes the items that match a query.
    ///
    /// - Returns: Their number.
    func update(
        _ query: Query, _ changes: ItemAttributes, _ secret: borrowing Secret?, now: Timestamp
    ) throws(KeychainError) -> Int {
        let matched = try matches(query)
        let action: LoggedUse.Action
        switch secret {
        case .some: action = .stored
        case .none: action = .changed
        }
        // The oldest first, which preserves the order among the items.
        for change in matched.reversed() {
            let old = try wholeRow(change)
            var new = old
            new.change = try nextChange()
            try reseal(&new, old, changes, secret, now: now)
            try delete(old)
            try insert(new)
            try note(action, new)
        }
        return matched.count
    }

    /// Adds a program to those that an item trusts.
    func addTrust(
        in program: TrustedApplication, of item: ItemReference, now: Timestamp
    ) throws(KeychainError) {
        for change in try matches(Query(item)) {
            let attributes = try sealing.openAttributes(try wholeRow(change))
            let changes = ItemAttributes {
                $0.trustedApplications = (attributes.trustedApplications ?? []) + [program]
            }
            _ = try update(Query(item), changes, nil, now: now)
        }
    }

    /// Deletes the items that match a query.
    ///
    /// - Returns: Their number.
    func delete(_ query: Query) throws(KeychainError) -> Int {
        let matched = try matches(query)
        for change in matched {
            let row = try wholeRow(change)
            try delete(row)
            try note(.deleted, row)
        }
        return matched.count
    }

    private func note(
        _ action: LoggedUse.Action, _ row: ItemRow
    ) throws(KeychainError) {
        if uses != nil {
            let attributes = try sealing.openAttributes(row)
            uses?.add(ItemUse(action, row.itemClass, attributes, conditions.context))
        }
    }

    func delete(_ row: ItemRow) throws(KeychainError) {
        try deleteRow(row.change)
        rowSet.remove(row, keys)
    }

    /// Deletes a row that may be damaged, without updating the sum.
    func deleteRow(_ change: Int64) throws(KeychainError) {
        let statement = try database.prepare("DELETE FROM item WHERE change = ?1")
        try statement.bind(change, at: 1)
        try statement.changeOneRow()
    }

    /// Returns the first row written by a change after this one, with its secret; nil if there is
    /// none.
    func row(after change: Int64) throws(KeychainError) -> ItemRow? {
        try wholeRow("change > ?1 ORDER BY change LIMIT 1", change)
    }

    /// Encrypts the secret of a row again under other keys of the keychain.
    func reseal(_ row: ItemRow, under after: UnlockedKeys) throws(KeychainError) {
        let attributes = try sealing.openAttributes(row)
        let content = try sealing.renewPresence(
            sealing.openContent(row, of: attributes, with: sealing.key(sealing.classKey(of: row))),
            of: attributes, in: row, from: keys.find(.presence), to: after.find(.presence))
        var new = row
        try ItemSealing(after, conditions).sealContent(content, of: attributes, into: &new)
        let statement = try database.prepare(
            "UPDATE item SET secret_generation = ?1, attributes = ?2, secret = ?3 WHERE change = ?4"
        )
        try statement.bind(Int64(new.secretGeneration), at: 1)
        try statement.bind(new.attributes, at: 2)
        try statement.bind(new.secret, at: 3)
        try statement.bind(row.change, at: 4)
        try statement.changeOneRow()
        rowSet.remove(row, keys)
        rowSet.insert(new, after)
    }

    /// Returns the number of items under each class key.
    func countByClassKey() throws(KeychainError) -> [ClassKeyID: Int] {
        let statement = try database.prepare(
            "SELECT accessible, secret_generation, count(*) FROM item GROUP BY 1, 2")
        var items: [ClassKeyID: Int] = [:]
        while try statement.step() {
            guard let number = statement.number(0).flatMap(UInt8.init(exactly:)),
                let generation = statement.number(1).flatMap(UInt32.init(exactly:)),
                let count = statement.number(2)
            else {
                throw FormatVersion.notAKeychain
            }
            let id = ClassKeyID(
                keyClass: try ProtectionClass(number: number), generation: generation)
            items[id] = Int(count)
        }
        return items
    }

    /// Returns the changes that wrote the rows whose secrets take the passphrase at each use, with
    /// the class keys of these secrets.
    func rowsWithPresence() throws(KeychainError) -> [Int64: ClassKeyID] {
        var rows: [Int64: ClassKeyID] = [:]
        var last = Int64.min
        while let row = try row(after: last) {
            last = row.change
            if try sealing.openAttributes(row).requirements.passphrase {
                rows[row.change] = row.secretKeyID
            }
        }
        return rows
    }

    /// Returns whether an item takes the passphrase itself, instead of which no touch will do.
    func hasPasscodeItems() throws(KeychainError) -> Bool {
        var last = Int64.min
        while let row = try row(after: last) {
            last = row.change
            if try sealing.openAttributes(row).requirements.passcode {
                return true
            }
        }
        return false
    }

    private func reseal(
        _ new: inout ItemRow, _ old: ItemRow, _ changes: ItemAttributes,
        _ newSecret: borrowing Secret?, now: Timestamp
    ) throws(KeychainError) {
        let before = try sealing.openAttributes(old)
        var after = before.merging(changes)
        try after.checkStorable()
        after.modificationDate = now
        switch newSecret {
        case .some(let secret):
            try sealing.seal(after, secret, into: &new)
        case .none:
            // The secret is bound to identity, accessibility and access control.
            let identity = ItemIdentity(new.itemClass, after)
            if identity == ItemIdentity(old.itemClass, before),
                after.accessible ?? .whenUnlocked == old.accessible,
                try after.requirements == before.requirements
            {
                try sealing.sealAttributes(after, identity, into: &new)
            } else {
                // First, because the passphrase that this may take unlocks the old secret, too.
                try sealing.checkConditions(of: after, new.itemClass)
                let secret = try sealing.openSecret(old, of: before)
                try sealing.seal(after, secret, into: &new)
            }
        }
    }

    /// Returns the numbers of the changes that wrote the rows that match a query.
    private func matches(_ query: Query) throws(KeychainError) -> [Int64] {
        var candidates = try Candidates(query, keys).select(database)
        var changes: [Int64] = []
        while let row = try candidates.next() {
            if query.matches(row.itemClass, try sealing.openAttributes(row), id: row.id) {
                changes.append(row.change)
            }
        }
        return changes
    }

    private func wholeRow(_ change: Int64) throws(KeychainError) -> ItemRow {
        guard let row = try wholeRow("change = ?1", change) else {
            throw FormatVersion.notAKeychain
        }
        return row
    }

    private func wholeRow(
        _ condition: String, _ change: Int64
    ) throws(KeychainError) -> ItemRow? {
        let statement = try database.prepare(
            "SELECT \(ItemRow.columns) FROM item WHERE \(condition)")
        try statement.bind(change, at: 1)
        return try statement.step() ? ItemRow(whole: statement) : nil
    }

    private func nextChange() throws(KeychainError) -> Int64 {
        guard rowSet.change < Int64.max else {
            throw FormatVersion.notAKeychain
        }
        rowSet.change += 1
        return rowSet.change
    }

    private func insert(_ row: ItemRow) throws(KeychainError) {
        let statement = try database.prepare(ItemRow.insertion, keeps: true)
        try row.bind(to: statement)
        try statement.changeOneRow()
        rowSet.insert(row, keys)
    }
}
