#if SecretService
import KeychainServices
import TestSupport
import Testing

@testable import SecretServiceStore

@Suite(
    "secret-tool and the store read one another", .enabled(if: isInstalled("secret-tool")),
    .serialized)
struct SecretToolInterchangeTests {
    let service: PrivateSecretService
    let keychain: Keychain

    init() throws {
        service = try PrivateSecretService()
        keychain = Keychain(service.makeStore(), accessGroups: .all())
    }

    @Test func findsWhatTheToolStored() throws {
        try service.run(
            "secret-tool", "store", "--label=the label", "service", "mail", "account", "me",
            input: "one\ntwo")
        let items = try keychain.found(.login("mail", account: "me"), .genericPassword)
        #expect(items.map(\.secret) == ["one\ntwo"])
        #expect(items.first?.attributes.label == "the label")
        #expect(try keychain.found(ItemAttributes(), .genericPassword).count == 1)
    }

    @Test func theToolFindsWhatIsStored() throws {
        var attributes = ItemAttributes.login("mail", account: "me")
        attributes.comment = "kept beside"
        try keychain.add(.genericPassword, attributes, secret: Secret("one\ntwo"))
        let lookup = ["lookup", "service", "mail", "account", "me"]
        let found = try service.run(
            "secret-tool", lookup[0], lookup[1], lookup[2], lookup[3], lookup[4])
        #expect(found.output == "one\ntwo")
        #expect(
            try keychain.found(.login("mail", account: "me"), .genericPassword)
                .first?.attributes.comment == "kept beside")
    }

    @Test func anItemOfMoreAttributesIsAnotherPrograms() throws {
        try service.run(
            "secret-tool", "store", "--label=x", "service", "mail", "username", "me",
            "application", "Python keyring library", input: "theirs")
        #expect(try keychain.found(ItemAttributes(), .genericPassword).isEmpty)
    }
}
#endif
