import Glibc
import Testing
@testable import EndToEndRig

/// A keychain is unlocked by who types its passphrase at the terminal, whatever program needs it.
@Suite(.serialized, .needs(.python, .keyrings), .timeLimit(.minutes(10)))
struct UnlockPromptTests {
    static let prompt = "passphrase for the keychain 'login': "
    private static let login = "protocol=https\nhost=a.example\n"

    /// Programs that take an unlocked keychain, their standard streams being none of the
    /// terminal's, and what they answer.
    enum Asker: String, CaseIterable, Sendable {
        case get
        case unlock
        case helper

        /// `$1` being the folder for what it prints.
        var script: String {
            switch self {
            case .get: "echo 'the passphrase' | lanyard get x 2>\"$1/error\" | cat >\"$1/output\"; "
            case .unlock: "lanyard unlock </dev/null 2>\"$1/error\" | cat >\"$1/output\"; "
            case .helper:
                "printf 'protocol=https\\nhost=a.example\\n' | git-credential-lanyard get "
                    + "2>\"$1/error\" | cat >\"$1/output\"; "
            }
        }

        var answer: String {
            switch self {
            case .get: "the secret\n"
            case .unlock: ""
            case .helper: "username=ada\npassword=pw\n"
            }
        }

        /// `script` with the program's own status.
        var scriptWithStatus: String { script.replacing(" | cat >", with: " >") }

        func status(_ error: Int32) -> Int32 { self == .helper ? 1 : error }
    }

    let home: ScratchHome
    let terminal: Dialogue

    init() async throws {
        home = try ScratchHome()
        try await home.set("x", secret: "the secret")
        try await home.store("\(UnlockPromptTests.login)username=ada\npassword=pw\n")
        try await home.setPassphrase()
        terminal = Dialogue(
            home: home, variables: ["PATH": try await home.pathWith(), "TERM": "xterm"])
    }

    /// The prompt comes at the terminal and nowhere else; what is typed is not shown; and afterwards
    /// it is unlocked for all programs.
    @Test(arguments: Asker.allCases) func unlocks(by asker: Asker) async throws {
        try await home.forgettingKeys {
            let session = try await terminal.run(
                asker.script, home.path,
                steps: [.asked(UnlockPromptTests.prompt), .types("the passphrase\n")])
            session.expect(status: 0)
            #expect(session.shown == "\(UnlockPromptTests.prompt)\r\n")
            #expect(try home.text("output") == asker.answer)
            #expect(try home.text("error") == "")
            #expect(try await home.lockState() == "unlocked")
            let next = try await terminal.run("lanyard get x")
            next.expect(status: 0)
            #expect(next.shown == "the secret\r\n")
        }
    }

    @Test(arguments: Asker.allCases, ["\u{3}", "typed\u{3}", "\u{1A}", "\u{1C}", "\u{4}"])
    func cancelled(_ asker: Asker, by keys: String) async throws {
        try await home.forgettingKeys {
            let before = try Snapshot(home.lanyard)
            let session = try await terminal.run(
                asker.scriptWithStatus, home.path,
                steps: [.asked(UnlockPromptTests.prompt), .types(keys)])
            session.expect(status: asker.status(128))
            #expect(session.shown == "\(UnlockPromptTests.prompt)\r\n", "\(session)")
            #expect(try home.text("output") == "")
            #expect(try home.text("error") == "lanyard: error: cancelled: nothing was changed\n")
            #expect(try Snapshot(home.lanyard).differences(from: before) == [])
            expectLocked(try await home.lanyard("get", "x"))
        }
    }

    /// The signals of a terminal that is closed, of a service that is stopped.
    @Test(arguments: [SIGHUP, SIGTERM, SIGINT]) func ended(by signal: Int32) async throws {
        try await home.forgettingKeys {
            let session = try await terminal.run(
                "lanyard unlock",
                steps: [.asked(UnlockPromptTests.prompt), .sends(signal, to: "lanyard")])
            session.expect(status: 128)
            expectLocked(try await home.lanyard("get", "x"))
        }
    }

