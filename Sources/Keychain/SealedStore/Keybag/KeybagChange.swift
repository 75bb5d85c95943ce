internal import KeychainServices

/// A change of the keybag and its effects on the items.
struct KeybagChange {
    let keybag: Keybag
    let after: UnlockedKeys
    let sourceKeys: SourceKeys
    private let records: Records
    /// The rows that lose the key of ``ProtectionClass/presence``, with the class keys of their secrets.
    private let losingPresence: [Int64: ClassKeyID]

    /// The effect on a secret.
    private enum Fate {
        case stays
        case isResealed
        case isDeleted
    }

    /// Creates the changed keybag from the present one; nil if nothing changes.
    init?(
        of records: Records, _ sourceKeys: SourceKeys, _ location: KeychainLocation,
        _ edit: (inout KeybagDraft) throws(KeychainError) -> Void
    ) throws(KeychainError) {
        var draft = try KeybagDraft(records.keys, sourceKeys)
        try edit(&draft)
        try draft.complete()
        guard let keybag = try draft.finish() else {
            return nil
        }
        self.records = records
        self.keybag = keybag
        losingPresence =
            records.keys.keybag.classKey(.presence) != nil && keybag.classKey(.presence) == nil
            ? try records.rowsWithPresence() : [:]
        self.sourceKeys = draft.sourceKeys
        after = try UnlockedKeys(
            file: location.file, encodedKeybag: keybag.encoded, sourceKeys: draft.sourceKeys)
    }

    /// The number of items that ask at each use and lose the key for that.
    var itemsThatAsk: Int { losingPresence.count }

    /// Returns the number of items that would become unreadable everywhere.
    ///
    /// - Parameter readable: Whether to count only those that can be read now.
    func itemsToDelete(readable: Bool = false) throws(KeychainError) -> Int {
        var count = 0
        for (id, items) in try records.countByClassKey() where try fate(of: id) == .isDeleted {
            if readable, try !isReadable(id) {
                continue
            }
            count += items
        }
        return try count
            + losingPresence.values.count { id throws(KeychainError) in
                try fate(of: id) != .isDeleted
            }
    }

    /// Returns the attributes of the first items that would become unreadable everywhere and can be
    /// read now.
    func firstItemsToDelete(atMost limit: Int) throws(KeychainError) -> [ItemAttributes] {
        var items: [ItemAttributes] = []
        var last = Int64.min
        while items.count < limit, let row = try records.row(after: last) {
            last = row.change
            if losingPresence[last] == nil {
                guard try fate(of: row.secretKeyID) == .isDeleted, try isReadable(row.secretKeyID)
                else {
                    continue
                }
            }
            items.append(try records.sealing.openAttributes(row))
        }
        return items
    }

    /// Encrypts again the secrets whose class keys are replaced, and deletes those that would
    /// become unreadable everywhere.
    ///
    /// - Parameter progress: Called with the number of secrets done and the number of all.
    func reseal(_ progress: (Int, Int) -> Void) throws(KeychainError) {
        var total = 0
        for (id, items) in try records.countByClassKey() where try fate(of: id) != .stays {
            total += items
        }
        total += try losingPresence.values.count { id throws(KeychainError) in
            try fate(of: id) == .stays
        }
        var done = 0
        var last = Int64.min
        while done < total, let row = try records.row(after: last) {
            last = row.change
            switch try losingPresence[last] == nil ? fate(of: row.secretKeyID) : .isDeleted {
            case .stays:
                continue
            case .isDeleted:
                try records.delete(row)
            case .isResealed:
                try records.reseal(row, under: after)
            }
            done += 1
            progress(done, total)
        }
    }

    /// Returns whether the secrets under a class key can be read now.
    private func isReadable(_ id: ClassKeyID) throws(KeychainError) -> Bool {
        guard let wrapped = records.keys.keybag.classKeys.first(where: { $0.id == id }) else {
            return false
        }
        return try records.keys.find(wrapped) != nil
    }

    private func fate(of id: ClassKeyID) throws(KeychainError) -> Fate {
        if keybag.classKeys.contains(where: { $0.id == id }) {
            return .stays
        }
        guard records.keys.keybag.classKeys.contains(where: { $0.id == id }) else {
            // Damaged: resealing it reports the damage instead of losing the item.
            return .isResealed
        }
        guard keybag.classKey(id.keyClass) != nil, try isReadable(id) else {
            return .isDeleted
        }
        return .isResealed
    }
}
