import Glibc
import Testing
@testable import EndToEndRig

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
            "lanyard", "set", "x", then: .types("not shown ä\n"), .types("not shown ä\n"))
        #expect(
            session.shown
                == "secret for x: \r\nsecret again: \r\nlanyard: stored 'x'\r\n", "\(session)")
        #expect(!session.echo)
        expectRestored(session, status: 0)
        expectAnswer(try await home.lanyard("get", "x"), "not shown ä\n")
    }

    @Test func removalIsAskedAndTold() async throws {
        try await home.set("stripe", "live", secret: "s")
        let no = try await terminal.run("lanyard", "remove", "stripe", then: .types("n\n"))
        #expect(
            no.shown == "remove 'stripe' of 'live'? [y/N] n\r\n"
                + "lanyard: error: cancelled: nothing was changed\r\n"
                || no.shown.contains("nothing was changed"), "\(no)")
        #expect(no.status == 128 && !no.shown.contains("removed"), "\(no)")
        expectAnswer(try await home.lanyard("get", "stripe"), "s\n")
        let yes = try await terminal.run("lanyard", "rm", "stripe", then: .types("y\n"))
        #expect(
            yes.shown
                == "remove 'stripe' of 'live'? [y/N] y\r\nlanyard: removed 'stripe' of 'live'\r\n",
            "\(yes)")
        expectRestored(yes, status: 0)
        #expect(try await home.lanyard("get", "stripe").status == 44)
    }

    @Test func removalWithoutAQuestion() async throws {
        for name in ["a", "b", "c"] {
            try await home.set("x", name, secret: "s")
        }
        let dialogue = Dialogue(home: home, variables: ["PATH": try await home.pathWith()])
        let one = try await dialogue.run("lanyard remove --yes x a")
        #expect(one.status == 0 && one.shown == "lanyard: removed 'x' of 'a'\r\n", "\(one)")
        // A script that reads a list has no one to ask.
        let script = try await dialogue.run(
            "echo b | while read -r name; do lanyard remove x $name; done")
        #expect(
            script.status == 0 && script.shown == "lanyard: removed 'x' of 'b'\r\n", "\(script)")
        try await home.set("x", "d", secret: "s")
        let all = try await terminal.run("lanyard", "remove", "--all", "x", then: .types("y\n"))
        #expect(
            all.shown.hasSuffix("lanyard: removed 2 items ('x' of 'd', 'x' of 'c')\r\n")
                || all.shown.hasSuffix("lanyard: removed 2 items ('x' of 'c', 'x' of 'd')\r\n"),
            "\(all)")
        expectAnswer(try await home.lanyard("list"), "")
    }

    @Test(arguments: [
        ("ab\u{7F}c\n", "ac"), ("ab\u{15}c\n", "c"), ("\t \n", "\t "), ("aé\u{7F}\n", "a"),
    ])
    func aLineIsEditedAsUsual(typed: String, secret: String) async throws {
        let session = try await terminal.run(
            "lanyard", "set", "x", then: .types(typed), .types("\(secret)\n"))
        expectRestored(session, status: 0)
        expectAnswer(try await home.lanyard("get", "x"), "\(secret)\n")
    }

    /// As a program leaves it that has the whole screen and runs git, or one that was killed.
    private static let inRawMode = """
        trap : INT; saved=$(stty -g); stty raw -echo; raw=$(stty -g)
        "$@"; status=$?
        [ "$(stty -g)" = "$raw" ] || status=1
        stty "$saved"; exit $status
        """

    @Test func returnEndsALineOfARawTerminal() async throws {
        try await home.set("x", secret: "old")
        let session = try await terminal.run(
            "sh", "-c", Self.inRawMode, "sh", "lanyard", "set", "x", then: .types("y\r"),
            .types("typed\r"), .types("typed\r"))
        #expect(
            session.shown.hasPrefix(
                "x already has a secret: replace it? [y/N] \r\nsecret for x: \r\n"), "\(session)")
        expectRestored(session, status: 0)
        expectAnswer(try await home.lanyard("get", "x"), "typed\n")
    }

    @Test func cancellingAtARawTerminal() async throws {
        let session = try await terminal.run(
            "sh", "-c", Self.inRawMode, "sh", "lanyard", "set", "x", then: .types("typed\u{3}"))
        expectRestored(session, status: 128)
        try await expectNothingStored()
    }

    @Test func anEmptyLineIsNoSecret() async throws {
        let session = try await terminal.run("lanyard", "set", "x", then: .types("\n"))
        #expect(session.shown.contains("lanyard: error: the secret is empty"), "\(session)")
        expectRestored(session, status: 64)
        try await expectNothingStored()
        let allowed = try await terminal.run(
            "lanyard", "set", "x", "--allow-empty", then: .types("\n"), .types("\n"))
        expectRestored(allowed, status: 0)
        expectAnswer(try await home.lanyard("get", "x"), "\n")
    }

    @Test func aTypingErrorIsNoticed() async throws {
        let session = try await terminal.run(
            "lanyard", "set", "x", then: .types("secert\n"), .types("secret\n"),
            .types("secret\n"), .types("secret\n"))
        #expect(session.shown.contains("lanyard: error: the secrets don't match"), "\(session)")
        expectRestored(session, status: 0)
        expectAnswer(try await home.lanyard("get", "x"), "secret\n")
    }

    @Test func replacingIsAgreedTo() async throws {
        try await home.set("x", secret: "old")
        let refused = try await terminal.run("lanyard", "set", "x", then: .types("\n"))
        #expect(
            refused.shown.hasPrefix("x already has a secret: replace it? [y/N] "),
            "\(refused)")
        #expect(!refused.echo)
        expectRestored(refused, status: 128)
        let agreed = try await terminal.run(
            "lanyard", "set", "x", then: .types("y\n"), .types("new\n"), .types("new\n"))
        #expect(agreed.shown.hasSuffix("lanyard: replaced 'x'\r\n"), "\(agreed)")
        expectRestored(agreed, status: 0)
        expectAnswer(try await home.lanyard("get", "x"), "new\n")
        let unasked = try await terminal.run(
            "lanyard", "set", "x", "--yes", then: .types("newer\n"), .types("newer\n"))
        #expect(unasked.shown.hasPrefix("secret for x: "), "\(unasked)")
        expectAnswer(try await home.lanyard("get", "x"), "newer\n")
    }

    /// A pipeline can't answer; messages go where a user may read them.
    @Test func standardInputIsNeverAsked() async throws {
        try await home.set("x", secret: "old")
        let session = try await Dialogue(home: home).run(
            """
            printf new | lanyard set x --stdin
            printf new | lanyard set y --stdin
            printf new | lanyard set https://github.com ada --stdin
            """)
        session.expect(status: 0)
        #expect(
            session.shown.replacing("\r\n", with: "\n") == """
                lanyard: replaced 'x'
                lanyard: stored 'y'
                lanyard: stored 'https://github.com' of 'ada'
                lanyard: hint: git does not look there: --for git stores it for git

                """, "\(session)")
    }

    /// A password typed too early is neither stored nor shown, and is no answer.
    @Test func anotherAnswerThanYesOrNoIsAskedForAgain() async throws {
        try await home.set("x", secret: "old")
        let answered = try await terminal.run(
            "lanyard", "set", "x", then: .types("yesterday's hunter2\n"), .types("Y\n"),
            .types("new\n"), .types("new\n"))
        #expect(
            answered.shown == """
                x already has a secret: replace it? [y/N] \r
                lanyard: error: answer y or n; the secret comes next\r
                x already has a secret: replace it? [y/N] \r
                secret for x: \r
                secret again: \r
                lanyard: replaced 'x'\r

                """, "\(answered)")
        expectRestored(answered, status: 0)
        expectAnswer(try await home.lanyard("get", "x"), "new\n")
        let never = try await terminal.run(
            "lanyard", "remove", "x", then: .types("what\n"), .types("1\n"), .types(" \n"))
        #expect(
            never.shown.hasSuffix(
                "lanyard: error: no answer: nothing was changed\r\nlanyard: hint: add --yes\r\n"),
            "\(never)")
        expectRestored(never, status: 128)
        expectAnswer(try await home.lanyard("get", "x"), "new\n")
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
        let line = PseudoTerminal.Act.types("\(typed)\n")
        let session =
            length < 4095
            ? try await terminal.run("lanyard", "set", "x", then: line, line)
            : try await terminal.run("lanyard", "set", "x", then: line)
        if length < 4095 {
            expectRestored(session, status: 0)
            expectAnswer(try await home.lanyard("get", "x"), "\(typed)\n")
        } else {
            #expect(session.shown.contains("lanyard: error: the line is too long"), "\(session)")
            #expect(session.shown.contains("lanyard: hint: use --stdin"), "\(session)")
            expectRestored(session, status: 42)
            try await expectNothingStored()
        }
    }

    @Test func aTerminalIsNoStandardInputForASecret() async throws {
        let session = try await Dialogue(home: home).run(
            "lanyard set --stdin x", steps: [.sees("hint: leave --stdin out")])
        #expect(session.status == 64, "\(session)")
        try await expectNothingStored()
    }

    @Test(arguments: ["https:///x", "https://:80/x", "ssh:///x"])
    func aURLWithoutAHostIsRefused(_ url: String) async throws {
        let outcome = try await home.command(
            "lanyard", ["set", "--stdin", url], input: Array("s".utf8)
        ).run()
        #expect(outcome.status == 64)
        #expect(outcome.errorText.contains("the URL has no host"), "\(outcome)")
        try await expectNothingStored()
    }

    @Test func aMissingKeychainIsNotAccepted() async throws {
        let outcome = try await home.lanyard("keychain", "accept-restore", "nosuch")
        #expect(outcome.status == 50)
        #expect(
            outcome.errorText == "lanyard: error: keychain 'nosuch' not found\n"
                + "lanyard: hint: see lanyard keychain list\n", "\(outcome)")
    }

    @Test(arguments: ["one\ntwo\n", "one\ntwo", "one\n\n"])
    func severalPastedLinesAreRefused(typed: String) async throws {
        let session = try await terminal.run("lanyard", "set", "x", then: .types(typed))
        #expect(session.shown.contains("lanyard: error: more than one line"), "\(session)")
        #expect(!session.shown.contains("two"), "\(session)")
        expectRestored(session, status: 64)
        try await expectNothingStored()
    }

    @Test func thePromptIsHarmless() async throws {
        let session = try await terminal.run(
            "lanyard", "set", "x\u{1B}[31m\u{202E}", then: .types("s\n"), .types("s\n"))
        #expect(
            session.shown.hasPrefix("secret for x\\u{1B}[31m\\u{202E}: \r\n"), "\(session)")
    }

    @Test func promptsAreNotInVain() async throws {
        try await home.set("x", secret: "s")
        let session = try await terminal.run(
            "lanyard", "set", "x", "--no-replace", then: .types(""))
        #expect(session.shown.hasPrefix("lanyard: error: the item"), "\(session)")
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
            ("y\n", true), ("YES\n", true), ("\n", false), ("n\n", false), ("no\n", false),
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

    private func expectNothingStored() async throws {
        #expect(try await home.lanyard("list").outputText == "")
    }
}
