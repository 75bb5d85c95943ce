import KeychainServices
import Testing

@testable import KeychainPlugin

@Suite("a plugin that stores passwords alone") struct StoredClassesTests {
    private func keychain() throws -> Keychain {
        let socket = try serve { _, _ in
            let served = ServedStore()
            served.classes = [.genericPassword, .internetPassword]
            return served
        }
        return Keychain(store(socket), accessGroups: .all())
    }

    @Test("it has no other items") func findsNothing() throws {
        let keychain = try keychain()
        let attributes = ItemAttributes { $0.account = "a" }
        try keychain.add(.genericPassword, attributes, secret: Secret("s"))
        for itemClass in [ItemClass.certificate, .key, .identity] {
            let query = Query(itemClass)
            #expect(throws: KeychainError(.itemNotFound)) { _ = try keychain.copyMatching(query) }
            #expect(throws: KeychainError(.itemNotFound)) { try keychain.delete(query) }
        }
        #expect(throws: KeychainError(.itemNotFound)) {
            try keychain.update(Query(.key), ItemAttributes { $0.label = "l" })
        }
        var count = 0
        let queries = ItemClass.stored.map { Query($0, returns: .reference) }
        let damage = try keychain.forEachMatch(ofAll: queries) { _ in
            count += 1
            return .next
        }
        #expect(count == 1)
        #expect(damage == nil)
    }

    @Test("it says that it can't store another item") func refuses() throws {
        let keychain = try keychain()
        #expect(throws: KeychainError(.noSuchClass)) {
            try keychain.add(.key, ItemAttributes(), secret: Secret("s"))
        }
    }
}
