import Keychains
import KeychainServices
import Testing

@Suite("no hint names the command that just failed")
struct CircularHintTests {
    @Test(
        "a hint that says nothing new is left out",
        arguments: [
            ("lanyard unlock", "unlock", nil),
            ("lanyard unlock", "unlock --timeout 5m", nil),
            ("lanyard unlock --keychain work", "unlock --keychain work", nil),
            ("lanyard verify", "verify --json", nil),
            ("lanyard unlock", "get x", "lanyard unlock"),
            ("lanyard unlock --keychain work", "unlock", "lanyard unlock --keychain work"),
            (
                "lanyard keychain delete --yes x", "keychain delete x",
                "lanyard keychain delete --yes x"
            ),
            ("lanyard set --help", "set", "lanyard set --help"),
            ("use --stdin", "set x", "use --stdin"),
            ("lanyard unlock", "", "lanyard unlock"),
        ] as [(String, String, String?)])
    func circular(hint: String, arguments: String, shown: String?) {
        let error = KeychainError(.interactionNotAllowed, "locked", hint: hint)
            .withoutCircularHint(
                after: ["lanyard"] + arguments.split(separator: " ").map(String.init))
        #expect(error.hint == shown)
        #expect(error.reason == "locked")
    }
}
