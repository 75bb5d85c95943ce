import LanyardTransfer
import KeychainServices
import Testing

@testable import LanyardCommand

@Suite("a copy of a keychain")
struct KeychainCopyTests {
    /// A store in memory that counts its transactions, and what is read outside of any reading together.
    private final class CountingStore: KeychainStore {
        private let store = InMemoryStore(now: { Timestamp(secondsSinceEpoch: 1) })
        private(set) var transactions = 0
        private(set) var singleReads = 0
        private var depth = 0

        func add(
            _ itemClass: ItemClass, _ attributes: ItemAttributes, secret: borrowing Secret,
            context: AuthenticationContext?
        ) throws(KeychainError) -> ItemReference {
            try store.add(itemClass, attributes, secret: secret, context: context)
        }

        func forEachMatch(
            _ query: Query, _ body: (consuming MatchedItem) throws(KeychainError) -> WalkControl
        ) throws(KeychainError) {
            singleReads += depth == 0 && query.limit == 1 ? 1 : 0
            try store.forEachMatch(query, body)
        }

        func update(
            _ query: Query, _ changes: ItemAttributes, secret: borrowing Secret?
        ) throws(KeychainError) -> Int {
            try store.update(query, changes, secret: secret)
        }

        func delete(_ query: Query) throws(KeychainError) -> Int { try store.delete(query) }

        func transaction(_ body: () throws(KeychainError) -> Void) throws(KeychainError) {
            transactions += 1
            depth += 1
            defer { depth -= 1 }
            return try store.transaction(body)
        }

        func readTogether(_ body: () throws(KeychainError) -> Void) throws(KeychainError) {
            depth += 1
            defer { depth -= 1 }
            return try body()
        }
    }

    /// Each transaction waits for the disk, and each separate read opens the file again.
    @Test("many items go into one transaction, and are read together")
    func together() throws {
        let (source, target) = (CountingStore(), CountingStore())
        for number in 0..<600 {
            var attributes = ItemAttributes()
            attributes.service = ByteString("\(number)")
            try Keychain(source, accessGroups: .all()).add(
                .genericPassword, attributes, secret: Secret("s"))
        }
        for isThere in [false, true] {
            let copy = KeychainCopy(
                from: Keychain(source, accessGroups: .all()),
                to: Keychain(target, accessGroups: .all()), staysOnMachine: true, replaces: .none)
            var last = 0
            try copy.run { done, _ in last = done }
            #expect(last == 600)
            #expect(copy.counts.copied == (isThere ? 0 : 600))
            #expect(copy.counts.same == (isThere ? 600 : 0))
            #expect(copy.skipped.isEmpty)
        }
        #expect(source.singleReads == 0)
        #expect(target.transactions < 20, "\(target.transactions) transactions")
        #expect(target.singleReads < 10)
    }
}
