import Security
import Testing
import TokenStore

@Suite("a token store written for Apple's systems")
struct TokenStoreTests {
    private static let queryables: [@Sendable () -> any TokenQueryable] = [
        { ServiceTokens(service: "tokens") },
        { ServerTokens(server: "tokens.example.org", port: 443, path: "/a") },
    ]

    @Test(arguments: 0..<2)
    func setGetRemove(_ kind: Int) throws {
        let store = TokenStore(Self.queryables[kind]())
        try store.removeAll()
        #expect(try store.token(for: "ada") == nil)
        try store.set("first", for: "ada")
        try store.set("second", for: "ada")
        #expect(try store.token(for: "ada") == "second")
        try store.set("third", for: "bob")
        try store.remove("ada")
        #expect(try store.token(for: "ada") == nil)
        #expect(try store.token(for: "bob") == "third")
        try store.set("", for: "empty")
        #expect(try store.token(for: "empty") == "")
        try store.removeAll()
        #expect(try store.token(for: "bob") == nil)
        try store.removeAll()
    }
}
