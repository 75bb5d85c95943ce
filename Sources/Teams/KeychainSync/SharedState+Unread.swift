internal import KeychainServices
internal import LanyardSecrets
internal import SyncEngine

// Reads what is new in the replica, and sets versions aside that can't be read.
extension SharedState {
    /// Whether the team deleted an item.
    func isDeleted(_ record: Identifier) throws(KeychainError) -> Bool {
        guard let item = try replica.item(record) else {
            return true
        }
        return try version(of: item, record)?.isDeletion ?? false
    }

    /// Returns the version of an item that keychains show: the winning one, or an earlier one if that is set aside.
    ///
    /// - Returns: nil if the team does not store an earlier one any more.
    func version(
        of item: SharedItem, _ record: Identifier
    ) throws(KeychainError) -> ItemVersion? {
        guard try replica.rows.value(.unread, record.bytes)?.isEmpty == false else {
            return item.winner
        }
        guard let known = try content(of: record) else {
            return item.versions.first(where: \.isDeletion)
        }
        return item.versions.first { $0.id == known.version }
    }

    /// Returns the records whose winning version is set aside, by the device that made it.
    func setAside() throws(KeychainError) -> [Identifier: [Identifier]] {
        var records: [Identifier: [Identifier]] = [:]
        try replica.rows.forEach(.unread) { key, value throws(KeychainError) in
            if !value.isEmpty {
                records[try Identifier(value), default: []].append(try Identifier(key))
            }
        }
        return records
    }

    /// Brings the rows up to date with what an exchange gave the server that ended before it wrote them. Where the
    /// keychain differs, it was changed since.
    ///
    /// - Parameter counter: The number of this device's last change when it ended.
    /// - Throws: ``Status/decode`` if an item does not authenticate.
    func setRowsOfGiven(
        after counter: UInt64, _ engine: SyncEngine
    ) throws(KeychainError) {
        try replica.rows.forEach(.given) { key, _ throws(KeychainError) in
            let record = try Identifier(key)
            if let version = try engine.newVersion(of: record, after: counter) {
                try setRow(of: version, record, engine)
            }
        }
        try replica.rows.removeAll(.given)
    }

    private func setRow(
        of version: ItemVersion, _ record: Identifier, _ engine: SyncEngine
    ) throws(KeychainError) {
        if let bytes = try engine.content(of: version, of: record) {
            let content = try ItemContent(bytes)
            try set(
                Row(
                    record: record, version: version.id, digest: content.digest(under: key),
                    base: ItemBase(of: version), reference: nil), of: content.identity(under: key))
        } else if let content = try content(of: record),
            try row(of: content.identity)?.record == record
        {
            try set(Row?.none, of: content.identity)
        }
    }

    /// Notes that the keychain may not show the item of an identity as it is.
    private func setUnshown(_ identity: ItemDigest) throws(KeychainError) {
        try replica.rows.set([], .unshown, identity.bytes)
    }

    /// Reads what is new in the replica. A deleted item's content is its last one.
    ///
    /// A version without a right content is set aside: a single member would stop everybody's exchange with one. Its
    /// record stays unread, with the device that made it.
    func update(with engine: SyncEngine) throws(KeychainError) {
        var setAside: [(key: [UInt8], device: Identifier)] = []
        try replica.rows.forEach(.unread) { key, _ throws(KeychainError) in
            let record = try Identifier(key)
            // What the keychain shows was made from the item as it was.
            if let identity = try content(of: record)?.identity {
                try setUnshown(identity)
            }
            guard let item = try replica.item(record) else {
                // What is stored again is another item: the head of a device may be in its record.
                try set(Content?.none, of: record)
                return
            }
            if let device = try update(record, item, engine) {
                setAside.append((key, device))
            }
        }
        try replica.rows.removeAll(.unread)
        for (key, device) in setAside {
            try replica.rows.set(device.bytes, .unread, key)
        }
    }

    /// - Returns: The device that made the winning version, if that is set aside.
    private func update(
        _ record: Identifier, _ item: SharedItem, _ engine: SyncEngine
    ) throws(KeychainError) -> Identifier? {
        let known = try content(of: record)?.version
        var (deletion, device): (ItemVersion.ID?, Identifier?)
        for version in item.versions {
            let id = deletion ?? version.id
            guard known != id else {
                return device
            }
            if version.isDeletion {
                deletion = id
            } else if let content = try readable(version, of: record, engine) {
                let identity = content.identity(under: key)
                try setUnshown(identity)
                try set(
                    Content(
                        version: id, identity: identity, digest: content.digest(under: key)),
                    of: record)
                return device
            } else if deletion == nil {
                device = device ?? version.device
            }
        }
        // Without any content that is known the keychain's item stays.
        if deletion != nil {
            try set(Content?.none, of: record)
        }
        return device
    }

    /// Returns the content of a version, nil for a deletion, and for anything that no Lanyard made, or a later one.
    func readable(
        _ version: ItemVersion, of record: Identifier, _ engine: SyncEngine
    ) throws(KeychainError) -> ItemContent? {
        do throws(KeychainError) {
            guard let bytes = try engine.content(of: version, of: record) else {
                return nil
            }
            return try ItemContent(bytes)
        } catch {
            guard error.status == .decode || error.status == .wrongVersion else {
                throw error
            }
            return nil
        }
    }
}
