import Keychain
import Testing

@testable import SealedStore

@Test func storesAndFinds() throws {
    let scratch = try ScratchKeychain()
    let keychain = try scratch.open()
    try keychain.add(
        .internetPassword, internetPassword("a.example", account: "me"), secret: Secret("one"))
    try keychain.add(
        .internetPassword, internetPassword("b.example", account: "me"), secret: Secret("two"))
    #expect(try secret(try scratch.open(), internetPassword("a.example")) == "one")
    #expect(try secret(keychain, internetPassword("b.example")) == "two")
    try keychain.update(
        Query(.internetPassword, internetPassword("a.example")), secret: Secret("three"))
    #expect(try secret(try scratch.open(), internetPassword("a.example")) == "three")
    #expect(throws: KeychainError(.duplicateItem)) {
        try keychain.add(
            .internetPassword, internetPassword("a.example", account: "me"), secret: Secret("one"))
    }
    try keychain.delete(Query(.internetPassword, internetPassword("a.example")))
    #expect(throws: KeychainError(.itemNotFound)) {
        _ = try secret(keychain, internetPassword("a.example"))
    }
}
