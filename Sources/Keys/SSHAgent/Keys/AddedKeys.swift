internal import KeychainServices

/// The keys that clients added.
struct AddedKeys {
    /// Limits their number.
    static let limit = 256

    private var keys: [AddedKey] = []

    /// The keys in the order in which they were added.
    var identities: [Identity] { keys.map(\.identity) }

    /// Returns the key with this public key.
    subscript(publicKey: ByteString) -> AddedKey? {
        keys.first { $0.identity.publicKey == publicKey }
    }

    /// Adds a key, which replaces one with the same public key and its limits.
    ///
    /// - Throws: ``Status/allocate`` for one too many.
    mutating func add(_ key: AddedKey) throws(KeychainError) {
        if let index = index(of: key.identity.publicKey) {
            keys[index] = key
            return
        }
        guard keys.count < AddedKeys.limit else {
            throw KeychainError(.allocate, "the agent has \(AddedKeys.limit) keys already")
        }
        keys.append(key)
    }

    /// Forgets a key.
    ///
    /// - Returns: Whether it was there.
    mutating func remove(_ publicKey: ByteString) -> Bool {
        guard let index = index(of: publicKey) else {
            return false
        }
        keys.remove(at: index)
        return true
    }

    /// Forgets all keys.
    mutating func removeAll() {
        keys = []
    }

    /// Forgets the keys whose time has passed.
    ///
    /// - Returns: When the next one ends, in seconds since the machine started; nil for never.
    mutating func removeEnded(now: UInt64) -> UInt64? {
        keys.removeAll { $0.end.map { $0 <= now } ?? false }
        return keys.compactMap(\.end).min()
    }

    /// Encrypts all keys.
    func seal(under lockKey: borrowing Secret) throws(KeychainError) {
        for key in keys {
            try key.seal(under: lockKey)
        }
    }

    /// Decrypts all keys.
    func open(under lockKey: borrowing Secret) throws(KeychainError) {
        for key in keys {
            try key.open(under: lockKey)
        }
    }

    private func index(of publicKey: ByteString) -> Int? {
        keys.firstIndex { $0.identity.publicKey == publicKey }
    }
}
