import Glibc
import Testing
@testable import EndToEndRig

@Suite("a pipe or a file is read without --stdin", .needs(.python), .timeLimit(.minutes(10)))
struct PipedSecretTests {
    let home: ScratchHome

    init() throws {
        home = try ScratchHome()
    }

    private func sh(_ script: String) async throws -> Outcome {
        try await home.command("sh", ["-c", "cd '\(home.path)' && \(script)"]).run()
    }

    @Test(arguments: ["printf 's é' | lanyard set x", "printf 's é\n' >f; lanyard set x <f"])
    func oneLine(script: String) async throws {
        #expect(try await sh(script).status == 0)
        expectAnswer(try await home.lanyard("get", "x"), "s é\n")
    }

    @Test func atATerminalToo() async throws {
        let session = try await Dialogue(home: home).run(
            "printf one | lanyard set x; printf two | lanyard set x")
        session.expect(status: 0)
        #expect(
            session.shown == "lanyard: stored 'x'\r\nlanyard: replaced 'x'\r\n", "\(session)")
        expectAnswer(try await home.lanyard("get", "x"), "two\n")
    }

    @Test func aKeyOfOneTimeCodes() async throws {
        #expect(try await sh("echo JBSWY3DPEHPK3PXP | lanyard set --code x").status == 0)
        #expect(try await home.lanyard("code", "x").status == 0)
    }

    /// The list of a loop, or the rest of a script that a shell reads, is no secret.
    @Test func severalLinesNeedTheOption() async throws {
        let outcome = try await sh("printf 'a\nb\nc\n' | while read n; do lanyard set $n; done")
        #expect(outcome.status == 64)
        #expect(
            outcome.errorText == """
                lanyard: error: standard input has more than one line: nothing was changed
                lanyard: hint: --stdin stores all of it as the secret

                """, "\(outcome)")
        #expect(try await home.lanyard("list").outputText == "")
        #expect(try await sh("printf 'b\nc\n' | lanyard set a --stdin").status == 0)
        expectAnswer(try await home.lanyard("get", "a"), "b\nc\n")
    }

    @Test(
        "empty input stores nothing",
        arguments: [
            "lanyard set x </dev/null", "lanyard set x <&-", ": | lanyard set x",
            ": >f; lanyard set --allow-empty x <f",
        ])
    func nothing(script: String) async throws {
        let outcome = try await sh(script)
        #expect(outcome.status == 36, "\(outcome)")
        #expect(try await home.lanyard("list").outputText == "")
    }

    /// A program that gives its child an empty pipe still lets the user type.
    @Test func anEmptyPipeAtATerminal() async throws {
        let session = try await Dialogue(home: home).run(
            ": | lanyard set x",
            steps: [
                .asked("secret for x: "), .types("typed\n"), .asked("again: "), .types("typed\n"),
            ])
        session.expect(status: 0)
        expectAnswer(try await home.lanyard("get", "x"), "typed\n")
    }

    @Test func unlock() async throws {
        try await home.setPassphrase("the passphrase")
        let wrong = try await sh("echo wrong | lanyard unlock")
        #expect(wrong.errorText.contains("the secret from standard input does not"), "\(wrong)")
        #expect(try await sh("echo the passphrase | lanyard unlock").status == 0)
        // Now nothing is read: this pipe never ends.
        let silent = try await sh("mkfifo p; lanyard unlock <>p")
        #expect(silent.status == 0, "\(silent)")
    }

    @Test func anEmptyPipeIsNoPassphrase() async throws {
        try await home.setPassphrase("the passphrase")
        let outcome = try await sh(": | lanyard unlock")
        #expect(outcome.errorText.contains("lanyard can't prompt here"), "\(outcome)")
    }
}
