internal import KeychainServices
internal import SQLiteFile
internal import LanyardSecrets
internal import SyncEngine

// The changes with their contents, and the items that the keychain shows.
extension KeychainChanges {
    // MARK: What was changed here

    /// Returns what was changed here since the last exchange.
    ///
    /// - Parameter index: Below ``changeCount``.
    /// - Returns: nil if the item is not there any more, not readable or has another name: the next exchange finds that.
    func change(_ index: Int) throws(KeychainError) -> LocalChange? {
        if index < piece.start || index >= piece.start + piece.changes.count {
            piece = (index, [])
            // One by one, each would open the keychain.
            try store.readTogether { () throws(KeychainError) in
                piece.changes = []
                var size = 0
                while index + piece.changes.count < changeCount,
                    piece.changes.count < SyncPiece.count, size < SyncPiece.size
                {
                    let change = try read(index + piece.changes.count)
                    size += change?.size ?? 0
                    piece.changes.append(change)
                }
            }
        }
        return piece.changes[index - piece.start]
    }

    /// Releases the changes' contents.
    func releaseContents() {
        piece = (0, [])
    }

    private func read(_ index: Int) throws(KeychainError) -> LocalChange? {
        let statement = try database.prepare(
            "SELECT record, identity, base, is_deletion FROM change WHERE number = ?1", keeps: true)
        try statement.bind(Int64(index + 1), at: 1)
        guard try statement.step() else {
            return nil
        }
        let record = try Identifier(statement.blob(0))
        let base = try statement.optionalBlob(2).map { bytes throws(KeychainError) in
            try ItemBase(bytes)
        }
        guard statement.number(3) == 0 else {
            return LocalChange(record, nil, base: base)
        }
        let identity = try ItemDigest(statement.blob(1))
        guard let item = try item(identity), let content = try content(of: item.reference),
            content.identity(under: state.key) == identity
        else {
            return nil
        }
        return LocalChange(
            record, content.bytes, base: base, isFromBefore: isFirst && base == nil)
    }

    /// Notes the records of the changes as those that an exchange is about to give the server.
    func noteGiven() throws(KeychainError) {
        let statement = try database.prepare("SELECT record FROM change")
        while try statement.step() {
            try state.replica.rows.set([], .given, statement.blob(0))
        }
    }

    /// Whether the exchange ended before a change of an item with an identity became part of the replica.
    func isWaiting(_ identity: ItemDigest) throws(KeychainError) -> Bool {
        guard doneCount < changeCount else {
            return false
        }
        let statement = try database.prepare(
            "SELECT 1 FROM change WHERE identity = ?1 AND number > ?2", keeps: true)
        try statement.bind(identity.bytes, at: 1)
        try statement.bind(Int64(doneCount), at: 2)
        return try statement.step()
    }

    // MARK: The items

    /// Returns an item that is exchanged, nil if the keychain has none with the identity.
    func item(_ identity: ItemDigest) throws(KeychainError) -> Item? {
        let statement = try database.prepare(
            "SELECT reference, digest FROM present WHERE identity = ?1", keeps: true)
        try statement.bind(identity.bytes, at: 1)
        if try statement.step() {
            guard let digest = statement.optionalBlob(1),
                let reference = PersistentReference(statement.blob(0))?.reference
            else {
                return nil
            }
            return Item(reference: reference, digest: try ItemDigest(digest))
        }
        guard !hasReadAll, try !gone.contains(identity.bytes),
            let row = try state.row(of: identity), let reference = row.reference
        else {
            return nil
        }
        return Item(reference: reference, digest: row.digest)
    }

    /// Whether an item was read that stays here, or can't be read without asking.
    func isOwn(_ identity: ItemDigest) throws(KeychainError) -> Bool {
        let statement = try database.prepare(
            "SELECT 1 FROM present WHERE identity = ?1 AND digest IS NULL", keeps: true)
        try statement.bind(identity.bytes, at: 1)
        return try statement.step()
    }

    func content(
        of reference: ItemReference
    ) throws(KeychainError) -> ItemContent? {
        var content: ItemContent?
        let query = Query(reference, returns: [.attributes, .readableData, .unlogged])
        try store.forEachMatch(query) { item throws(KeychainError) in
            if let attributes = item.attributes, state.isShared(attributes) {
                let itemClass = item.itemClass
                if let secret = item.secret {
                    content = ItemContent(itemClass, attributes, secret: secret)
                }
            }
            return .stop
        }
        return content
    }
}
