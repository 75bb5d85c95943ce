import LanyardTransfer
import KeychainServices
import Testing

@Suite("Damaged items") struct DamagedItemTests {
    /// A store in memory in which some items do not authenticate.
    private final class DamagedStore: KeychainStore {
        private let store = InMemoryStore(now: { Timestamp(secondsSinceEpoch: 1) })
        /// What of which items can't be read.
        var damaged: [ItemReference: ReturnOptions] = [:]

        func add(
            _ itemClass: ItemClass, _ attributes: ItemAttributes, secret: borrowing Secret,
            context: AuthenticationContext?
        ) throws(KeychainError) -> ItemReference {
            try store.add(itemClass, attributes, secret: secret, context: context)
        }

        func forEachMatch(
            _ query: Query, _ body: (consuming MatchedItem) throws(KeychainError) -> WalkControl
        ) throws(KeychainError) {
            if let reference = query.reference, let part = damaged[reference],
                !part.isDisjoint(with: query.returns)
            {
                throw KeychainError(.decode)
            }
            try store.forEachMatch(query, body)
        }

        func update(
            _ query: Query, _ changes: ItemAttributes, secret: borrowing Secret?
        ) throws(KeychainError) -> Int {
            try store.update(query, changes, secret: secret)
        }

        func delete(_ query: Query) throws(KeychainError) -> Int { try store.delete(query) }

        func transaction(_ body: () throws(KeychainError) -> Void) throws(KeychainError) {
            try body()
        }
    }

    @Test func areCountedAndTheOthersExported() throws {
        let store = DamagedStore()
        let keychain = Keychain(store, accessGroups: .all())
        for number in 0..<5 {
            var attributes = ItemAttributes()
            attributes.service = ByteString("\(number)")
            attributes.accessGroup = "login"
            attributes.accessible = .whenUnlocked
            let reference = try store.add(
                .genericPassword, attributes, secret: secret([UInt8(number)]))
            switch number {
            case 1: store.damaged[reference] = .attributes
            case 3: store.damaged[reference] = .data
            default: break
            }
        }
        let (text, counts) = try keychain.document()
        #expect(counts.exported == 3)
        #expect(counts.damaged == 2)
        let target = Keychain(
            InMemoryStore(now: { Timestamp(secondsSinceEpoch: 1) }), accessGroups: .all())
        try target.add(document: secret(text))
        #expect(try target.items().map(\.secret) == [[4], [2], [0]])
    }
}
