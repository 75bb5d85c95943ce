internal import KeychainServices
internal import Secrets
internal import SyncEngine

/// The items of a shared keychain at an exchange: what was changed here since the last one, and what the
/// keychain has to show afterwards.
final class KeychainItems {
    private struct Item {
        let reference: ItemReference
        let digest: ItemDigest
    }

    private let store: any KeychainStore
    private let key: Secret
    /// The items that are exchanged, by identity.
    private var present: [ItemDigest: Item] = [:]
    /// The identities of items that stay here, or can't be read without asking.
    private var own: Set<ItemDigest> = []
    private var added: [LocalChange] = []
    private var changed: [LocalChange] = []

    /// Reads the items.
    ///
    /// - Parameters:
    ///   - key: The key of digests.
    ///   - isRestored: Whether the keychain was restored from a backup: its older items are no changes.
    /// - Throws: What the store throws.
    init(
        _ store: any KeychainStore, _ state: SharedState, key: borrowing Secret, isRestored: Bool
    ) throws(KeychainError) {
        self.store = store
        self.key = key.copy()
        var records: [ItemDigest: Identifier] = [:]
        for (record, content) in state.contents
        where records[content.identity] == nil || !state.isDeleted(record) {
            records[content.identity] = record
        }
        try store.readTogether { () throws(KeychainError) in
            (present, own, added, changed) = ([:], [], [], [])
            for itemClass in ItemClass.stored {
                var query = Query(
                    itemClass, returns: [.attributes, .readableData, .reference, .unlogged])
                query.synchronizable = .any
                try store.forEachMatch(query) { item throws(KeychainError) in
                    try take(item, state, records, isRestored: isRestored)
                    return .next
                }
            }
        }
    }

    private func take(
        _ item: consuming MatchedItem, _ state: SharedState, _ records: [ItemDigest: Identifier],
        isRestored: Bool
    ) throws(KeychainError) {
        guard let attributes = item.attributes, let reference = item.reference,
            !TeamDevice.isDevice(attributes)
        else {
            return
        }
        let itemClass = item.itemClass
        guard state.isShared(attributes), let secret = item.secret
        else {
            own.insert(
                ItemDigest(ItemIdentity(itemClass, attributes).bytes.span, under: key))
            return
        }
        let content = ItemContent(itemClass, attributes, secret: secret)
        let identity = content.identity(under: key)
        let digest = content.digest(under: key)
        present[identity] = Item(reference: reference, digest: digest)
        if let row = state.rows[identity] {
            if digest != row.digest, !isRestored {
                changed.append(LocalChange(row.record, content.bytes, base: row.base))
            }
        } else if let record = records[identity], state.isDeleted(record) {
            // Stored again: its history goes on.
            let base = state.replica.items[record].map { ItemBase(of: $0) }
            added.append(LocalChange(record, content.bytes, base: base))
        } else if let record = records[identity] {
            // Another device made the same item at the same time.
            if state.contents[record]?.digest != digest, !isRestored {
                changed.append(LocalChange(record, content.bytes, base: nil))
            }
        } else {
            added.append(try LocalChange(adding: content.bytes))
        }
    }

    /// Whether the keychain has items that the replica lacks.
    var hasNew: Bool { !added.isEmpty }

    /// Returns what was changed here since the last exchange, and keeps no secret of it.
    func takeChanges(_ state: SharedState, isRestored: Bool) -> [LocalChange] {
        defer { (added, changed) = ([], []) }
        guard !isRestored else {
            return added
        }
        var changes = added + changed
        let deleted = state.rows.filter {
            present[$0.key] == nil && !own.contains($0.key)
        }
        let changedRecords = Set(changed.map(\.record))
        // The others of the same identity, which it hid, end with it, or with its next change.
        for (record, content) in state.contents where !state.isDeleted(record) {
            guard let row = state.rows[content.identity], let item = state.replica.items[record],
                deleted[content.identity] != nil
                    || row.record != record && changedRecords.contains(row.record)
            else {
                continue
            }
            let base = row.record == record ? row.base : ItemBase(of: item)
            changes.append(LocalChange(record, nil, base: base))
        }
        return changes
    }

    // MARK: Showing the team's items

    /// Stores in the keychain what the replica has.
    ///
    /// - Parameter hasSent: Whether changes of this device went into the replica: an older keychain, from a
    ///   backup, has to be recognized then, too.
    /// - Parameter isReader: Whether the team does not get changes of this device. They stay as they are until the
    ///   team has something newer.
    /// - Throws: What the store throws; then nothing is stored.
    func show(
        _ state: inout SharedState, _ engine: SyncEngine, hasSent: Bool, isReader: Bool
    ) throws(KeychainError) {
        let shown = shown(state)
        var rows = state.rows
        var hasChanged = false
        try store.transaction { () throws(KeychainError) in
            rows = state.rows
            hasChanged = hasSent
            for (identity, record) in shown where !own.contains(identity) {
                guard let content = state.contents[record],
                    let item = state.replica.items[record]
                else {
                    continue
                }
                if isReader, present[identity]?.digest != content.digest,
                    rows[identity].map({ $0.version == content.version })
                        ?? (present[identity] != nil)
                {
                    continue
                }
                var digest = content.digest
                if present[identity]?.digest != content.digest,
                    rows[identity]?.version != content.version
                        || present[identity]?.digest != rows[identity]?.digest
                {
                    guard try isUnchanged(identity),
                        let bytes = try engine.content(of: item.winner, of: record)
                    else {
                        continue
                    }
                    digest = try write(try ItemContent(bytes), identity)
                    hasChanged = true
                } else if let here = present[identity] {
                    digest = here.digest
                }
                let row = SharedState.Row(
                    record: record, version: content.version, digest: digest,
                    base: ItemBase(of: item))
                // Mostly nothing changed: then there is no copy of the rows.
                if rows[identity] != row {
                    rows[identity] = row
                }
            }
            for identity in rows.keys where shown[identity] == nil {
                if let item = present[identity], try isUnchanged(identity) {
                    _ = try store.delete(Query(item.reference))
                    hasChanged = true
                }
                rows[identity] = nil
            }
            if hasChanged {
                try TeamDevice.count(state.exchanges + 1, in: store)
            }
        }
        state.rows = rows
        state.exchanges += hasChanged ? 1 : 0
    }

