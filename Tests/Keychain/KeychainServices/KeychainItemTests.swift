import KeychainServices
import Testing

@Suite("one item as a dictionary, and passwords by account")
struct KeychainItemTests {
    private let keychain = Keychain(
        InMemoryStore(now: { Timestamp(secondsSinceEpoch: 0) }), accessGroup: "example")

    private func text(_ item: KeychainItem) throws -> String? {
        switch try item.secret() {
        case .some(let secret): try secret.string()
        case .none: nil
        }
    }

    @Test func anItemIsSetAndReset() throws {
        let item = KeychainItem(keychain, service: "mail")
        #expect(try item[\.account] == nil)
        #expect(try text(item) == nil)
        try item.set(\.account, to: "ada")
        #expect(try text(item) == "")
        try item.setSecret(Secret("one"))
        try item.set(\.comment, to: "a comment")
        try item.set(\.account, to: "bob")
        #expect(try item[\.account] == "bob")
        #expect(try item[\.comment] == "a comment")
        #expect(try text(item) == "one")
        #expect(try keychain.attributes(of: Query(.genericPassword)).count == 1)
        #expect(throws: KeychainError(.param)) { try item.set(\.service, to: "other") }
        #expect(throws: KeychainError(.noSuchAttribute)) { try item.set(\.server, to: "other") }
        try item.reset()
        try item.reset()
        #expect(try item[\.account] == nil)
        try item.setSecret(Secret("two"))
        #expect(try text(item) == "two")
    }

    @Test func accountsOfAService() throws {
        for account in ["bob", "ada"] {
            try keychain.setPassword("x", service: "mail", account: account)
        }
        try keychain.setPassword("x", service: "other", account: "eve")
        #expect(try keychain.accounts(ofService: "mail") == ["ada", "bob"])
        #expect(try keychain.accounts(ofService: "nothing") == [])
    }

    @Test func subscripts() throws {
        #expect(try keychain["ada"] == nil)
        try keychain.setPassword("one", account: "ada")
        #expect(try keychain["ada"] == "one")
        #expect(try keychain.password(service: "example", account: "ada") == "one")
        try keychain.setPassword(nil, account: "ada")
        try keychain.setPassword(nil, account: "ada")
        #expect(try keychain["ada"] == nil)
    }
}
