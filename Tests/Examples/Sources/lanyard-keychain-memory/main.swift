import Glibc
import KeychainPlugin
import KeychainServices

/// Stores items in memory, for as long as one helper runs.
final class MemoryKeychain: ServedKeychain {
    private let items = InMemoryStore(now: { Timestamp(secondsSinceEpoch: Int64(time(nil))) })

    func begin(_ call: PluginCall) {}

    func status() throws(KeychainError) -> PluginStatus {
        PluginStatus(isLocked: false, canPrompt: false, place: "memory", outlastsReboot: false)
    }

    func unlock() throws(KeychainError) {}

    func lock() throws(KeychainError) {
        throw KeychainError(.unimplemented, "a keychain in memory can't be locked")
    }

    func add(
        _ itemClass: ItemClass, _ attributes: ItemAttributes, secret: borrowing Secret,
        context: AuthenticationContext?
    ) throws(KeychainError) -> ItemReference {
        try items.add(itemClass, attributes, secret: secret, context: context)
    }

    func forEachMatch(
        _ query: Query, _ body: (consuming MatchedItem) throws(KeychainError) -> WalkControl
    ) throws(KeychainError) {
        try items.forEachMatch(query, body)
    }

    func update(
        _ query: Query, _ changes: ItemAttributes, secret: borrowing Secret?
    ) throws(KeychainError) -> Int {
        try items.update(query, changes, secret: secret)
    }

    func delete(_ query: Query) throws(KeychainError) -> Int {
        try items.delete(query)
    }

    func transaction(_ body: () throws(KeychainError) -> Void) throws(KeychainError) {
        try items.transaction(body)
    }
}

servePlugin(kind: "memory") { keychain, settings in
    MemoryKeychain()
}
