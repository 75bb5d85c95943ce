public import KeychainServices

/// A private or public key of a pair in a keychain, without its private data.
public struct StoredKey: Sendable {
    /// The key's item.
    public let reference: ItemReference
    /// Its attributes.
    public let attributes: ItemAttributes
    /// The public key; nil for a private key whose public key is not in the keychain.
    public let publicKey: PublicKey?

    /// The label, or the beginning of the application label in hexadecimal.
    public var name: String {
        if let label = attributes.label, !label.isEmpty {
            return label.description
        }
        return String(hexadecimal.prefix(16))
    }

    /// The fingerprint that ssh-keygen shows, nil for a key that SSH does not have or that is unknown.
    public var fingerprint: String? {
        publicKey.flatMap { try? SSHPublicKey($0).fingerprint }
    }

    /// The application label, 40 hexadecimal digits for a key with a pair.
    public var hexadecimal: String {
        Hexadecimal.encode(attributes.applicationLabel?.bytes ?? [])
    }

    /// Whether a user means this key: by its label, its application tag, its fingerprint, or at least eight digits
    /// of its application label.
    public func isMeant(by name: String) -> Bool {
        attributes.label?.description == name || attributes.applicationTag?.description == name
            || fingerprint == name
            || name.utf8.count >= 8 && hexadecimal.hasPrefix(name.lowercased())
    }
}

extension Keychain {
    /// Returns the private keys, or the public keys that have no private one, most recently added first.
    ///
    /// - Parameter keyClass: Either ``KeyClass/private`` or ``KeyClass/public``.
    /// - Throws: What the keychain throws. Nothing has to be unlocked.
    public func storedKeys(
        _ keyClass: KeyClass, group: ByteString? = nil
    ) throws(KeychainError) -> [StoredKey] {
        let publicKeys = try publicKeys(group)
        guard keyClass == .private else {
            let pairs = try privateKeys(group).map(\.attributes.applicationLabel)
            return publicKeys.filter { !pairs.contains($0.attributes.applicationLabel) }
        }
        return try privateKeys(group).map { key in
            let publicKey = publicKeys.first {
                $0.attributes.applicationLabel == key.attributes.applicationLabel
            }
            return StoredKey(
                reference: key.reference, attributes: key.attributes,
                publicKey: publicKey?.publicKey)
        }
    }

    private func privateKeys(
        _ group: ByteString?
    ) throws(KeychainError) -> [(reference: ItemReference, attributes: ItemAttributes)] {
        var keys: [(reference: ItemReference, attributes: ItemAttributes)] = []
        let query = Query(keysOf: .private, group, returns: [.attributes, .reference])
        try forEachMatch(query) { item throws(KeychainError) in
            keys.append((item.reference!, item.attributes!))
            return .next
        }
        return keys
    }

    private func publicKeys(_ group: ByteString?) throws(KeychainError) -> [StoredKey] {
        var keys: [StoredKey] = []
        let query = Query(keysOf: .public, group, returns: [.attributes, .reference, .data])
        try forEachMatch(query) { item throws(KeychainError) in
            // Programs store anything as a public key.
            let attributes = item.attributes!
            if let type = attributes.keyType.flatMap({ AsymmetricKeyType(rawValue: $0.rawValue) }) {
                switch item.secret {
                case .some(let data):
                    let key = data.withBytes {
                        try? PublicKey(externalRepresentation: $0, type: type)
                    }
                    if let key {
                        keys.append(
                            StoredKey(
                                reference: item.reference!, attributes: attributes, publicKey: key))
                    }
                case .none: break
                }
            }
            return .next
        }
        return keys
    }
}

extension Query {
    fileprivate init(keysOf keyClass: KeyClass, _ group: ByteString?, returns: ReturnOptions) {
        self.init(.key, returns: returns)
        attributes.keyClass = keyClass
        attributes.accessGroup = group
        synchronizable = .any
        match.limit = .all
    }
}
