internal import KeychainServices
internal import SQLiteFile
internal import LanyardSecrets
internal import SyncEngine

// Finds the changes among the items that were read.
extension KeychainChanges {
    func take(_ item: consuming MatchedItem) throws(KeychainError) {
        readCount += 1
        state.report(.reading, readCount, 0)
        guard let attributes = item.attributes, let reference = item.reference,
            !TeamDevice.isDevice(attributes)
        else {
            return
        }
        let itemClass = item.itemClass
        let isShared = state.isShared(attributes)
        guard isShared, let secret = item.secret
        else {
            let identity = ItemDigest(
                ItemIdentity(itemClass, attributes).bytes.span, under: state.key)
            return try note(reference, identity, nil, stays: !isShared)
        }
        let content = ItemContent(itemClass, attributes, secret: secret)
        let identity = content.identity(under: state.key)
        let digest = content.digest(under: state.key)
        try note(reference, identity, digest, stays: false)
        let row = try state.row(of: identity)
        if digest != row?.digest || reference != row?.reference {
            try differing.insert(identity.bytes)
        }
        if let row {
            if digest != row.digest, !isRestored {
                try noteChange(of: row.record, identity, row.base)
                try noteDeletion(ofOthersThan: row.record, identity)
            }
            return
        }
        let records = try state.records(of: identity)
        for record in records where try !state.isDeleted(record) {
            // Another device made the same item at the same time.
            if try state.content(of: record)?.digest != digest, !isRestored {
                try noteChange(of: record, identity, nil)
            }
            return
        }
        // Stored again: its history goes on.
        let record = if let first = records.first { first } else { try Identifier.random() }
        let known = try state.replica.item(record)
        try noteChange(of: record, identity, known.map { ItemBase(of: $0) }, isNew: true)
        hasNew = true
    }

    /// Notes that the items which the keychain showed, and has no more, were deleted.
    func takeDeletions() throws(KeychainError) {
        if hasReadAll {
            try state.replica.rows.forEach(.shown) { key, _ throws(KeychainError) in
                if try !hasIdentity(key) {
                    try gone.insert(key)
                }
            }
        } else {
            // Of an item that was renamed, too.
            try database.execute(
                """
                INSERT OR IGNORE INTO gone SELECT noted FROM present AS old WHERE noted IS NOT NULL \
                AND NOT EXISTS (SELECT 1 FROM present WHERE identity = old.noted)
                """)
        }
        try gone.forEach { key throws(KeychainError) in
            let identity = try ItemDigest(key)
            try differing.insert(key)
            guard !isRestored, let row = try state.row(of: identity) else {
                return true
            }
            if try !state.isDeleted(row.record),
                try state.content(of: row.record)?.identity == identity
            {
                try noteChange(of: row.record, identity, row.base, isDeletion: true)
            }
            try noteDeletion(ofOthersThan: row.record, identity)
            return true
        }
    }

    /// Notes that the others of an identity, which an item hid, end with it, or with its next change.
    private func noteDeletion(
        ofOthersThan shown: Identifier, _ identity: ItemDigest
    ) throws(KeychainError) {
        for record in try state.records(of: identity) where record != shown {
            if let item = try state.replica.item(record), try !state.isDeleted(record) {
                try noteChange(of: record, identity, ItemBase(of: item), isDeletion: true)
            }
        }
    }

    private func hasIdentity(_ key: [UInt8]) throws(KeychainError) -> Bool {
        let statement = try database.prepare(
            "SELECT 1 FROM present WHERE identity = ?1", keeps: true)
        try statement.bind(key, at: 1)
        return try statement.step()
    }

    func note(
        _ reference: ItemReference, _ identity: ItemDigest, _ digest: ItemDigest?, stays: Bool
    ) throws(KeychainError) {
        let statement = try database.prepare(
            """
            INSERT INTO present(id, reference, identity, digest, stays) VALUES(?1, ?2, ?3, ?4, ?5) \
            ON CONFLICT(id) DO UPDATE SET reference = ?2, identity = ?3, digest = ?4, stays = ?5
            """, keeps: true)
        try statement.bind(reference.id.bytes, at: 1)
        try statement.bind(reference.persistentReference.bytes, at: 2)
        try statement.bind(identity.bytes, at: 3)
        try statement.bind(digest?.bytes, at: 4)
        try statement.bind(stays ? 1 : 0, at: 5)
        _ = try statement.step()
    }

    private func noteChange(
        of record: Identifier, _ identity: ItemDigest, _ base: ItemBase?,
        isDeletion: Bool = false, isNew: Bool = false
    ) throws(KeychainError) {
        let statement = try database.prepare(
            """
            INSERT INTO found(record, identity, is_deletion, base, is_new) VALUES(?1, ?2, ?3, ?4, ?5)
            """, keeps: true)
        try statement.bind(record.bytes, at: 1)
        try statement.bind(identity.bytes, at: 2)
        try statement.bind(isDeletion ? 1 : 0, at: 3)
        try statement.bind(base?.bytes, at: 4)
        try statement.bind(isNew ? 1 : 0, at: 5)
        _ = try statement.step()
        changeCount += 1
    }

    /// Orders the changes as they were made; but among more of them than the server gets at once, those of items that
    /// the team has come first.
    func orderChanges() throws(KeychainError) {
        let order = changeCount > SyncPiece.count ? "is_new, number" : "number"
        try database.execute(
            """
            INSERT INTO change(record, identity, is_deletion, base) \
            SELECT record, identity, is_deletion, base FROM found ORDER BY \(order); DELETE FROM found
            """)
    }
}
