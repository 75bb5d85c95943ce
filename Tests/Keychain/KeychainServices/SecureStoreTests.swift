import KeychainServices
import Testing

@Suite struct SecureStoreTests {
    private let store = RecordingStore(InMemoryStore(now: FakeClock().tick))
    private var keychain: Keychain { Keychain(store, accessGroups: .all(addingTo: "own")) }

    static let generic: @Sendable () -> any SecureStoreQueryable = {
        GenericPasswordQueryable(service: "service")
    }
    static let internet: @Sendable () -> any SecureStoreQueryable = {
        InternetPasswordQueryable(server: "host")
    }

    private func values(_ queryable: any SecureStoreQueryable) -> SecureStore {
        SecureStore(keychain: keychain, queryable: queryable)
    }

    @Test(arguments: [generic, internet])
    func setsAndGets(_ queryable: @Sendable () -> any SecureStoreQueryable) throws {
        let values = values(queryable())
        #expect(try values.getValue(for: "a")?.bytes == nil)
        try values.setValue("first", for: "a")
        try values.setValue(Secret("other"), for: "b")
        try values.setValue("second", for: "a")
        #expect(try values.getValue(for: "a")?.bytes == Array("second".utf8))
        #expect(try values.getValue(for: "b")?.bytes == Array("other".utf8))
        #expect(try values.getValue(for: "A")?.bytes == nil)
        #expect(try values.getValue(for: "")?.bytes == nil)
    }

    @Test(arguments: [generic, internet])
    func anEmptyValueIsAValue(_ queryable: @Sendable () -> any SecureStoreQueryable) throws {
        let values = values(queryable())
        try values.setValue("", for: "a")
        #expect(try values.getValue(for: "a")?.bytes == [])
        try values.setValue("x", for: "a")
        try values.setValue(Secret(""), for: "a")
        #expect(try values.getValue(for: "a")?.bytes == [])
    }

    @Test(arguments: [generic, internet])
    func removes(_ queryable: @Sendable () -> any SecureStoreQueryable) throws {
        let values = values(queryable())
        try values.removeValue(for: "a")
        try values.removeAllValues()
        for account in ["a", "b", "c"] as [ByteString] {
            try values.setValue("s", for: account)
        }
        try values.removeValue(for: "a")
        try values.removeValue(for: "a")
        #expect(try values.getValue(for: "a")?.bytes == nil)
        #expect(try values.getValue(for: "b")?.bytes == [0x73])
        try values.removeAllValues()
        #expect(try values.getValue(for: "b")?.bytes == nil)
        #expect(try values.getValue(for: "c")?.bytes == nil)
    }

    /// Every two of these stores are apart.
    static let apart: @Sendable () -> [any SecureStoreQueryable] = {
        [
            GenericPasswordQueryable(service: "host"),
            GenericPasswordQueryable(service: "other"),
            GenericPasswordQueryable(service: ""),
            GenericPasswordQueryable(service: "host", accessGroup: "a"),
            GenericPasswordQueryable(service: "host", accessGroup: "b"),
            GenericPasswordQueryable(service: "host", accessGroup: ""),
            InternetPasswordQueryable(server: "host"),
            InternetPasswordQueryable(server: "HOST"),
            InternetPasswordQueryable(server: "host", port: 80),
            InternetPasswordQueryable(server: "host", port: 443),
            InternetPasswordQueryable(server: "host", path: "/"),
            InternetPasswordQueryable(server: "host", path: "/a"),
            InternetPasswordQueryable(server: "host", securityDomain: "realm"),
            InternetPasswordQueryable(server: "host", protocol: .https),
            InternetPasswordQueryable(server: "host", protocol: .http),
            InternetPasswordQueryable(server: "host", authenticationType: .httpBasic),
            InternetPasswordQueryable(server: "host", authenticationType: .default),
            InternetPasswordQueryable(server: "host", accessGroup: "a"),
            InternetPasswordQueryable(server: "host", accessGroup: "b"),
            InternetPasswordQueryable(server: "host", port: 80, accessGroup: "a"),
            SynchronizableQueryable(),
        ]
    }

    @Test func differentQueryablesDoNotSeeEachOthersValues() throws {
        let stores = Self.apart().map(values)
        for (number, store) in stores.enumerated() {
            #expect(try store.getValue(for: "me")?.bytes == nil)
            try store.setValue("first", for: "me")
            try store.setValue("\(number)", for: "me")
        }
        for (number, store) in stores.enumerated() {
            #expect(try store.getValue(for: "me")?.bytes == Array("\(number)".utf8))
        }
        for (number, store) in stores.enumerated() {
            if number.isMultiple(of: 2) {
                try store.removeAllValues()
            } else {
                try store.removeValue(for: "me")
            }
            for (other, store) in stores.enumerated() {
                #expect(try (store.getValue(for: "me")?.bytes == nil) == (other <= number))
            }
        }
    }

