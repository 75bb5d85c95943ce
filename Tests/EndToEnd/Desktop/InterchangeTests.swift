#if SecretService
import TestSupport
import Testing
@testable import EndToEndRig

/// What docker's own helper and secret-tool stored is found by ours, and the other way round.
@Suite(.timeLimit(.minutes(10)), .needs(.gnomeKeyring))
struct InterchangeTests {
    private let ours = "docker-credential-lanyard"
    private let theirs = "docker-credential-secretservice"

    private func login(_ url: String, _ user: String, _ secret: String) -> String {
        #"{"ServerURL":"\#(url)","Username":"\#(user)","Secret":"\#(secret)"}"#
    }

    @Test(.needs(.dockerSecretService)) func dockersOwnHelper() async throws {
        let session = try DesktopSession()
        let url = "https://r.example:5000/v1/"
        try await session.expect(ours, "store", input: login(url, "u", "s"))
        try await session.expect(
            theirs, "get", input: url, answer: login(url, "u", "s") + "\n")
        try await session.expect(theirs, "store", input: login("q.example", "u2", "s2"))
        try await session.expect(
            ours, "get", input: "https://q.example",
            answer: login("https://q.example", "u2", "s2") + "\n")
        // As they were stored, also those labelled `Registry credentials for …`.
        try await session.expect(
            ours, "list", answer: #"{"\#(url)":"u","q.example":"u2"}"# + "\n")
        // Changed by one, read by the other.
        try await session.expect(ours, "store", input: login("q.example", "u2", "new"))
        try await session.expect(
            theirs, "get", input: "q.example", answer: login("q.example", "u2", "new") + "\n")
        try await session.expect(theirs, "erase", input: url)
        try await session.expect(ours, "list", answer: #"{"q.example":"u2"}"# + "\n")
        try await session.expect(ours, "erase", input: "q.example")
        let gone = try await session.run(theirs, "get", input: "q.example")
        #expect(gone.status == 1, "\(gone)")
        #expect(gone.outputText.hasPrefix("credentials not found"), "\(gone)")
    }

    @Test(.needs(.secretTool)) func secretTool() async throws {
        let session = try DesktopSession()
        try await session.expect(
            "secret-tool", "store", "--label=L", "service", "S", "account", "A", input: "one\ntwo")
        try await session.expect("lanyard", "get", "S", "A", answer: "one\ntwo\n")
        try await session.expect("lanyard", "set", "T", "B", "--stdin", input: "x\ny")
        try await session.expect(
            "secret-tool", "lookup", "service", "T", "account", "B", answer: "x\ny")
        try await session.expect("lanyard", "remove", "S")
        let gone = try await session.run("secret-tool", "lookup", "service", "S", "account", "A")
        #expect(gone.status == 1, "\(gone)")
    }

    /// Other programs' items are none of ours.
    @Test(.needs(.secretTool)) func whatIsNotOursIsNotTouched() async throws {
        let session = try DesktopSession()
        try await session.expect(
            "secret-tool", "store", "--label=chat", "application", "chat", "user", "u", input: "s")
        #expect(try await session.json("list") == [])
        try await session.expect(
            "git-credential-lanyard", "erase", input: "protocol=https\nhost=example.com\n")
        try await session.expect(
            "secret-tool", "lookup", "application", "chat", answer: "s")
    }
}
#endif
