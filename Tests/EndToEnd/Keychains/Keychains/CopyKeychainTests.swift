import Testing
@testable import EndToEndRig

/// `lanyard keychain copy`, between a sealed file and a plugin's keychain.
@Suite(.timeLimit(.minutes(10)), .needs(.python))
struct CopyKeychainTests {
    let home: ScratchHome

    init() async throws {
        home = try ScratchHome()
        try await home.makePluginKeychains("p")
    }

    private func items(_ keychain: String) async throws -> [JSONText] {
        let list = try await home.json("list", "--all", "--json", "--keychain", keychain)
        return list.elements.map { item in
            .object(item.members.filter { $0.key != "keychain" })
        }
    }

    private func fill() async throws {
        try await home.set(
            "https://ada@example.com:8443/a%20b", "--label", "L", "--comment", "ü\n",
            "--description", "D", "--creator", "cr", "--type", "type", "--security-domain", "realm",
            "--authentication-type", "dflt", "--accessible", "ck", "--invisible", "--negative",
            "--synchronizable", "--group", "g", "--yes", secret: "s\"\\\u{7F}\n\n")
        for name in ["one", "two", "three"] {
            try await home.set(name, "account", secret: "secret of \(name)")
        }
        try await home.set("one", "account", secret: "newer")
        try await home.store("protocol=https\nhost=example.com\nusername=ada\npassword=pw\n")
    }

    @Test func everythingThereAndBack() async throws {
        try await fill()
        let before = try await items("login")
        // Makes what came before older.
        try await Task.sleep(for: .milliseconds(1100))
        expectAnswer(
            try await home.lanyard("keychain", "copy", "login", "p"),
            "5 copied, 0 already there, 0 skipped\n")
        #expect(try await items("p") == before)
        expectAnswer(
            try await home.lanyard("keychain", "copy", "login", "p"),
            "0 copied, 5 already there, 0 skipped\n")
        #expect(try await home.secret("one", in: "p") == "newer")
        // And back, into an empty one.
        expectAnswer(try await home.lanyard("keychain", "create", "back"), "")
        expectAnswer(
            try await home.lanyard("keychain", "copy", "p", "back"),
            "5 copied, 0 already there, 0 skipped\n")
        #expect(try await items("back") == before)
        // A negative item answers nothing, but has its secret.
        expectAnswer(
            try await home.lanyard(
                "edit", "--keychain", "p", "https://example.com:8443", "--no-negative"), "")
        #expect(try await home.secret("https://example.com:8443", in: "p") == "s\"\\\u{7F}\n")
    }

    @Test func whatDiffersIsSkippedOrReplaced() async throws {
        try await home.set("x", secret: "of login")
        try await home.set("x", "--keychain", "p", secret: "of p")
        let outcome = try await home.lanyard("keychain", "copy", "login", "p")
        // Who deletes the one keychain after this must be kept from it.
        #expect(outcome.status == 45, "\(outcome)")
        #expect(outcome.outputText == "0 copied, 0 already there, 1 skipped\n")
        #expect(
            outcome.errorText == """
                lanyard: warning: 'x' was skipped: a different one already exists; --replace replaces it
                lanyard: error: 1 item was not copied

                """)
        #expect(try await home.secret("x", in: "p") == "of p")
        expectAnswer(
            try await home.lanyard("keychain", "copy", "login", "p", "--replace"),
            "0 copied, 1 replaced, 0 already there, 0 skipped\n")
        #expect(try await home.secret("x", in: "p") == "of login")
    }

    @Test func whatIsToStayHereStays() async throws {
        try await home.set("x", "--accessible", "aku", secret: "s")
        let outcome = try await home.lanyard("keychain", "copy", "login", "p")
        #expect(outcome.outputText == "0 copied, 0 already there, 1 skipped\n", "\(outcome)")
        #expect(outcome.errorText.contains("it is bound to this machine"), "\(outcome)")
        #expect(outcome.status == 64, "\(outcome)")
        expectAnswer(try await home.lanyard("keychain", "create", "other"), "")
        expectAnswer(
            try await home.lanyard("keychain", "copy", "login", "other"),
            "1 copied, 0 already there, 0 skipped\n")
    }

    @Test(arguments: [["login", "login"], ["nothing", "p"], ["p", "nothing"]])
    func nowhere(_ names: [String]) async throws {
        let outcome = try await home.command("lanyard", ["keychain", "copy"] + names).run()
        #expect([64, 50].contains(outcome.status), "\(outcome)")
    }
}
