import KeychainServices
import Keychains
import Testing

@Suite("a property that is a password")
struct KeychainPasswordTests {
    private static let keychain = { @Sendable in
        Keychain(InMemoryStore(now: { Timestamp(secondsSinceEpoch: 0) }), accessGroup: "example")
    }

    @Test func aPropertyIsRead() throws {
        let keychain = Self.keychain()
        @KeychainPassword(service: "mail", account: "ada", keychain: keychain) var password
        #expect(password == nil)
        #expect($password.error == nil)
        password = "one"
        password = "two"
        #expect(password == "two")
        #expect(try keychain.password(service: "mail", account: "ada") == "two")
        password = nil
        password = nil
        #expect(password == nil)
        #expect($password.error == nil)
        #expect(try keychain.attributes(of: Query(.genericPassword)).isEmpty)
    }

    @Test func failuresAreKept() throws {
        let keychain = Self.keychain()
        @KeychainPassword(service: "mail", account: "ada", keychain: keychain) var password
        password = String(repeating: "x", count: Keychain.secretLimit + 1)
        #expect($password.error == KeychainError(.dataTooLarge))
        #expect(password == nil)
        #expect($password.error == nil)
    }
}
