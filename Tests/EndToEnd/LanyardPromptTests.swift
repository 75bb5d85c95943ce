import Glibc
import Testing

/// `lanyard` asks at the terminal, and leaves it as it was.
@Suite(.needs(.python), .timeLimit(.minutes(10)))
struct LanyardPromptTests {
    let home: ScratchHome
    private var terminal: PseudoTerminal { PseudoTerminal(home: home) }
    private static let cancelled =
        "secret for x: \r\nlanyard: error: cancelled: nothing was changed\r\n"

    init() throws {
        home = try ScratchHome()
    }

    @Test func theSecretIsNotShown() async throws {
        let session = try await terminal.run(
            "lanyard", "set", "x", then: .types("not shown ä\n"))
        #expect(session.shown == "secret for x: \r\n")
        #expect(!session.echo)
        expectRestored(session, status: 0)
        expectAnswer(try await home.lanyard("get", "x"), "not shown ä\n")
    }

    @Test(arguments: [("\n", ""), ("ab\u{7F}c\n", "ac"), ("ab\u{15}c\n", "c"), ("\t \n", "\t ")])
    func aLineIsEditedAsUsual(typed: String, secret: String) async throws {
        let session = try await terminal.run("lanyard", "set", "x", then: .types(typed))
        expectRestored(session, status: 0)
        expectAnswer(try await home.lanyard("get", "x"), "\(secret)\n")
    }

    @Test(
        "at once, without a newline: ^C, ^\\, ^Z, ^D",
        arguments: [
            "\u{3}", "typed\u{3}", "\u{1C}", "\u{1A}", "typed\u{1A}", "\u{4}", "typed\u{4}\u{4}",
        ])
    func keysThatCancel(typed: String) async throws {
        let session = try await terminal.run("lanyard", "set", "x", then: .types(typed))
        #expect(session.shown == LanyardPromptTests.cancelled, "\(session)")
        expectRestored(session, status: 128)
        try await expectNothingStored()
    }

    @Test(arguments: [SIGTERM, SIGINT, SIGHUP, SIGQUIT])
    func signalsThatCancel(signal: Int32) async throws {
        let session = try await terminal.run("lanyard", "set", "x", then: .sends(signal))
        #expect(session.shown == LanyardPromptTests.cancelled, "\(session)")
        expectRestored(session, status: 128)
        try await expectNothingStored()
    }

    /// The kernel cuts longer lines off without a word.
    @Test(arguments: [4094, 4095, 4096, 6000])
    func aLineIsWholeOrRefused(length: Int) async throws {
        let typed = String(repeating: "s", count: length)
        let session = try await terminal.run("lanyard", "set", "x", then: .types("\(typed)\n"))
        if length < 4095 {
            expectRestored(session, status: 0)
            expectAnswer(try await home.lanyard("get", "x"), "\(typed)\n")
        } else {
            #expect(session.shown.contains("lanyard: error: the line is longer"), "\(session)")
            #expect(session.shown.contains("lanyard: hint: give it with --stdin"), "\(session)")
            expectRestored(session, status: 42)
            try await expectNothingStored()
        }
    }

    @Test(arguments: ["one\ntwo\n", "one\ntwo", "one\n\n"])
    func severalPastedLinesAreRefused(typed: String) async throws {
        let session = try await terminal.run("lanyard", "set", "x", then: .types(typed))
        #expect(session.shown.contains("lanyard: error: more than one line"), "\(session)")
        #expect(!session.shown.contains("two"), "\(session)")
        expectRestored(session, status: 206)
        try await expectNothingStored()
    }

    @Test func thePromptIsHarmless() async throws {
        let session = try await terminal.run(
            "lanyard", "set", "x\u{1B}[31m\u{202E}", then: .types("\n"))
        #expect(session.shown == "secret for x?[31m?: \r\n")
    }

    @Test func nobodyIsAskedInVain() async throws {
        try await home.set("x", secret: "s")
        let session = try await terminal.run(
            "lanyard", "set", "x", "--no-replace", then: .types(""))
        #expect(session.shown.hasPrefix("lanyard: error: there is an item"), "\(session)")
        expectRestored(session, status: 45)
    }

    @Test func lanyardNoPrompt() async throws {
        let session = try await terminal.run(
            "lanyard", "set", "x", variables: ["LANYARD_NO_PROMPT": "1"], then: .types(""))
        #expect(session.shown.hasPrefix("lanyard: error: LANYARD_NO_PROMPT"), "\(session)")
        expectRestored(session, status: 36)
    }

    @Test(
        "a keychain is deleted only with consent",
        arguments: [
            ("y\n", true), ("YES\n", true), ("\n", false), ("n\n", false), ("yy\n", false),
            ("y\u{3}", false), ("y\u{4}\u{4}", false),
        ])
    func consent(typed: String, isConsent: Bool) async throws {
        try await home.succeeds("lanyard", "keychain", "create", "work")
        let session = try await terminal.run(
            "lanyard", "keychain", "delete", "work", then: .types(typed))
        #expect(
            session.shown.hasPrefix("delete the keychain 'work' with 0 items? [y/N] "),
            "\(session)")
        #expect(session.echo)
        expectRestored(session, status: isConsent ? 0 : 128)
        let names = try await home.lanyard("keychain", "list").outputText
        #expect(names.isEmpty == isConsent)
    }

    private func expectRestored(
        _ session: PseudoTerminal.Session, status: Int32,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(session.status == status, "\(session)", sourceLocation: sourceLocation)
        #expect(session.after == session.before, "\(session)", sourceLocation: sourceLocation)
    }

    private func expectNothingStored() async throws {
        #expect(try await home.lanyard("list").outputText == "")
    }
}
