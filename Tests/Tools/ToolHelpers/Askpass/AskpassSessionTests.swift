import KeychainServices
import StoreConformance
import Testing

@testable import ToolHelpers

@Suite("the askpass helper's sessions")
struct AskpassSessionTests {
    private let keychain = Keychain(inMemoryFor: .askpass)
    private let prompt = "Enter passphrase for key '/home/ada/.ssh/id_ed25519': "

    private func session(_ arguments: String...) -> ScriptedSession {
        ScriptedSession("askpass-lanyard", arguments, in: keychain)
    }

    @Test("a stored passphrase answers once, then the user is asked")
    func storedThenAsked() throws {
        var attributes = ItemAttributes.key("/home/ada/.ssh/id_ed25519")
        attributes.accessGroup = AskpassHelper.accessGroup
        _ = try keychain.add(.genericPassword, attributes, secret: Secret("stored"))
        let session = session(prompt)
        session.answers = ["typed"]
        try ToolHelper.askpass.run(session)
        #expect(session.output == "stored\n" && session.questions.isEmpty)
        try ToolHelper.askpass.run(session)
        #expect(session.output == "stored\ntyped\n" && session.questions == [prompt])
    }

    @Test("a notice is shown and not answered")
    func notice() throws {
        let session = session("touch the key")
        session.variables["SSH_ASKPASS_PROMPT"] = "none"
        try ToolHelper.askpass.run(session)
        #expect(session.output.isEmpty && session.notes == ["touch the key"])
    }

    @Test("invalid arguments", arguments: [[], ["a", "b"], ["--nonsense"]])
    func invalid(arguments: [String]) {
        let error = #expect(throws: KeychainError.self) {
            try ToolHelper.askpass.run(
                ScriptedSession("askpass-lanyard", arguments, in: keychain))
        }
        #expect(error?.status == .param && error?.hint == "askpass-lanyard --help")
    }
}
