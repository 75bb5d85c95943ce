import KeychainServices
import Testing

@Suite("reading in one call")
struct ConvenienceTests {
    private let keychain = Keychain(
        InMemoryStore(now: { Timestamp(secondsSinceEpoch: 0) }),
        accessGroups: .all(addingTo: "example"))

    private func add(
        _ account: ByteString, _ secret: String, to group: ByteString = "example",
        isNegative: Bool? = nil
    ) throws {
        var attributes = ItemAttributes()
        attributes.service = "mail"
        attributes.account = account
        attributes.accessGroup = group
        attributes.isNegative = isNegative
        try keychain.add(.genericPassword, attributes, secret: Secret(secret))
    }

    @Test func passwords() throws {
        #expect(try keychain.password(service: "mail") == nil)
        try add("ada", "hünter2")
        try add("bob", "other")
        try add("eve", "another program's", to: "other")
        try add("no", "", isNegative: true)
        #expect(try keychain.password(service: "mail", account: "ada") == "hünter2")
        #expect(try keychain.password(service: "mail") == "other")
        for account in ["eve", "no", ""] {
            #expect(try keychain.password(service: "mail", account: account) == nil)
        }
        #expect(try keychain.password(server: "mail") == nil)
    }

    @Test func aPasswordIsSetAndReplaced() throws {
        for password in ["one", "two"] {
            try keychain.setPassword(password, service: "mail", account: "ada")
            #expect(try keychain.password(service: "mail", account: "ada") == password)
        }
        #expect(
            try keychain.attributes(of: Query(.genericPassword)).map(\.accessGroup) == ["example"])
    }

    @Test func passwordsOfServers() throws {
        var attributes = ItemAttributes()
        attributes.server = "example.com"
        attributes.account = "ada"
        let bytes: [UInt8] = [0x68, 0xFF]
        try keychain.add(.internetPassword, attributes, secret: Secret(copying: bytes.span))
        #expect(try keychain.password(server: "example.com", account: "bob") == nil)
        #expect(throws: KeychainError(.decode)) { try keychain.password(server: "example.com") }
        try keychain.update(Query(.internetPassword, attributes), secret: Secret("pw"))
        #expect(try keychain.password(server: "example.com", account: "ada") == "pw")
    }

    @Test func theFirstMatch() throws {
        let query = Query(.genericPassword, returns: [.attributes, .data])
        let isMissing = try keychain.firstMatch(of: query) == nil
        #expect(isMissing)
        try add("ada", "one")
        try add("bob", "two")
        guard let item = try keychain.firstMatch(of: query) else {
            Issue.record("nothing was found")
            return
        }
        #expect(item.attributes?.account == "bob")
        let isThere = try keychain.firstMatch(of: Query(.internetPassword)) != nil
        #expect(!isThere)
        #expect(throws: KeychainError(.param)) { _ = try keychain.firstMatch(of: Query()) }
    }

    @Test func walks() throws {
        let all = Query(.genericPassword)
        #expect(try keychain.attributes(of: all).isEmpty)
        try add("ada", "one")
        try add("bob", "two")
        #expect(try keychain.attributes(of: all).map(\.account) == ["bob", "ada"])
        var query = Query(.genericPassword, returns: [.attributes, .data])
        query.match.limit = .all
        guard case .items(let items) = try keychain.copyMatching(query) else {
            Issue.record("not several items")
            return
        }
        #expect(items.attributes.map(\.account) == ["bob", "ada"])
        var secrets: [String] = []
        try items.forEach { item throws(KeychainError) in
            switch item.secret {
            case .some(let secret): secrets.append(try secret.string())
            case .none: break
            }
        }
        #expect(secrets == ["two", "one"])
    }
}
