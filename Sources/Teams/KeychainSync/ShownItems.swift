internal import KeychainServices
internal import LanyardSecrets
internal import SyncEngine

/// The items that a shared keychain has to show after an exchange: those of the team.
struct ShownItems {
    private let keychain: KeychainChanges
    private let store: any KeychainStore
    private let state: SharedState

    /// - Parameter keychain: The keychain's items before.
    init(in keychain: KeychainChanges) {
        self.keychain = keychain
        (store, state) = (keychain.store, keychain.state)
    }

    /// Stores in the keychain what the replica has. Call it in a transaction of both.
    ///
    /// - Parameter isReader: Whether the team does not get changes of this device. They stay as they are until the
    ///   team has something newer.
    /// - Returns: Whether the keychain was changed.
    /// - Throws: What the store throws.
    func show(_ engine: SyncEngine, isReader: Bool) throws(KeychainError) -> Bool {
        var hasChanged = false
        // In the keychain or in the replica, all others are as they were after the last exchange.
        try state.replica.rows.forEach(.unshown) { key, _ throws(KeychainError) in
            try keychain.differing.insert(key)
        }
        try keychain.forEachDiffering { identity throws(KeychainError) in
            try latest(of: state.records(of: identity))?.version
        } _: { identity throws(KeychainError) in
            if try show(identity, engine, isReader: isReader) {
                hasChanged = true
            }
        }
        return hasChanged
    }

    /// - Returns: Whether the keychain was changed.
    private func show(
        _ identity: ItemDigest, _ engine: SyncEngine, isReader: Bool
    ) throws(KeychainError) -> Bool {
        let records = try state.records(of: identity)
        guard let shown = try latest(of: records) else {
            guard try !keychain.isWaiting(identity) else {
                return false
            }
            try state.replica.rows.remove(.unshown, identity.bytes)
            // Of what is set aside, the team may store nothing else any more.
            for record in records where try !state.isDeleted(record) {
                return false
            }
            return try remove(identity)
        }
        return try show(shown, identity, engine, isReader: isReader)
    }

    private typealias ShownItem = (record: Identifier, item: SharedItem, version: ItemVersion)

    /// Returns the record that the keychain shows of those with an identity: the latest one.
    private func latest(
        of records: [Identifier]
    ) throws(KeychainError) -> ShownItem? {
        var latest: ShownItem?
        for record in records {
            guard let item = try state.replica.item(record),
                let version = try state.version(of: item, record), !version.isDeletion,
                latest.map({ ItemVersion.isEarlier($0.version, version) }) ?? true
            else {
                continue
            }
            latest = (record, item, version)
        }
        return latest
    }

    /// - Returns: Whether the keychain was changed.
    private func show(
        _ shown: ShownItem, _ identity: ItemDigest, _ engine: SyncEngine, isReader: Bool
    ) throws(KeychainError) -> Bool {
        guard try !keychain.isOwn(identity), try !keychain.isWaiting(identity),
            let content = try state.content(of: shown.record)
        else {
            return false
        }
        let present = try keychain.item(identity)
        let row = try state.row(of: identity)
        if isReader, present?.digest != content.digest,
            row.map({ $0.version == content.version }) ?? (present != nil)
        {
            return false
        }
        var stored = present
        var hasChanged = false
        if present?.digest != content.digest,
            row?.version != content.version || present?.digest != row?.digest
        {
            guard try isUnchanged(present),
                let bytes = try engine.content(of: shown.version, of: shown.record)
            else {
                return false
            }
            let content = try ItemContent(bytes)
            guard state.isShared(content.attributes) else {
                // The keychain would keep it for ever as an item of its own.
                try state.replica.rows.remove(.unshown, identity.bytes)
                return false
            }
            do throws(KeychainError) {
                stored = try write(content, identity, present)
            } catch {
                // An item that stays here, or that a program has just added: the next exchange compares both.
                guard error.status == .duplicateItem else {
                    throw error
                }
                return false
            }
            hasChanged = true
        }
        let new = SharedState.Row(
            record: shown.record, version: content.version,
            digest: stored?.digest ?? content.digest, base: ItemBase(of: shown.item),
            reference: stored?.reference)
        if row != new {
            try state.set(new, of: identity)
        }
        try state.replica.rows.remove(.unshown, identity.bytes)
        return hasChanged
    }

    /// Removes an item that the team does not have any more, unless a program changed it.
    ///
    /// - Returns: Whether the keychain was changed.
    private func remove(_ identity: ItemDigest) throws(KeychainError) -> Bool {
        guard try state.row(of: identity) != nil else {
            return false
        }
        let item = try keychain.item(identity)
        try state.set(SharedState.Row?.none, of: identity)
        guard let item, try isUnchanged(item) else {
            return false
        }
        _ = try store.delete(Query(item.reference))
        return true
    }

    /// Whether no program changed an item since it was read.
    private func isUnchanged(_ item: KeychainChanges.Item?) throws(KeychainError) -> Bool {
        guard let item else {
            return true
        }
        return try digest(of: item.reference) == item.digest
    }

    private func digest(of reference: ItemReference) throws(KeychainError) -> ItemDigest? {
        guard let content = try keychain.content(of: reference) else {
            return nil
        }
        return content.digest(under: state.key)
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
        let identity = content.identity(under: state.key)
        _ = try write(content, identity, keychain.item(identity))
    }

    /// Stores an item instead of the present one.
    ///
    /// - Returns: The item, with the digest that it then has.
    private func write(
        _ content: borrowing ItemContent, _ identity: ItemDigest, _ present: KeychainChanges.Item?
    ) throws(KeychainError) -> KeychainChanges.Item {
        let reference: ItemReference
        if let present, try hasAllAttributes(content, of: present.reference) {
            // So references to it stay valid.
            let changes = content.attributes.filter { $0.attribute != .creationDate }
            _ = try store.update(
                Query(present.reference), changes, secret: content.secret.copy())
            reference = present.reference
        } else {
            if let present {
                _ = try store.delete(Query(present.reference))
            }
            reference = try store.add(
                content.itemClass, content.attributes, secret: content.secret)
        }
        let stored = KeychainChanges.Item(
            reference: reference,
            digest: try digest(of: reference) ?? content.digest(under: state.key))
        try keychain.noteStored(stored, identity)
        return stored
    }
}
