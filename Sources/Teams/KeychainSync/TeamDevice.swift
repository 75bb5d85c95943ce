internal import LanyardCryptography
internal import KeychainServices
internal import LanyardSecrets
internal import SyncEngine

/// The item of a shared keychain with this device's own keys. It stays on this machine, lists omit it, and
/// no other device gets it.
final class TeamDevice: Sendable {
    /// The device's keys and names.
    let identity: DeviceIdentity
    /// The key of the file with the replica.
    let fileKey: Secret
    /// The number of exchanges that changed the keychain or the replica. A smaller one than in the replica's file
    /// shows that the keychain was restored from a backup.
    let exchanges: UInt64

    static let accessGroup: ByteString = "lanyard"
    static let accessible = Accessibility.afterFirstUnlockThisDeviceOnly
    private static let service: ByteString = "lanyard team device"

    private init(_ seed: borrowing Secret, person: String, name: String, exchanges: UInt64)
        throws(KeychainError)
    {
        identity = try DeviceIdentity(person: person, name: name, seed: seed)
        fileKey = KeyDerivation.derive(seed, label: "lanyard team replica")
        self.exchanges = exchanges
    }

    /// Whether an item is the one with a device's keys.
    static func isDevice(_ attributes: ItemAttributes) -> Bool {
        attributes.accessGroup == accessGroup && attributes.service == service
    }

    private static var query: Query {
        var attributes = ItemAttributes()
        attributes.accessGroup = accessGroup
        attributes.service = service
        return Query(.genericPassword, attributes, returns: [.data, .attributes, .reference])
    }

    /// Whether a keychain has such an item, as far as its attributes can be read.
    static func isIn(_ store: any KeychainStore) throws(KeychainError) -> Bool {
        var query = query
        query.returns = [.attributes]
        var isFound = false
        try store.forEachMatch(query) { _ throws(KeychainError) in
            isFound = true
            return .stop
        }
        return isFound
    }

    /// Makes new keys and stores them.
    ///
    /// - Throws: ``Status/duplicateItem`` if the keychain has some; ``Status/param`` for invalid names.
    static func make(
        person: String, name: String, in store: any KeychainStore
    ) throws(KeychainError) -> TeamDevice {
        let seed = try DeviceIdentity.makeSeed()
        let device = try TeamDevice(seed, person: person, name: name, exchanges: 0)
        var attributes = query.attributes
        attributes.account = ByteString(person)
        attributes.label = ByteString(name)
        attributes.isInvisible = true
        attributes.generic = ByteString("0")
        attributes.accessible = accessible
        _ = try store.add(.genericPassword, attributes, secret: seed)
        return device
    }

    /// Reads the keys, and unlocks the keychain if needed.
    ///
    /// - Returns: nil if the keychain has none.
    static func read(from store: any KeychainStore) throws(KeychainError) -> TeamDevice? {
        var device: TeamDevice?
        try store.forEachMatch(query) { item throws(KeychainError) in
            guard let attributes = item.attributes, let seed = item.secret, seed.count == 32,
                let exchanges = attributes.generic.flatMap({ UInt64($0.description) })
            else {
                throw KeychainError(.decode, "the keys of this device in its team are damaged")
            }
            device = try TeamDevice(
                seed, person: attributes.account?.description ?? "",
                name: attributes.label?.description ?? "", exchanges: exchanges)
            return .stop
        }
        return device
    }

    /// Stores the number of these exchanges.
    static func count(_ exchanges: UInt64, in store: any KeychainStore) throws(KeychainError) {
        var changes = ItemAttributes()
        changes.generic = ByteString("\(exchanges)")
        var query = query
        query.returns = []
        _ = try store.update(query, changes, secret: nil)
    }

    /// Deletes the keys.
    static func remove(from store: any KeychainStore) throws(KeychainError) {
        var query = query
        query.returns = []
        _ = try store.delete(query)
    }
}
