#if SecretService
import Testing
@testable import EndToEndRig

/// What the desktop's Secret Service has, moved to a server's keychain file.
@Suite(.needs(.gnomeKeyring), .timeLimit(.minutes(10)))
struct ImportSecretServiceTests {
    @Test func everyItem() async throws {
        let session = try DesktopSession()
        let request = "protocol=https\nhost=example.com\n"
        try await session.expect(
            "git-credential-lanyard", "store", input: "\(request)username=ada\npassword=pw\n")
        try await session.expect(
            "docker-credential-lanyard", "store",
            input: #"{"ServerURL":"r.example","Username":"u","Secret":"s"}"#)
        try await session.expect("lanyard", "set", "token", "--stdin", input: "t")
        let dry = try await session.run("lanyard", "import", "secret-service", "--dry-run")
        #expect(
            dry.outputText
                == "import    3 new\ndry run   nothing was changed\n",
            "\(dry)")
        try await session.expect(
            "lanyard", "import", "secret-service", answer: "import    3 new\n")
        try await session.expect(
            "lanyard", "import", "secret-service", answer: "import    3 unchanged\n")
        // Without the session's bus, as over SSH.
        let home = session.home
        try await home.expectGet(request, "username=ada\npassword=pw\n")
        try await home.expectDockerList(#"{"r.example":"u"}"#)
        expectAnswer(try await home.lanyard("get", "token"), "t\n")
        let itself = try await session.run(
            "lanyard", "import", "secret-service", "--keychain", "secret-service")
        #expect(itself.status == 64, "\(itself)")
    }

    @Test(.needs(.dockerSecretService)) func dockersHelper() async throws {
        let session = try DesktopSession()
        try await session.expect(
            "docker-credential-secretservice", "store",
            input: #"{"ServerURL":"https://r.example","Username":"u","Secret":"s"}"#)
        let outcome = try await session.run(
            "lanyard", "import", "docker-helper", "secretservice", "--keychain", "login")
        expectAnswer(outcome, "import    1 new\n")
        try await session.home.expectDockerGet(
            "https://r.example",
            #"{"ServerURL":"https://r.example","Username":"u","Secret":"s"}"# + "\n")
    }

    /// What has attributes of its own, as a browser's has, is named and left alone.
    @Test(.needs(.secretTool)) func whatSecretToolKeeps() async throws {
        let session = try DesktopSession()
        try await session.expect(
            "secret-tool", "store", "--label=A token", "service", "S", "account", "ada",
            input: "t0ken")
        try await session.expect(
            "secret-tool", "store", "--label=chat", "application", "chat", "user", "u", input: "s")
        let imported = try await session.run("lanyard", "import", "secret-service")
        #expect(imported.outputText == "import    1 new, 1 skipped\n", "\(imported)")
        #expect(
            imported.errorText.contains("'chat' was skipped: it belongs to another program"),
            "\(imported)")
        let listed = try await session.run("lanyard", "list", "--keychain", "secret-service")
        #expect(listed.status == 0 && !listed.outputText.contains("chat"), "\(listed)")
        #expect(
            listed.errorText
                == "lanyard: not listed (items of other programs): 'chat'\n", "\(listed)")
        try await session.expect("lanyard", "keychain", "create", "copy")
        let copied = try await session.run(
            "lanyard", "keychain", "copy", "secret-service", "copy")
        #expect(copied.status == 0, "\(copied)")
        #expect(copied.outputText == "1 copied, 0 already there, 1 skipped\n", "\(copied)")
        #expect(copied.errorText.contains("'chat' was skipped"), "\(copied)")
        let list = try await session.home.json("list", "--json")
        #expect(list.elements.first?.members["label"] == "A token", "\(list)")
        expectAnswer(try await session.home.lanyard("get", "S", "ada"), "t0ken\n")
    }
}
#endif