    /// For each identity the record that the keychain shows: the latest of those that have it.
    private func shown(_ state: SharedState) -> [ItemDigest: Identifier] {
        var shown: [ItemDigest: Identifier] = [:]
        for (record, content) in state.contents where !state.isDeleted(record) {
            guard let winner = state.replica.items[record]?.winner else {
                continue
            }
            if let other = shown[content.identity].flatMap({ state.replica.items[$0]?.winner }),
                ItemVersion.isEarlier(winner, other)
            {
                continue
            }
            shown[content.identity] = record
        }
        return shown
    }

    /// Whether no program changed an item since it was read.
    private func isUnchanged(_ identity: ItemDigest) throws(KeychainError) -> Bool {
        guard let item = present[identity] else {
            return true
        }
        return try digest(of: item.reference) == item.digest
    }

    private func digest(of reference: ItemReference) throws(KeychainError) -> ItemDigest? {
        var digest: ItemDigest?
        let query = Query(reference, returns: [.attributes, .readableData, .unlogged])
        try store.forEachMatch(query) { item throws(KeychainError) in
            if let attributes = item.attributes {
                let itemClass = item.itemClass
                if let secret = item.secret {
                    digest = ItemContent(itemClass, attributes, secret: secret)
                        .digest(under: key)
                }
            }
            return .stop
        }
        return digest
    }

    /// Whether a content has every attribute that an item has.
    private func hasAllAttributes(
        _ content: borrowing ItemContent, of reference: ItemReference
    ) throws(KeychainError) -> Bool {
        let names =
            content.attributes.entries.map(\.attribute) + [.modificationDate, .creationDate]
        var isAll = true
        try store.forEachMatch(Query(reference, returns: .attributes)) {
            item throws(KeychainError) in
            isAll = item.attributes?.entries.allSatisfy { names.contains($0.attribute) } ?? true
            return .stop
        }
        return isAll
    }

    /// Stores an item, instead of the present one with its identity.
    func write(_ content: borrowing ItemContent) throws(KeychainError) {
        _ = try write(content, content.identity(under: key))
    }

    /// Stores an item instead of the present one.
    ///
    /// - Returns: The digest that it then has.
    private func write(
        _ content: borrowing ItemContent, _ identity: ItemDigest
    ) throws(KeychainError) -> ItemDigest {
        let reference: ItemReference
        if let item = present[identity], try hasAllAttributes(content, of: item.reference) {
            // So references to it stay valid.
            let changes = content.attributes.filter { $0.attribute != .creationDate }
            _ = try store.update(Query(item.reference), changes, secret: content.secret.copy())
            reference = item.reference
        } else {
            if let item = present[identity] {
                _ = try store.delete(Query(item.reference))
            }
            reference = try store.add(
                content.itemClass, content.attributes, secret: content.secret)
        }
        return try digest(of: reference) ?? content.digest(under: key)
    }
}

extension SharedState {
    /// Whether an item with these attributes is exchanged.
    func isShared(_ attributes: ItemAttributes) -> Bool {
        ItemContent.travels(attributes) && !TeamDevice.isDevice(attributes)
            && (!isForSynchronizable || attributes.synchronizable == true)
    }

    /// Whether the team deleted an item.
    func isDeleted(_ record: Identifier) -> Bool {
        replica.items[record]?.winner.isDeletion ?? true
    }

    /// Brings the rows up to date with what an exchange gave the server that ended before it wrote them. Where the
    /// keychain differs, it was changed since.
    ///
    /// - Parameter earlier: The replica when it ended.
    /// - Throws: ``Status/decode`` if an item does not authenticate.
    mutating func setRowsOfGiven(
        since earlier: Replica, _ engine: SyncEngine, key: borrowing Secret
    ) throws(KeychainError) {
        for record in given {
            guard let version = engine.newVersion(of: record, since: earlier) else {
                continue
            }
            if let bytes = try engine.content(of: version, of: record) {
                let content = try ItemContent(bytes)
                rows[content.identity(under: key)] = Row(
                    record: record, version: version.number, digest: content.digest(under: key),
                    base: ItemBase(of: version))
            } else if let content = contents[record], rows[content.identity]?.record == record {
                rows[content.identity] = nil
            }
        }
        given = []
    }

    /// Reads what is new in the replica. A deleted item's content is its last one.
    ///
    /// - Throws: ``Status/decode`` for an item that no Lanyard made; ``Status/wrongVersion`` for one of a later
    ///   form.
    mutating func update(
        with engine: SyncEngine, key: borrowing Secret
    ) throws(KeychainError) {
        for (record, item) in engine.replica.items {
            let version = item.winner.number
            guard contents[record]?.version != version else {
                continue
            }
            guard let last = item.versions.first(where: { !$0.isDeletion }),
                let bytes = try engine.content(of: last, of: record)
            else {
                contents[record] = nil
                continue
            }
            let content = try ItemContent(bytes)
            contents[record] = Content(
                version: version, identity: content.identity(under: key),
                digest: content.digest(under: key))
        }
    }
}
