import KeychainServices
import Testing

@Suite("the login of a server")
struct ServerLoginTests {
    private let keychain = Keychain(
        InMemoryStore(now: { Timestamp(secondsSinceEpoch: 0) }), accessGroup: "tool")

    private func add(_ text: ByteString, account: ByteString? = nil) throws {
        let url = try #require(ServerURL(text))
        var attributes = ItemAttributes()
        attributes.server = url.host
        attributes.protocol = url.scheme.map { ProtocolType(scheme: $0) }
        attributes.port = url.port
        attributes.path = url.path
        attributes.account = account
        _ = try keychain.add(
            .internetPassword, attributes, secret: Secret(copying: text.bytes.span))
    }

    @Test(
        "the longest path that covers the address",
        arguments: [
            ("https://a.example", "https://a.example"),
            ("https://A.example/", "https://a.example"),
            ("https://a.example:443/x", "https://a.example"),
            ("https://a.example/team", "https://a.example/team"),
            ("https://a.example/team/simple/pkg", "https://a.example/team/simple"),
            ("https://a.example/team/simpler", "https://a.example/team"),
            ("https://a.example/teams", "https://a.example"),
            ("https://a.example:8443/team", "https://a.example:8443"),
            ("a.example/team/", "https://a.example/team"),
            ("https://a.example/team/../x", "https://a.example"),
            ("https://a.example/./team", "https://a.example"),
            ("https://a.example/team/%2e.%2F", "https://a.example/team"),
            ("https://a.example/team/.%2E/x", "https://a.example"),
            ("https://a.example/team/..x/...", "https://a.example/team"),
            ("http://a.example/", nil), ("https://b.example/", nil), ("https://a.example:80", nil),
        ] as [(String, String?)])
    func longestPath(address: String, found: String?) throws {
        for text: ByteString in [
            "https://a.example/team/simple", "https://a.example", "https://a.example/team",
            "https://a.example:8443",
        ] {
            try add(text)
        }
        let url = try #require(ServerURL(ByteString(address)))
        var secret: String?
        if let login = try keychain.serverLogin(for: url, in: "tool") {
            secret = try login.secret.string()
        }
        #expect(secret == found)
    }

    @Test("an account narrows")
    func account() throws {
        try add("https://a.example", account: "ada")
        let url = try #require(ServerURL("https://a.example/"))
        for (account, isFound) in [("ada", true), ("grace", false)] as [(ByteString, Bool)] {
            let login = try keychain.serverLogin(for: url, account: account, in: "tool")
            let isThere = login != nil
            #expect(isThere == isFound)
        }
    }

    @Test("of paths of equal length, the login that was added or changed last")
    func newest() throws {
        let url = try #require(ServerURL("https://a.example/team/pkg"))
        func account() throws -> ByteString? {
            try keychain.serverLogin(for: url, in: "tool")?.attributes.account
        }
        try add("https://a.example/team", account: "ada")
        try add("https://a.example/team", account: "grace")
        #expect(try account() == "grace")
        var query = Query(.internetPassword)
        query.attributes.account = "ada"
        try keychain.update(query, ItemAttributes(), secret: Secret("changed"))
        #expect(try account() == "ada")
        try add("https://a.example", account: "lin")
        #expect(try account() == "ada")
    }
}