    @Test func whatIsLeftOutIsTheSameAsEmpty() throws {
        let short = values(InternetPasswordQueryable(server: "host"))
        let long = values(
            InternetPasswordQueryable(
                server: "host", port: 0, path: "", securityDomain: "",
                protocol: ProtocolType(rawValue: ""), accessGroup: "own"))
        try short.setValue("s", for: "a")
        #expect(try long.getValue(for: "a")?.bytes == [0x73])
        try long.setValue("t", for: "a")
        #expect(try short.getValue(for: "a")?.bytes == [0x74])
    }

    @Test func itemsAreOrdinaryOnes() throws {
        let attributes = ItemAttributes()
        let all = InternetPasswordQueryable(
            server: "host", port: 443, path: "/p", securityDomain: "realm", protocol: .https,
            authenticationType: .httpBasic, accessGroup: "g")
        try values(all).setValue("s", for: "me")
        let query = Query(.internetPassword, attributes, returns: .attributes)
        guard case .item(let item) = try keychain.copyMatching(query) else {
            Issue.record("no item")
            return
        }
        var wanted = all.attributes
        wanted.account = "me"
        wanted.accessible = .whenUnlocked
        wanted.creationDate = item.attributes?.creationDate
        wanted.modificationDate = item.attributes?.modificationDate
        #expect(item.attributes == wanted)
    }

    @Test func replacingAValueKeepsTheItem() throws {
        let values = values(Self.generic())
        try values.setValue("first", for: "a")
        var label = ItemAttributes()
        label.label = "label"
        try keychain.update(Query(.genericPassword), label)
        try values.setValue("second", for: "a")
        let query = Query(.genericPassword, label, returns: .data)
        guard case .item(let item) = try keychain.copyMatching(query) else {
            Issue.record("no item")
            return
        }
        let secret = item.secret!
        #expect(secret.bytes == Array("second".utf8))
    }

    @Test func writesOnlyWhatHasToBeWritten() throws {
        let values = values(Self.generic())
        try values.removeValue(for: "a")
        try values.removeAllValues()
        #expect(try values.getValue(for: "a")?.bytes == nil)
        #expect(store.calls == [])
        try values.setValue("s", for: "a")
        #expect(store.calls == [.begin, .update, .add, .end])
        store.calls = []
        try values.setValue("s", for: "a")
        try values.setValue(Secret("s"), for: "a")
        _ = try values.getValue(for: "a")?.count
        #expect(store.calls == [])
        try values.setValue("t", for: "a")
        #expect(store.calls == [.begin, .update, .end])
        store.calls = []
        try values.removeValue(for: "a")
        try values.removeValue(for: "a")
        #expect(store.calls == [.delete])
    }

    @Test func refusalsComeThrough() throws {
        let values = values(Self.generic())
        let large = Secret(capacity: Keychain.secretLimit + 1) { $0.count }
        #expect(throws: KeychainError(.dataTooLarge)) { try values.setValue(large, for: "a") }
        #expect(try values.getValue(for: "a")?.bytes == nil)
        store.failure = KeychainError(.readOnly)
        #expect(throws: KeychainError(.readOnly)) { try values.setValue("s", for: "a") }
        store.failure = nil
        try values.setValue("s", for: "a")
        store.failure = KeychainError(.readOnly)
        #expect(throws: KeychainError(.readOnly)) { try values.setValue("t", for: "a") }
        #expect(throws: KeychainError(.readOnly)) { try values.removeValue(for: "a") }
        #expect(throws: KeychainError(.readOnly)) { try values.removeAllValues() }
        #expect(try values.getValue(for: "a")?.bytes == [0x73])
        try values.setValue("s", for: "a")
        try values.removeValue(for: "b")
    }
}

/// Another program's queryable: items that travel, with a label.
private struct SynchronizableQueryable: SecureStoreQueryable {
    var itemClass: ItemClass { .genericPassword }
    var attributes: ItemAttributes {
        var attributes = ItemAttributes()
        attributes.service = "host"
        attributes.synchronizable = true
        attributes.label = "a label"
        attributes.account = "set aside"
        return attributes
    }
}
