internal import KeychainServices

/// Records which keychain each returned item is in.
struct ItemOrigins {
    /// The last one has its own field: a single item then needs no dictionary.
    private var last: (id: ItemID, keychain: ListedKeychain)?
    private var earlier: [ItemID: ListedKeychain] = [:]

    subscript(id: ItemID) -> ListedKeychain? {
        if let last, last.id == id {
            return last.keychain
        }
        return earlier.isEmpty ? nil : earlier[id]
    }

    mutating func add(_ id: ItemID, of keychain: ListedKeychain) {
        if let last, last.id != id {
            earlier[last.id] = last.keychain
        }
        last = (id, keychain)
    }

    func contains(_ keychain: ListedKeychain) -> Bool {
        last?.keychain === keychain || earlier.values.contains { $0 === keychain }
    }
}
