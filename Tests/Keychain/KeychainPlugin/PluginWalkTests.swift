import Foundation
import KeychainServices
import LinuxSystem
import Synchronization
import Testing

@testable import KeychainPlugin

@Suite("walks read in batches")
struct PluginWalkTests {
    /// A store over a keychain with items 0, 1, 2 …, and how many of them were looked at.
    private final class Fixture: Sendable {
        let handedOut = Mutex(0)
        let damagedItem: Int?

        init(damagedItem: Int? = nil) {
            self.damagedItem = damagedItem
        }

        func makeStore(items: Int, secretSize: Int = 1) throws -> PluginStore {
            let socket = try serve { [self] _, _ throws(KeychainError) in
                let served = ServedStore()
                served.damagedItem = damagedItem
                served.didHandOut = { [self] in handedOut.withLock { $0 += 1 } }
                for number in 0..<items {
                    let attributes = ItemAttributes {
                        $0.account = ByteString("\(number)")
                        $0.accessGroup = "g"
                        $0.accessible = .always
                    }
                    let secret = Secret(capacity: secretSize) { $0.count }
                    _ = try served.add(.genericPassword, attributes, secret: secret)
                }
                return served
            }
            return store(socket)
        }
    }

    private func query(_ limit: MatchLimit?) -> Query {
        var query = Query(.genericPassword, returns: [.attributes, .data])
        query.match.limit = limit
        return query
    }

    private func accounts(
        _ store: PluginStore, _ query: Query, until count: Int = .max
    ) throws(KeychainError) -> [String] {
        var accounts: [String] = []
        try store.forEachMatch(query) { item throws(KeychainError) in
            accounts.append(item.attributes!.account!.description)
            return accounts.count < count ? .next : .stop
        }
        return accounts
    }

    private func newest(_ count: Int, of items: Int) -> [String] {
        (0..<items).reversed().prefix(count).map { "\($0)" }
    }

    @Test("a query for one item reads one and ends the walk")
    func one() throws {
        let fixture = Fixture()
        let store = try fixture.makeStore(items: 200)
        #expect(try accounts(store, query(nil), until: 1) == ["199"])
        #expect(fixture.handedOut.withLock { $0 } == 1)
        // A change is refused while a walk goes on.
        #expect(try store.delete(Query(.genericPassword)) == 200)
    }

    @Test(
        "every number of items comes whole and in order", arguments: [0, 1, 63, 64, 65, 128, 200])
    func all(items: Int) throws {
        let store = try Fixture().makeStore(items: items)
        #expect(try accounts(store, query(.all)) == newest(items, of: items))
        #expect(try accounts(store, query(.atMost(100))) == newest(items, of: items))
        // The limit is the caller's part.
        #expect(try accounts(store, query(nil)) == newest(items, of: items))
    }

    @Test("a walk stops early wherever it is", arguments: [1, 2, 63, 64, 65, 130, 199])
    func early(count: Int) throws {
        let fixture = Fixture()
        let store = try fixture.makeStore(items: 200)
        #expect(try accounts(store, query(.all), until: count) == newest(count, of: 200))
        #expect(fixture.handedOut.withLock { $0 } <= count + 63)
        #expect(try store.delete(Query(.genericPassword)) == 200)
    }

    @Test("a batch ends when it is large")
    func large() throws {
        let fixture = Fixture()
        let store = try fixture.makeStore(items: 8, secretSize: 200 << 10)
        #expect(try accounts(store, query(.all), until: 1) == ["7"])
        #expect(fixture.handedOut.withLock { $0 } == 3)
        #expect(try accounts(store, query(.all)) == newest(8, of: 8))
    }

    @Test("walks nest")
    func nested() throws {
        let store = try Fixture().makeStore(items: 130)
        var pairs = 0
        try store.forEachMatch(query(.all)) { outer throws(KeychainError) in
            var first: ItemID?
            try store.forEachMatch(query(.all)) { inner throws(KeychainError) in
                pairs += 1
                first = first ?? inner.reference?.id
                return pairs % 70 == 0 ? .stop : .next
            }
            return pairs < 1000 ? .next : .stop
        }
        #expect(pairs >= 1000)
        #expect(try store.delete(Query(.genericPassword)) == 130)
    }

    @Test("an error of the closure ends the walk")
    func throwing() throws {
        let store = try Fixture().makeStore(items: 200)
        for count in [1, 64, 100] {
            var seen = 0
            #expect(throws: KeychainError(.userCanceled)) {
                try store.forEachMatch(query(.all)) { _ throws(KeychainError) in
                    seen += 1
                    if seen == count {
                        throw KeychainError(.userCanceled)
                    }
                    return .next
                }
            }
            #expect(seen == count)
        }
        #expect(try store.delete(Query(.genericPassword)) == 200)
    }

    @Test("items before a damaged one are returned", arguments: [0, 1, 64, 70])
    func damaged(position: Int) throws {
        let store = try Fixture(damagedItem: position).makeStore(items: 100)
        var seen = 0
        let error = #expect(throws: KeychainError.self) {
            try store.forEachMatch(query(.all)) { _ throws(KeychainError) in
                seen += 1
                return .next
            }
        }
        #expect(seen == position)
        #expect(error?.status == .decode)
        #expect(error?.reason == "the item is damaged")
        #expect(error?.hint == "a hint")
        if position > 1 {
            #expect(try accounts(store, query(.all), until: position).count == position)
        }
        #expect(try store.delete(Query(.genericPassword)) == 100)
    }

    @Test("the keychain can't be changed while its items are read")
    func changing() throws {
        let store = try Fixture().makeStore(items: 100)
        var refused = 0
        try store.forEachMatch(query(.all)) { _ throws(KeychainError) in
            do throws(KeychainError) {
                _ = try store.delete(Query(.genericPassword))
            } catch {
                refused += error.status == .param ? 1 : 0
            }
            return .stop
        }
        #expect(refused == 1)
        #expect(try accounts(store, query(.all)).count == 100)
    }

    @Test("references to two items match none")
    func contradiction() throws {
        let store = try Fixture().makeStore(items: 3)
        var references: [ItemReference] = []
        var all = Query(.genericPassword, returns: .reference)
        all.match.limit = .all
        try store.forEachMatch(all) { item throws(KeychainError) in
            references.append(item.reference!)
            return .next
        }
        var query = Query(references[0], returns: .attributes)
        query.persistentReference = references[1].persistentReference
        #expect(try accounts(store, query) == [])
        #expect(try store.delete(query) == 0)
        #expect(try store.update(query, ItemAttributes { $0.label = "l" }, secret: nil) == 0)
        query.persistentReference = references[0].persistentReference
        #expect(try accounts(store, query) == ["2"])
    }
}
