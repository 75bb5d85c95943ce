import Foundation
import Glibc
import KeychainServices
import TestSupport
import Testing

@testable import LanyardPrompting

@Suite("a question that allows something", .serialized, .timeLimit(.minutes(5)))
struct ConfirmationPromptTests {
    let folder: ScratchFolder

    init() throws {
        folder = try ScratchFolder()
    }

    private static let allowed = Outcome.answer("allowed")
    private static let denied = Outcome.answer("denied")

    /// A pinentry that takes what is sent before the question.
    private static let start = """
        echo OK hello
        while read -r line; do
            echo "$line" >>"$0.log"
            case $line in CONFIRM) break ;; *) echo OK ;; esac
        done

        """

    /// Asks in a process of its own.
    private func expectOutcome(_ stage: Stage) async {
        await #expect(processExitsWith: .success) { [stage = stage as Stage] in
            try stage.enter()
            expect(stage.outcome) { () throws(KeychainError) in
                do throws(KeychainError) {
                    let isAllowed = try ConfirmationPrompt.ask(["Allow \u{1B}x?", "y"], hint: "")
                    return Secret(isAllowed ? "allowed" : "denied")
                } catch {
                    guard error.status == .interactionNotAllowed else {
                        throw error
                    }
                    return nil
                }
            }
        }
    }

    @Test(
        "pinentry's answer",
        arguments: [
            ("echo OK", allowed), ("echo 'ERR 83886179 cancelled'", denied),
            ("echo 'ERR 83886194 not confirmed'", denied), ("echo 'ERR 83886278'", denied),
            ("echo 'ERR 83886142 timeout'", denied), ("echo 'ERR 83918950 no terminal'", .noPrompt),
            ("exit", .noPrompt), ("echo nonsense", .noPrompt),
        ])
    func pinentry(script: String, outcome: Outcome) async throws {
        var stage = Stage(folder)
        stage.variables = ["DISPLAY": ":7"]
        stage.scripts = [
            "pinentry": ConfirmationPromptTests.start + script + "\nread -r line; echo OK"
        ]
        stage.outcome = outcome
        await expectOutcome(stage)
        let log = try String(contentsOfFile: "\(folder.path)/pinentry.log", encoding: .utf8)
        #expect(log.contains("SETDESC Allow \\u{1B}x?%0Ay\n"), "\(log)")
        #expect(log.contains("SETOK Allow\nSETCANCEL Deny\n"), "\(log)")
        #expect(!log.contains("GETPIN"))
    }

    @Test(
        "an askpass program's answer",
        arguments: [
            (":", allowed), ("echo", allowed), ("echo yes", allowed), ("echo YES", allowed),
            ("echo no", denied), ("echo yes please", denied), ("exit 1", denied),
            ("echo yes; exit 1", denied), ("kill -9 $$", denied),
            ("[ \"$SSH_ASKPASS_PROMPT\" = confirm ]", allowed),
            ("[ \"$1\" = \"$(printf 'Allow \\\\u{1B}x?\\ny')\" ]", allowed),
            ("[ \"$LANYARD_NO_PROMPT\" = 1 ]", allowed),
        ])
    func askpass(script: String, outcome: Outcome) async throws {
        var stage = Stage(folder)
        stage.scripts = ["ask": script]
        stage.variables = [
            "LANYARD_ASKPASS": "\(folder.path)/ask", "SSH_ASKPASS_PROMPT": "none",
        ]
        stage.outcome = outcome
        await expectOutcome(stage)
    }

    @Test("no one is asked where LANYARD_NO_PROMPT is set, nor at a terminal")
    func noPrompt() async throws {
        var stage = Stage(folder)
        stage.scripts = ["ask": "echo yes"]
        stage.variables = [
            "LANYARD_ASKPASS": "\(folder.path)/ask", "LANYARD_NO_PROMPT": "1",
        ]
        await expectOutcome(stage)
        let terminal = try TestTerminal()
        stage = Stage(folder, terminal)
        stage.scripts = ["pinentry": "exit"]
        await expectOutcome(stage)
    }
}
