import TestSupport
import Foundation
import Glibc
import KeychainServices
import Testing

@testable import LanyardPrompting

@Suite("an askpass program", .serialized, .timeLimit(.minutes(5)))
struct AskpassTests {
    let folder: ScratchFolder

    init() throws {
        folder = try ScratchFolder()
    }

    @Test(
        "its output's first line is the answer, its exit status says whether",
        arguments: [
            ("echo pass", .answer("pass")),
            ("printf pass", .answer("pass")),
            ("printf 'pass\\r\\nmore\\n'", .answer("pass")),
            ("printf 'two\\nlines\\n'", .answer("two")),
            ("printf '\\n'", .answer("")),
            (":", .answer("")),
            ("printf 'pa'; sleep 0.2; echo ss", .answer("pass")),
            (
                "echo \"$1$#$LANYARD_NO_PROMPT\"",
                .answer("passphrase for the keychain 'wo%20rk': 11")
            ),
            ("cat; echo pass", .answer("pass")),
            ("printf '%01024d\\n' 1", .answer(String(repeating: "0", count: 1023) + "1")),
            ("printf '%01025d\\n' 1", .tooLong),
            ("head -c 1000000 /dev/zero", .tooLong),
            ("echo pass; head -c 1000000 /dev/zero", .answer("pass")),
            ("sleep 6 & echo pass", .answer("pass")),
            ("sleep 6 & exit 1", .cancelled),
            ("echo pass; exit 1", .cancelled),
            ("exit 255", .cancelled),
            ("kill -9 $$", .cancelled),
            ("exec sleep 1000", .unanswered),
            ("echo pass; exec sleep 1000", .unanswered),
            ("echo pass; exec >&-; exec sleep 1000", .unanswered),
            ("trap '' TERM; while :; do sleep 0.05; done", .unanswered),
            ("yes", .tooLong),
        ] as [(String, Outcome)])
    func answers(script: String, outcome: Outcome) async throws {
        var stage = Stage(folder)
        stage.scripts = ["ask": script]
        stage.variables = ["LANYARD_ASKPASS": "\(folder.path)/ask"]
        stage.outcome = outcome
        await #expect(processExitsWith: .success) { [stage = stage as Stage] in
            try stage.enter()
            let start = ContinuousClock.now
            expect(stage.outcome) { () throws(KeychainError) in
                try Askpass.ask(.sample(), timeLimit: stage.outcome == .unanswered ? 300 : 20_000)
            }
            #expect(ContinuousClock.now - start < .seconds(15))
        }
    }

    /// It would look in the keychain that is to be unlocked.
    @Test func ourOwnProgramIsNotAsked() async throws {
        var stage = Stage(folder)
        stage.scripts = ["askpass-lanyard": "echo pass", "other": "echo pass"]
        await #expect(processExitsWith: .success) { [stage = stage as Stage] in
            try stage.enter()
            setenv("SSH_ASKPASS_REQUIRE", "force", 1)
            for name in ["askpass-lanyard", "\(stage.folder)/askpass-lanyard"] {
                setenv("SSH_ASKPASS", name, 1)
                expect(.noPrompt) { () throws(KeychainError) in try Askpass.ask(.sample()) }
            }
            setenv("SSH_ASKPASS", "other", 1)
            expect(.answer("pass")) { () throws(KeychainError) in try Askpass.ask(.sample()) }
        }
    }

    @Test func theErrorIsShown() async throws {
        var stage = Stage(folder)
        stage.scripts = ["ask": "echo \"$1\" | head -n 1"]
        stage.variables = ["LANYARD_ASKPASS": "ask"]
        await #expect(processExitsWith: .success) { [stage = stage as Stage] in
            try stage.enter()
            expect(.answer("not right\\u{A}")) { () throws(KeychainError) in
                try Askpass.ask(.sample(error: "not right\n"))
            }
        }
    }

    @Test func aSignalCancels() async throws {
        var stage = Stage(folder)
        stage.scripts = ["ask": "exec sleep 1000"]
        stage.variables = ["LANYARD_ASKPASS": "ask"]
        await #expect(processExitsWith: .success) { [stage = stage as Stage] in
            try stage.enter()
            signalSoon(SIGHUP)
            expect(.cancelled) { () throws(KeychainError) in try Askpass.ask(.sample()) }
        }
    }

    /// Each with whether there is a terminal.
    @Test(
        "the program that prompts",
        arguments: [
            (["LANYARD_ASKPASS": "ours", "SSH_ASKPASS": "ssh"], true, "ours"),
            (["LANYARD_ASKPASS": "ours", "SSH_ASKPASS_REQUIRE": "never"], true, "ours"),
            (["LANYARD_ASKPASS": "", "SSH_ASKPASS": "ssh"], false, "ssh"),
            (["LANYARD_ASKPASS": "none", "SSH_ASKPASS": "ssh"], false, nil),
            (["LANYARD_ASKPASS": "/nonexistent"], false, nil),
            (["SSH_ASKPASS": "ssh"], false, "ssh"),
            (["SSH_ASKPASS": "ssh"], true, nil),
            (["SSH_ASKPASS": "ssh", "DISPLAY": ":0"], true, "ssh"),
            (["SSH_ASKPASS": "ssh", "WAYLAND_DISPLAY": "w"], true, "ssh"),
            (["SSH_ASKPASS": "ssh", "SSH_ASKPASS_REQUIRE": "force"], true, "ssh"),
            (["SSH_ASKPASS": "ssh", "SSH_ASKPASS_REQUIRE": "prefer"], true, "ssh"),
            (["SSH_ASKPASS": "ssh", "SSH_ASKPASS_REQUIRE": "odd"], true, nil),
            (["SSH_ASKPASS": "ssh", "SSH_ASKPASS_REQUIRE": "never", "DISPLAY": ":0"], false, nil),
            ([:], false, nil),
        ] as [([String: String], Bool, String?)])
    func program(variables: [String: String], hasTerminal: Bool, name: String?) async throws {
        let terminal = hasTerminal ? try TestTerminal() : nil
        var stage = Stage(folder, terminal)
        stage.scripts = ["ours": "echo ours", "ssh": "echo ssh"]
        stage.variables = variables
        stage.outcome = name.map { .answer($0) } ?? .noPrompt
        await #expect(processExitsWith: .success) { [stage = stage as Stage] in
            try stage.enter()
            expect(stage.outcome) { () throws(KeychainError) in try Askpass.ask(.sample()) }
        }
    }
}
