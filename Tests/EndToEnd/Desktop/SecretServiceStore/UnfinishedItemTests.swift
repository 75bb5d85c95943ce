#if SecretService
import KeychainServices
import TestSupport
import Testing

@testable import SecretServiceStore

/// gnome-keyring writes an item before its secret. What it leaves where it is killed between the two is an
/// item of this program's with an empty secret, as `secret-tool` makes one here.
@Suite("an item without its secret", .enabled(if: isInstalled("secret-tool")))
struct UnfinishedItemTests {
    private func store(_ service: PrivateSecretService, _ more: String...) throws {
        let process = [
            "store", "--label=x", "xdg:schema", "org.gnome.keyring.NetworkPassword", "protocol",
            "https", "server", "example.com", "user", "me", "lanyard:changed", "7",
        ]
        try service.run("secret-tool", arguments: process + more)
    }

    @Test func isNoItem() throws {
        let service = try PrivateSecretService()
        let keychain = Keychain(service.makeStore(), accessGroups: .all(addingTo: "git"))
        try store(service)
        #expect(try keychain.found(.git("example.com")).isEmpty)
        // It is in the way of nothing.
        try keychain.add(.internetPassword, .git("example.com"), secret: Secret("s"))
        #expect(try keychain.found(.git("example.com")).map(\.secret) == ["s"])
        let shown = try service.run("secret-tool", "search", "--all", "server", "example.com")
        #expect(shown.output.split(separator: "\n").count { $0.hasPrefix("[") } == 1, "\(shown)")
    }

    @Test func oneThatIsMeantToBeEmptyIsOne() throws {
        let service = try PrivateSecretService()
        let keychain = Keychain(service.makeStore(), accessGroups: .all(addingTo: "git"))
        try keychain.add(.internetPassword, .git("example.com"), secret: Secret(""))
        #expect(try keychain.found(.git("example.com")).map(\.secret) == [""])
        expectFailure(.duplicateItem) {
            try keychain.add(.internetPassword, .git("example.com"), secret: Secret("s"))
        }
        let query = Query(.internetPassword, .git("example.com"))
        for secret in ["s", "", "t"] {
            try keychain.update(query, secret: Secret(secret))
            #expect(try keychain.found(.git("example.com")).map(\.secret) == [secret])
        }
    }
}
#endif
