internal import KeychainServices
internal import KeychainPlugin
internal import LinuxSystem

/// A keychain in the Secret Service as the programs use it: if the first answer shows that the service is
/// gone, it is not asked again for a minute.
final class SecretServiceKeychain: KeychainStore {
    private let store: PluginStore
    private let memory: ProbeFailureCache?
    private var hasAnswered = false

    init(_ store: PluginStore, _ memory: ProbeFailureCache?) {
        self.store = store
        self.memory = memory
    }

    func add(
        _ itemClass: ItemClass, _ attributes: ItemAttributes, secret: borrowing Secret,
        context: AuthenticationContext?
    ) throws(KeychainError) -> ItemReference {
        try remembering { () throws(KeychainError) in
            try store.add(itemClass, attributes, secret: secret, context: context)
        }
    }

    func forEachMatch(
        _ query: Query, _ body: (consuming MatchedItem) throws(KeychainError) -> WalkControl
    ) throws(KeychainError) {
        try remembering { () throws(KeychainError) in
            try store.forEachMatch(query) { item throws(KeychainError) in
                hasAnswered = true
                return try body(item)
            }
        }
    }

    func update(
        _ query: Query, _ changes: ItemAttributes, secret: borrowing Secret?
    ) throws(KeychainError) -> Int {
        try remembering { () throws(KeychainError) in
            try store.update(query, changes, secret: secret)
        }
    }

    func delete(_ query: Query) throws(KeychainError) -> Int {
        try remembering { () throws(KeychainError) in try store.delete(query) }
    }

    func skippedItems() throws(KeychainError) -> [String] { try store.skippedItems() }

    func transaction(_ body: () throws(KeychainError) -> Void) throws(KeychainError) {
        // Between a lookup and a change another program may add or delete the same item, which the Secret
        // Service can't prevent. A second lookup resolves that.
        for _ in 0..<SecretServiceKeychain.attempts {
            do throws(KeychainError) {
                return try store.transaction(body)
            } catch  where error.status == .duplicateItem || error.status == .itemNotFound {
            }
            SystemCalls.sleep(milliseconds: UInt32.random(in: 1...10))
        }
        return try store.transaction(body)
    }

    private static let attempts = 9

    /// Asks the service, and remembers if it is gone.
    private func remembering<Result>(
        _ body: () throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        let start = SystemCalls.monotonicMilliseconds()
        do throws(KeychainError) {
            let result = try body()
            hasAnswered = true
            return result
        } catch {
            // A plugin that does not answer says nothing about the service.
            if !hasAnswered, !store.isBroken {
                memory?.rememberIfGone(error, since: start)
            }
            throw error
        }
    }
}