    @Test(arguments: Asker.allCases) func wrongTwice(_ asker: Asker) async throws {
        try await home.forgettingKeys {
            let session = try await terminal.run(
                asker.scriptWithStatus, home.path,
                steps: [
                    .asked(UnlockPromptTests.prompt), .types("wrong\n"),
                    .asked(UnlockPromptTests.prompt), .types("\n"),
                    .asked(UnlockPromptTests.prompt), .types("the passphrase\n"),
                ])
            session.expect(status: 0)
            let again =
                "lanyard: error: wrong passphrase\r\n\(UnlockPromptTests.prompt)\r\n"
            #expect(session.shown == "\(UnlockPromptTests.prompt)\r\n\(again)\(again)")
            #expect(try home.text("output") == asker.answer)
        }
    }

    @Test(arguments: Asker.allCases) func wrongThreeTimes(_ asker: Asker) async throws {
        try await home.forgettingKeys {
            let session = try await terminal.run(
                asker.scriptWithStatus, home.path,
                steps: (1...3).flatMap { _ -> [Dialogue.Step] in
                    [.asked(UnlockPromptTests.prompt), .types("wrong\n")]
                })
            session.expect(status: asker.status(51))
            #expect(try home.text("output") == "")
            #expect(
                try home.text("error") == """
                    lanyard: error: wrong passphrase
                    lanyard: hint: this keychain has no recovery key: only the passphrase opens it

                    """)
            expectLocked(try await home.lanyard("get", "x"))
        }
    }

    /// The way that is left after forgetting the passphrase.
    @Test func wrongThreeTimesNamesTheRecoveryKey() async throws {
        try await home.forgettingKeys {
            let made = try await home.lanyardUnlocked("recovery-key", "create")
            #expect(made.status == 0, "\(made)")
            let session = try await terminal.run(
                "lanyard get x --keychain login",
                steps: (1...3).flatMap { _ -> [Dialogue.Step] in
                    [.asked(UnlockPromptTests.prompt), .types("wrong\n")]
                })
            session.expect(status: 51)
            #expect(
                session.shown.contains(
                    "lanyard: hint: the recovery key opens it, too: lanyard unlock --recovery-key"),
                "\(session)")
        }
    }

    @Test(arguments: Asker.allCases) func lanyardNoPrompt(_ asker: Asker) async throws {
        var terminal = terminal
        terminal.variables["LANYARD_NO_PROMPT"] = "1"
        let session = try await terminal.run(asker.scriptWithStatus, home.path)
        session.expect(status: asker.status(36))
        #expect(session.shown == "")
        let hint =
            asker == .unlock
            ? "use --stdin, or set LANYARD_PASSPHRASE_FILE to a file with the passphrase"
            : "lanyard unlock"
        #expect(try home.text("error").hasSuffix("lanyard: hint: \(hint)\n"))
    }

    /// A program that reads from the terminal in the background is stopped, for no visible reason.
    @Test(arguments: Asker.allCases) func inTheBackground(_ asker: Asker) async throws {
        let script = asker.scriptWithStatus.replacing("; ", with: "")
        let session = try await terminal.run(
            "set -m; { \(script); } & wait $!", home.path)
        session.expect(status: asker.status(36))
        #expect(session.shown == "", "\(session)")
        #expect(try home.text("error").contains("is locked, and lanyard can't prompt here"))
    }

    /// A user who comes back later finds it locked again.
    @Test func theAnswerLastsForTheConfiguredTime() async throws {
        try await home.forgettingKeys {
            try await home.shell(
                "mkdir -p -m 700 \"$LANYARD_HOME/config\"; "
                    + "printf '[lanyard]\\n autolock = 2\\n' >\"$LANYARD_HOME/config/config\"")
            let session = try await terminal.run(
                "lanyard get x",
                steps: [.asked(UnlockPromptTests.prompt), .types("the passphrase\n")])
            session.expect(status: 0)
            try await Task.sleep(for: .seconds(3))
            expectLocked(try await home.lanyard("get", "x"))
        }
    }
}
