import LanyardTransfer
import KeychainServices
import Testing

/// Who answers for a host before an import answers after it, also where the import brings other accounts.
struct AnsweringOrderTests {
    let store = TestStore()
    var keychain: Keychain { Keychain(store, accessGroups: .all()) }

    private func login(
        _ account: String, _ secret: String = "pw", host: String = "h", path: String? = nil
    ) -> NewItem {
        var attributes = ItemAttributes()
        attributes.accessGroup = "git"
        attributes.protocol = .https
        attributes.server = ByteString(host)
        attributes.path = path.map { ByteString($0) }
        attributes.account = account.isEmpty ? nil : ByteString(account)
        return NewItem(.internetPassword, attributes, secret: Secret(secret))
    }

    @discardableResult
    private func run(
        _ files: [NewItem]..., rule: AnsweringOrder.Rule? = .keychainFirst,
        _ change: (inout ItemImporter.Options) -> Void = { _ in }
    ) throws -> [SharedHost] {
        var options = ItemImporter.Options()
        change(&options)
        let importer = ItemImporter(into: keychain, options, clock: { 0 })
        importer.answering = rule
        for (number, file) in files.enumerated() {
            importer.begin("FILE \(number)")
            for item in file {
                try importer.take(ImportRecord(place: "here", range: nil, content: .item(item)))
            }
            try importer.finish()
        }
        return try importer.sharedHosts()
    }

    /// The accounts of a host, the one that answers first.
    private func accounts(host: String = "h") throws -> String {
        var query = Query(.internetPassword, returns: .attributes)
        query.attributes.server = ByteString(host)
        query.match.limit = .all
        var accounts: [String] = []
        try keychain.forEachMatch(query) { item in
            accounts.append(item.attributes?.account?.description ?? "-")
            return .next
        }
        return accounts.joined(separator: " ")
    }

    @Test func theFirstLineAnswers() throws {
        let shared = try run(
            [login("ada"), login("x", host: "i"), login("bob")], [login("ada"), login("carl")])
        #expect(try accounts() == "ada bob carl")
        #expect(shared.map(\.accounts) == [["ada", "bob", "carl"]])
        #expect(shared.map(\.attributes.server) == ["h"])
        #expect(try accounts(host: "i") == "x")
    }

    /// Also where it went into the keychain with another transaction than the others.
    @Test func theFirstOfManyLinesAnswers() throws {
        let others = (0..<600).map { login("u", host: "host-\($0)") }
        try run([login("ada")] + others + [login("bob"), login("carl")])
        #expect(try accounts() == "ada bob carl")
        #expect(store.transactions.count > 1 && store.transactions.reduce(0, +) == 603)
    }

    @Test func whoAnsweredBeforeStillDoes() throws {
        try run([login("eve")], rule: nil)
        try run([login("dan")], rule: nil)
        #expect(try accounts() == "dan eve")
        let shared = try run([login("ada"), login("eve"), login("bob")])
        #expect(try accounts() == "dan eve ada bob")
        #expect(shared.map(\.accounts) == [["dan", "eve", "ada", "bob"]])
        // Also where the import replaces a password.
        try run([login("bob", "new"), login("ada")]) { $0.replaces = .all }
        #expect(try accounts() == "dan eve ada bob")
    }

    @Test func aFileThatIsAskedFirstStillIs() throws {
        try run([login("dan")])
        try run([login("ada"), login("bob")], rule: .fileFirst)
        #expect(try accounts() == "ada bob dan")
    }

    @Test func theSameImportAgainChangesNothing() throws {
        let file = [login("ada"), login("bob")]
        try run(file)
        let shared = try run(file)
        #expect(shared.map(\.accounts) == [["ada", "bob"]])
        #expect(store.updates == 1)
    }

    /// A search of its own for each of many thousand hosts took longer than their first import.
    @Test func hostsWithOneLoginAreNotLookedUpAlone() throws {
        let file = (0..<300).map { login("ada", host: "host-\($0)") }
        try run(file)
        let before = store.searchesOutside
        #expect(try run(file) == [])
        // Once, to see which keychains work.
        #expect(store.searchesOutside == before + 1)
    }

    @Test func aDryRunReadsTogether() throws {
        try run([login("dan", host: "host-7")])
        let before = store.searchesOutside
        let shared = try run((0..<300).map { login("ada", host: "host-\($0)") }) {
            $0.isDryRun = true
        }
        #expect(shared.map(\.accounts) == [["dan", "ada"]])
        // Once, to see which keychains work.
        #expect(store.searchesOutside == before + 1)
    }

    @Test func aDryRunSaysWhoWillAnswer() throws {
        try run([login("dan")])
        let shared = try run([login("ada")]) { $0.isDryRun = true }
        #expect(shared.map(\.accounts) == [["dan", "ada"]])
        #expect(try accounts() == "dan")
    }

    /// As a repository is that is asked for with its path.
    @Test func accountsOfPathsOfTheirOwnAreNotWarnedOf() throws {
        #expect(try run([login("ada", path: "a"), login("bob", path: "b")]) == [])
        #expect(try accounts() == "ada bob")
        #expect(try run([login("eve")]).map(\.accounts) == [["ada", "bob", "eve"]])
    }

    @Test func onePlaceOfAnotherPortIsAnotherHost() throws {
        var other = login("bob").attributes
        other.port = 8443
        #expect(
            try run([login("ada"), NewItem(.internetPassword, other, secret: Secret("pw"))]) == [])
    }
}
