internal import KeychainServices

extension SealedStore {
    /// What a change of the keybag needs of the items.
    struct KeybagChange {
        let keybag: Keybag
        let before: UnlockedKeys
        let after: UnlockedKeys
        let sourceKeys: SourceKeys

        /// What becomes of a secret.
        enum Fate {
            case stays
            case isResealed
            case isDeleted
        }

        /// Whether the secrets under a class key could be read until now.
        func isReadableBefore(_ id: ClassKeyID) throws(KeychainError) -> Bool {
            guard let wrapped = before.keybag.classKeys.first(where: { $0.id == id }) else {
                return false
            }
            return try before.find(wrapped) != nil
        }

        /// What becomes of the secrets under a class key.
        func fate(of id: ClassKeyID) throws(KeychainError) -> Fate {
            if keybag.classKeys.contains(where: { $0.id == id }) {
                return .stays
            }
            guard let wrapped = before.keybag.classKeys.first(where: { $0.id == id }) else {
                // Damaged: to be found as such, and not to get lost.
                return .isResealed
            }
            guard keybag.classKey(id.keyClass) != nil, try before.find(wrapped) != nil else {
                return .isDeleted
            }
            return .isResealed
        }
    }

    /// Makes the changed keybag out of the present one.
    ///
    /// - Returns: nil if nothing changes.
    func prepare(
        _ state: OpenState, _ edit: (inout KeybagDraft) throws(KeychainError) -> Void
    ) throws(KeychainError) -> KeybagChange? {
        var draft = try KeybagDraft(state.keys, sourceKeys)
        try edit(&draft)
        try draft.complete()
        guard let keybag = try draft.finish() else {
            return nil
        }
        let after = try UnlockedKeys(
            file: location.file, encodedKeybag: keybag.encoded, sourceKeys: draft.sourceKeys,
            machineKey: machineKey)
        return KeybagChange(
            keybag: keybag, before: state.keys, after: after, sourceKeys: draft.sourceKeys)
    }

    /// Changes the keybag and the secrets with it, all in one transaction.
    ///
    /// - Parameters:
    ///   - deletable: How many items may be deleted that could not be read any more.
    ///   - progress: Told how many of how many secrets are sealed anew.
    func changeKeybag(
        deletable: Int = 0, progress: (Int, Int) -> Void = { _, _ in },
        _ edit: (inout KeybagDraft) throws(KeychainError) -> Void
    ) throws(KeychainError) {
        // So that no generation is kept after a later one.
        let turn = try UnlockLock(.work, at: location)
        let state = try beginWriting()
        do throws(KeychainError) {
            guard let change = try prepare(state, edit) else {
                return file.end()
            }
            openRowSet = state.rowSet
            defer { openRowSet = nil }
            guard try itemsToDelete(change) <= deletable else {
                throw KeychainError(
                    .param, "items were stored meanwhile that this would delete",
                    hint: "try again")
            }
            try reseal(change, progress)
            try write(change)
            try anchor.prepare(
                for: change.keybag, after: change.before.keybag, change: state.rowSet.change)
            try file.commit()
            sourceKeys = change.sourceKeys
            keys = nil
            // The change is made, whatever becomes of this.
            try? anchor.advance(to: change.keybag, change: state.rowSet.change)
            _ = consume turn
        } catch {
            file.end()
            throw error
        }
    }

    /// How many items nobody could read any more after a change.
    ///
    /// - Parameter condition: Which of the class keys count.
    func itemsToDelete(
        _ change: KeybagChange,
        where condition: (ClassKeyID) throws(KeychainError) -> Bool = { _ in true }
    ) throws(KeychainError) -> Int {
        var count = 0
        for (id, items) in try itemsByClassKey() where try change.fate(of: id) == .isDeleted {
            count += try condition(id) ? items : 0
        }
        return count
    }

    /// How many items there are under each class key.
    func itemsByClassKey() throws(KeychainError) -> [ClassKeyID: Int] {
        let statement = try file.database.prepare(
            "SELECT accessible, secret_generation, count(*) FROM item GROUP BY 1, 2")
        var items: [ClassKeyID: Int] = [:]
        while try statement.step() {
            guard let number = statement.number(0).flatMap(UInt8.init(exactly:)),
                let generation = statement.number(1).flatMap(UInt32.init(exactly:)),
                let count = statement.number(2)
            else {
                throw FormatVersion.notAKeychain
            }
            let id = ClassKeyID(keyClass: try KeyClass(number: number), generation: generation)
            items[id] = Int(count)
        }
        return items
    }

    private func reseal(
        _ change: KeybagChange, _ progress: (Int, Int) -> Void
    ) throws(KeychainError) {
        var total = 0
        for (id, items) in try itemsByClassKey() where try change.fate(of: id) != .stays {
            total += items
        }
        guard total > 0 else {
            return
        }
        var done = 0
        var last = Int64.min
        while done < total, let row = try nextRow(after: last) {
            last = row.change
            let id = ClassKeyID(
                keyClass: .secrets(row.accessible), generation: row.secretGeneration)
            switch try change.fate(of: id) {
            case .stays:
                continue
            case .isDeleted:
                try delete(row, change.before)
            case .isResealed:
                try reseal(row, change)
            }
            done += 1
            progress(done, total)
        }
    }

    private func nextRow(after last: Int64) throws(KeychainError) -> ItemRow? {
        let statement = try file.database.prepare(
            "SELECT \(ItemRow.columns) FROM item WHERE change > ?1 ORDER BY change LIMIT 1")
        try statement.bind(last, at: 1)
        guard try statement.step() else {
            return nil
        }
        var row = try ItemRow(statement)
        row.secret = statement.blob(ItemRow.secretColumn)
        return row
    }

    private func reseal(_ row: ItemRow, _ change: KeybagChange) throws(KeychainError) {
        let before = ItemSealing(change.before)
        let attributes = try before.openAttributes(row)
        let secret = try before.openSecret(row, of: attributes)
        var new = row
        try ItemSealing(change.after).seal(attributes, secret, into: &new)
        let statement = try file.database.prepare(
            "UPDATE item SET secret_generation = ?1, attributes = ?2, secret = ?3 WHERE change = ?4"
        )
        try statement.bind(Int64(new.secretGeneration), at: 1)
        try statement.bind(new.attributes, at: 2)
        try statement.bind(new.secret, at: 3)
        try statement.bind(row.change, at: 4)
        try statement.changeOneRow()
        openRowSet?.remove(row, change.before)
        openRowSet?.insert(new, change.after)
    }

    private func write(_ change: KeybagChange) throws(KeychainError) {
        guard let rowSet = openRowSet else {
            throw FormatVersion.notAKeychain
        }
        try file.write(rowSet: rowSet.seal(change.after), keybag: change.keybag.encoded)
    }
}
