internal import KeychainServices
internal import LanyardSecrets
internal import SyncEngine

// What is known of each item, in the replica and in the keychain.
extension SharedState {
    /// What an item of the replica contains, or did before it was deleted; it saves decrypting it again.
    struct Content: Equatable {
        /// The version.
        let version: ItemVersion.ID
        /// The digest of what makes the item unique in a keychain.
        let identity: ItemDigest
        /// The digest of its content.
        let digest: ItemDigest
    }

    /// An item of the keychain.
    struct Row: Equatable {
        /// The record that it shows.
        let record: Identifier
        /// The version that it shows.
        let version: ItemVersion.ID
        /// The digest of the content that the keychain had after the last exchange.
        let digest: ItemDigest
        /// The state of the item in the replica then.
        let base: ItemBase
        /// The item; nil if the exchange ended before it noted that.
        let reference: ItemReference?
    }

    /// Returns the content of an item, nil if it is not known.
    func content(of record: Identifier) throws(KeychainError) -> Content? {
        try replica.rows.value(.content, record.bytes).map { value throws(KeychainError) in
            try Content(value)
        }
    }

    /// Sets the content of an item; nil removes it.
    func set(_ content: Content?, of record: Identifier) throws(KeychainError) {
        let known = try self.content(of: record)?.identity
        if let known, known != content?.identity {
            try replica.rows.remove(.named, known.bytes + record.bytes)
        }
        guard let content else {
            return try replica.rows.remove(.content, record.bytes)
        }
        try replica.rows.set(content.bytes, .content, record.bytes)
        if known != content.identity {
            try replica.rows.set([], .named, content.identity.bytes + record.bytes)
        }
    }

    /// Returns the records of the items with an identity.
    func records(of identity: ItemDigest) throws(KeychainError) -> [Identifier] {
        try replica.rows.keys(.named, beginning: identity.bytes).map { key throws(KeychainError) in
            try SharedState.name(key).record
        }
    }

    /// Calls a function with each identity, and the records of its items.
    func forEachIdentity(
        _ body: (ItemDigest, [Identifier]) throws(KeychainError) -> Void
    ) throws(KeychainError) {
        var present: ItemDigest?
        var records: [Identifier] = []
        try replica.rows.forEach(.named) { key, _ throws(KeychainError) in
            let (identity, record) = try SharedState.name(key)
            if let last = present, last != identity {
                try body(last, records)
                records = []
            }
            present = identity
            records.append(record)
        }
        if let present {
            try body(present, records)
        }
    }

    private static func name(
        _ key: [UInt8]
    ) throws(KeychainError) -> (identity: ItemDigest, record: Identifier) {
        var reader = ByteReader(key)
        let name = (try ItemDigest(reading: &reader), try Identifier(reading: &reader))
        try reader.end()
        return name
    }

    // MARK: Rows

    /// Returns the keychain's item with an identity, nil if it had none after the last exchange.
    func row(of identity: ItemDigest) throws(KeychainError) -> Row? {
        try replica.rows.value(.shown, identity.bytes).map { value throws(KeychainError) in
            try Row(value)
        }
    }

    /// Sets the keychain's item with an identity; nil removes it.
    func set(_ row: Row?, of identity: ItemDigest) throws(KeychainError) {
        if let row {
            try replica.rows.set(row.bytes, .shown, identity.bytes)
        } else {
            try replica.rows.remove(.shown, identity.bytes)
        }
    }
}

// MARK: The stored form

extension SharedState.Content {
    var bytes: [UInt8] {
        var writer = ByteWriter()
        version.append(to: &writer)
        identity.append(to: &writer)
        digest.append(to: &writer)
        return writer.bytes
    }

    /// - Throws: ``Status/decode`` for anything that ``bytes`` does not make.
    init(_ bytes: [UInt8]) throws(KeychainError) {
        var reader = ByteReader(bytes)
        version = try ItemVersion.ID(reading: &reader)
        identity = try ItemDigest(reading: &reader)
        digest = try ItemDigest(reading: &reader)
        try reader.end()
    }
}

extension SharedState.Row {
    var bytes: [UInt8] {
        var writer = ByteWriter()
        writer.raw(record.bytes)
        version.append(to: &writer)
        digest.append(to: &writer)
        base.append(to: &writer)
        writer.counted(reference?.persistentReference.bytes ?? [])
        return writer.bytes
    }

    /// - Throws: ``Status/decode`` for anything that ``bytes`` does not make.
    init(_ bytes: [UInt8]) throws(KeychainError) {
        var reader = ByteReader(bytes)
        record = try Identifier(reading: &reader)
        version = try ItemVersion.ID(reading: &reader)
        digest = try ItemDigest(reading: &reader)
        base = try ItemBase(reading: &reader)
        reference = PersistentReference(try reader.counted())?.reference
        try reader.end()
    }
}
