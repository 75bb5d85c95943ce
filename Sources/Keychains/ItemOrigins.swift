internal import KeychainServices

/// Which keychain each item that was handed out is in.
struct ItemOrigins {
    /// The last one stands apart: where it is the only one, no dictionary has to be set up.
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
