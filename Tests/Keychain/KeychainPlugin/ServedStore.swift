import Foundation
import KeychainServices
import LinuxSystem

@testable import KeychainPlugin

/// A keychain in memory that can be locked, and notes what is asked of it.
final class ServedStore: ServedKeychain {
    private let items: InMemoryStore
    var isLocked = false
    /// What the user does when asked to unlock it.
    var personUnlocks: () throws(KeychainError) -> Void = {}
    private(set) var call: PluginCall?
    /// The names of what walks leave out.
    var skippedNames: [String] = []
    /// Called for each item that is handed out.
    var didHandOut: () -> Void = {}
    /// Thrown by a walk instead of the item with this position, counted from 0.
    var damagedItem: Int?
    /// The classes whose items it stores.
    var classes = ItemClass.stored

    init(now: @escaping () -> Timestamp = { Timestamp(secondsSinceEpoch: Int64(time(nil))) }) {
        items = InMemoryStore(now: now)
    }

    func begin(_ call: PluginCall) {
        self.call = call
    }

    func status() throws(KeychainError) -> PluginStatus {
        PluginStatus(isLocked: isLocked, canPrompt: true, place: "memory", outlastsReboot: false)
    }

    func skippedItems() throws(KeychainError) -> [String] { skippedNames }

    func unlock() throws(KeychainError) {
        guard isLocked else {
            return
        }
        guard let call, call.isPromptAllowed else {
            throw KeychainError(.interactionNotAllowed)
        }
        call.promptBegins()
        try personUnlocks()
        isLocked = false
    }

    func lock() throws(KeychainError) {
        isLocked = true
    }

    private func check(_ itemClass: ItemClass?) throws(KeychainError) {
        if let itemClass, !classes.contains(itemClass) {
            throw KeychainError(.noSuchClass)
        }
    }

    func add(
        _ itemClass: ItemClass, _ attributes: ItemAttributes, secret: borrowing Secret,
        context: AuthenticationContext?
    ) throws(KeychainError) -> ItemReference {
        try check(itemClass)
        return try items.add(itemClass, attributes, secret: secret, context: context)
    }

    func forEachMatch(
        _ query: Query, _ body: (consuming MatchedItem) throws(KeychainError) -> WalkControl
    ) throws(KeychainError) {
        try check(query.itemClass)
        if query.returns.contains(.data) {
            try unlock()
        }
        var position = 0
        try items.forEachMatch(query) { item throws(KeychainError) in
            if position == damagedItem {
                throw KeychainError(.decode, "the item is damaged", hint: "a hint")
            }
            position += 1
            didHandOut()
            return try body(item)
        }
    }

    func update(
        _ query: Query, _ changes: ItemAttributes, secret: borrowing Secret?
    ) throws(KeychainError) -> Int {
        try check(query.itemClass)
        return try items.update(query, changes, secret: secret)
    }

    func delete(_ query: Query) throws(KeychainError) -> Int {
        try check(query.itemClass)
        return try items.delete(query)
    }

    func transaction(_ body: () throws(KeychainError) -> Void) throws(KeychainError) {
        try items.transaction(body)
    }
}

/// Serves keychains to one socket in a thread of its own.
///
/// - Parameter open: Runs in that thread.
/// - Returns: The other end.
func serve(
    transactions: Bool = true,
    _ open:
        @escaping @Sendable (
            String, [(name: String, value: String)]
        ) throws(KeychainError) -> ServedStore = { _, _ in ServedStore() }
) throws -> Descriptor {
    let sockets = try SocketPair()
    let theirs = dup(sockets.theirs.number)
    Thread.detachNewThread {
        let server = PluginServer(
            kind: "test", input: theirs, output: theirs, transactions: transactions, open: open)
        server.run()
        close(theirs)
    }
    return sockets.keepingOurs()
}

/// A store over a served socket.
func store(
    _ socket: consuming Descriptor, settings: [(name: String, value: String)] = [],
    timeLimit: Int64 = 60_000, isPromptAllowed: Bool = false
) -> PluginStore {
    let number = dup(socket.number)
    return PluginStore(
        words: "the plugin 'test' of the keychain 'work'", keychain: "work", settings: settings,
        timeLimit: timeLimit, isPromptAllowed: isPromptAllowed
    ) { () throws(KeychainError) in
        PluginConnection(ChildProcess(connected: Descriptor(owning: number)))
    }
}
