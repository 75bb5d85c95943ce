import Foundation
import Testing
@testable import EndToEndRig

/// Without a terminal, the program that ssh asks with asks for us.
@Suite(.needs(.keyrings, .git), .timeLimit(.minutes(10)))
struct AskpassEndToEndTests {
    private static let prompt = "passphrase for the keychain 'login': "
    private static let request = "protocol=https\nhost=a.example\n"

    let home: ScratchHome

    init() async throws {
        home = try ScratchHome()
        try await home.configureGit()
        try await home.store("\(AskpassEndToEndTests.request)username=ada\npassword=pw\n")
    }

    /// What git learns, in a session that has no terminal.
    private func fill(
        _ askpass: AskpassProgram, variable: String = "LANYARD_ASKPASS"
    ) async throws -> Outcome {
        try await home.command(
            "setsid", ["-w", "git", "credential", "fill"],
            input: Array("\(AskpassEndToEndTests.request)\n".utf8),
            variables: [variable: askpass.path]
        ).run()
    }

    @Test(arguments: ["LANYARD_ASKPASS", "SSH_ASKPASS"]) func right(variable: String) async throws {
        try await home.setPassphrase()
        try await home.forgettingKeys {
            let askpass = try AskpassProgram(home, answers: ["the passphrase"])
            let outcome = try await fill(askpass, variable: variable)
            expectAnswer(outcome, "\(AskpassEndToEndTests.request)username=ada\npassword=pw\n")
            #expect(try askpass.questions() == [AskpassEndToEndTests.prompt])
            // Now it is unlocked, and does not prompt.
            let again = try await fill(askpass, variable: variable)
            expectAnswer(again, outcome.outputText)
            #expect(try askpass.questions().count == 1)
        }
    }

    /// What was answered shows in no process's arguments or environment; the one that asks must not
    /// make another one ask, and leaves no core file.
    @Test func whatAnAnswerLeaves() async throws {
        let wrong = "wrong-\(UUID().uuidString)"
        let right = "right-\(UUID().uuidString)"
        try await home.setPassphrase(right)
        try await home.forgettingKeys {
            let askpass = try AskpassProgram(
                home, answers: [wrong, "", right],
                before: """
                    cat /proc/[0-9]*/cmdline /proc/[0-9]*/environ 2>/dev/null |
                        grep -aF -e control -f "$folder/answer-0" -f "$folder/answer-2" \
                            >>"$folder/seen"
                    """)
            let control = try home.command("sh", ["-c", "read -r _", "control"])
            let (_, outcome) = try await control.run { [self] _ in try await fill(askpass) }
            expectAnswer(outcome, "\(AskpassEndToEndTests.request)username=ada\npassword=pw\n")
            let again = "wrong passphrase\n\(AskpassEndToEndTests.prompt)"
            #expect(
                try askpass.questions() == [AskpassEndToEndTests.prompt, again, again])
            let seen = try askpass.noted("seen")
            #expect(seen.contains("control"))
            #expect(!seen.contains(wrong) && !seen.contains(right))
            for environment in try askpass.environments() {
                #expect(environment.split(separator: "\0").contains("LANYARD_NO_PROMPT=1"))
            }
            #expect(try askpass.noted("call-0/core") == "0\n")
        }
    }

    @Test func failing() async throws {
        try await home.setPassphrase()
        try await home.forgettingKeys {
            let askpass = try AskpassProgram(home, answers: [nil])
            let outcome = try await fill(askpass)
            #expect(outcome.status == 128, "\(outcome)")
            #expect(
                outcome.errorText.hasPrefix("lanyard: error: cancelled: nothing was changed\n"),
                "\(outcome)")
            #expect(try askpass.questions().count == 1)
            #expect(try await home.lockState() == "locked")
        }
    }

    @Test func wrongThreeTimes() async throws {
        try await home.setPassphrase()
        try await home.forgettingKeys {
            let askpass = try AskpassProgram(home, answers: ["wrong"])
            let outcome = try await fill(askpass)
            #expect(outcome.status == 128, "\(outcome)")
            #expect(outcome.errorText.hasPrefix("lanyard: error: wrong passphrase\n"))
            #expect(try askpass.questions().count == 3)
            #expect(try await home.lockState() == "locked")
        }
    }

    /// A program that is not there must not be taken for the user refuses.
    @Test func missing() async throws {
        try await home.setPassphrase()
        let outcome = try await home.command(
            "setsid", ["-w", "lanyard", "get", "x"],
            variables: ["LANYARD_ASKPASS": "\(home.path)/nowhere"]
        ).run()
        #expect(outcome.status != 0)
        #expect(!outcome.errorText.contains("cancelled"), "\(outcome)")
    }
}
