import KeychainServices
import StoreConformance
import Testing

@testable import ToolHelpers

@Suite("ansible's client script")
struct AnsibleClientTests {
    private let keychain = Keychain(inMemoryFor: .ansible)

    private func store(_ id: ByteString, _ password: String) throws {
        var name = ItemAttributes()
        name.service = id
        _ = try keychain.add(
            .genericPassword, try ToolFormat.ansible.attributes(name), secret: Secret(password))
    }

    private func run(_ arguments: [String]) throws -> String {
        let session = ScriptedSession("ansible-lanyard-client", arguments, in: keychain)
        session.input = [0]
        defer { #expect(session.input == [0]) }
        try ToolHelper.ansible.run(session)
        return session.output
    }

    @Test("each vault ID has a password of its own")
    func passwords() throws {
        try store("dev", "pass word")
        try store("prod", "other")
        #expect(try run(["--vault-id", "dev"]) == "pass word\n")
        #expect(try run(["--vault-id=prod"]) == "other\n")
    }

    @Test("an unknown vault ID has a status of its own")
    func unknown() {
        let error = #expect(throws: KeychainError.self) { try run(["--vault-id", "dev"]) }
        #expect(error?.hint == "lanyard set --for ansible dev")
        #expect(error.map(ToolHelper.ansible.exitStatus) == 2)
    }

    @Test(
        "invalid arguments",
        arguments: [
            [], ["dev"], ["--vault-id"], ["--vault-id", ""], ["--vault-id="], ["-v", "a"],
        ])
    func invalid(arguments: [String]) {
        let error = #expect(throws: KeychainError.self) { try run(arguments) }
        #expect(error?.hint == "ansible-lanyard-client --help")
        #expect(error.map(ToolHelper.ansible.exitStatus) == 1)
    }

    @Test("neither URLs nor several lines")
    func format() {
        var url = ItemAttributes()
        url.server = "example.com"
        #expect(throws: KeychainError.self) { try ToolFormat.ansible.attributes(url) }
        #expect(throws: KeychainError.self) { try ToolFormat.ansible.check(Secret("a\nb")) }
    }
}
