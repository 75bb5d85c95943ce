#if SecretService
import Keychain
import SecretServiceRig
import Testing

@testable import SecretServiceStore

@Suite("what a killed program left unfinished is swept away")
struct SweepingTests {
    private static let minute: Int64 = 60_000_000_000

    /// Makes what a program leaves behind that is killed between the two steps.
    private func leave(_ store: SecretServiceStore, changed: ByteString?) throws -> String {
        try store.perform { link throws(KeychainError) in
            var attributes: [ByteString: ByteString] = [SchemaName.key: SchemaName.unfinished]
            attributes[ItemDates.changedKey] = changed
            let secret = try store.encrypt(KeptSecret(Secret("left")), link)
            let answer = try link.wait(
                try link.send(
                    "CreateItem",
                    .tuple(
                        .properties(label: "left", attributes: attributes), secret, .flag(false)),
                    answer: "(oo)"))
            return answer.child(0).text.description
        }
    }

    /// The paths of all items.
    private func paths(_ store: SecretServiceStore) throws -> Set<String> {
        try store.perform { link throws(KeychainError) in
            Set(try link.collectionProperty("Items").pathList)
        }
    }

    @Test func whenAnItemIsAdded() throws {
        let service = try PrivateSecretService()
        let store = service.makeStore()
        let now = store.nextMoment()
        let old = Set(
            try [0, now - 2 * SweepingTests.minute, now - SweepingTests.minute - 1].map {
                try leave(store, changed: ByteString(String($0)))
            })
        // Somebody is at work on these, or nobody knows.
        let young = Set(
            try [now - SweepingTests.minute / 2, now, now + 9 * SweepingTests.minute].map {
                try leave(store, changed: ByteString(String($0)))
            } + [try leave(store, changed: nil), try leave(store, changed: "x")])
        #expect(old.count == 3 && young.count == 5)
        let keychain = Keychain(store)
        #expect(try keychain.found(ItemAttributes()).isEmpty)
        #expect(try paths(store) == old.union(young))
        try keychain.add(.internetPassword, .git("example.com"), secret: Secret("s"))
        let left = try paths(store)
        #expect(left.isDisjoint(with: old))
        #expect(left.isSuperset(of: young))
        #expect(left.count == young.count + 1)
        #expect(try keychain.found(.git("example.com")).map(\.secret) == ["s"])
    }

    @Test func inATransactionThatFails() throws {
        let service = try PrivateSecretService()
        let store = service.makeStore()
        _ = try leave(store, changed: "0")
        expectFailure(.userCanceled) {
            try store.transaction { () throws(KeychainError) in
                _ = try Keychain(store).add(
                    .internetPassword, .git("example.com"), secret: Secret("s"))
                throw KeychainError(.userCanceled)
            }
        }
        #expect(try paths(store).isEmpty)
    }
}
#endif
