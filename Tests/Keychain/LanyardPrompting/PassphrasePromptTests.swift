import TestSupport
import Foundation
import Glibc
import KeychainServices
import Testing

@testable import LanyardPrompting

@Suite("prompts for a passphrase", .serialized, .timeLimit(.minutes(5)))
struct PassphrasePromptTests {
    let terminal: TestTerminal
    let folder: ScratchFolder

    init() throws {
        terminal = try TestTerminal()
        folder = try ScratchFolder()
    }

    private static let pinentry = """
        echo OK
        while read -r line; do
            case $line in GETPIN) echo D pinentry ;; esac
            echo OK
        done
        """

    /// Without the machine's own pinentry.
    private func stage() -> Stage {
        var stage = Stage(folder, terminal)
        stage.variables = ["PATH": folder.path]
        return stage
    }

    @Test("the first program that works")
    func order() async throws {
        var stage = stage()
        stage.scripts = ["pinentry": PassphrasePromptTests.pinentry, "ask": "echo askpass"]
        stage.variables["LANYARD_ASKPASS"] = "ask"
        await #expect(processExitsWith: .success) { [stage = stage as Stage] in
            try stage.enter()
            expect(.answer("pinentry"), ask)
            chmod("\(stage.folder)/pinentry", 0)
            expect(.answer("askpass"), ask)
            try "#!/bin/sh\nexit 1\n".write(
                toFile: "\(stage.folder)/ask", atomically: false, encoding: .utf8)
            expect(.cancelled, ask)
        }
        #expect(terminal.read() == "")
    }

    @Test("at the terminal, with the previous mistake")
    func atTheTerminal() async throws {
        var stage = stage()
        stage.variables["TERM"] = "dumb"
        let person = Person(at: terminal, asked: "': ", types: "pass\n")
        await #expect(processExitsWith: .success) { [stage = stage as Stage] in
            try stage.enter()
            expect(.answer("pass")) { () throws(KeychainError) in
                try PassphrasePrompt.ask(.sample(error: "not right"), hint: "hint")
            }
        }
        #expect(
            try person.shown()
                == "lanyard: error: not right\r\npassphrase for the keychain 'wo%20rk': \r\n")
        #expect(terminal.isAsBefore)
    }

    /// Others wait for the answer.
    @Test func anAbandonedQuestionEnds() async throws {
        let stage = stage()
        await #expect(processExitsWith: .success) { [stage = stage as Stage] in
            try stage.enter()
            expect(.unanswered) { () throws(KeychainError) in
                try Terminal(hint: "hint").readLine(
                    prompt: "passphrase: ", echo: false, timeLimit: 200)
            }
        }
        #expect(terminal.read() == "passphrase: \r\n")
        #expect(terminal.isAsBefore)
        #expect(PassphraseQuestion(wanted: .passphrase).timeLimit == 90_000)
        #expect(PassphraseQuestion(wanted: .recoveryKey).timeLimit == 90_000)
        #expect(PassphraseQuestion(wanted: .newPassphrase).timeLimit == nil)
    }

    @Test(
        "a new passphrase is asked for at the terminal alone",
        arguments: [
            (true, "new passphrase for the keychain 'w': "), (false, "new passphrase again: "),
        ])
    func newPassphrase(isFirst: Bool, prompt: String) async throws {
        var stage = stage()
        stage.scripts = ["pinentry": PassphrasePromptTests.pinentry, "ask": "echo askpass"]
        stage.variables["LANYARD_ASKPASS"] = "ask"
        stage.outcome = isFirst ? .answer("new") : .answer("again")
        let person = Person(at: terminal, asked: ": ", types: isFirst ? "new\n" : "again\n")
        await #expect(processExitsWith: .success) { [stage = stage as Stage] in
            try stage.enter()
            let isFirst = stage.outcome == .answer("new")
            expect(stage.outcome) { () throws(KeychainError) in
                try PassphrasePrompt.ask(
                    PassphraseQuestion(
                        keychain: "w", wanted: isFirst ? .newPassphrase : .newPassphraseAgain),
                    hint: "hint")
            }
        }
        #expect(try person.shown() == "\(prompt)\r\n")
    }

    /// Nor is it asked for by an askpass program: that may be the one that is to answer.
    @Test func whatAnotherProgramAsks() async throws {
        var stage = stage()
        stage.scripts = ["ask": "echo askpass"]
        stage.variables["LANYARD_ASKPASS"] = "ask"
        stage.outcome = .answer("typed")
        let person = Person(at: terminal, asked: ": ", types: "typed\n")
        await #expect(processExitsWith: .success) { [stage = stage as Stage] in
            try stage.enter()
            expect(stage.outcome) { () throws(KeychainError) in
                try PassphrasePrompt.ask(
                    PassphraseQuestion(wanted: .answer("ada@host's \u{1B}[2Jpassword: ")),
                    hint: "hint")
            }
        }
        #expect(try person.shown() == "ada@host's \\u{1B}[2Jpassword: \r\n")
    }

    /// Also where there is a pinentry: at a terminal it would hide the answer.
    @Test(arguments: [false, true]) func whatIsNoSecretIsShown(hasPinentry: Bool) async throws {
        var stage = stage()
        if hasPinentry {
            stage.scripts = ["pinentry": PassphrasePromptTests.pinentry]
        }
        stage.outcome = .answer("ada")
        let person = Person(at: terminal, asked: ": ", echoes: true, types: "ada\n")
        await #expect(processExitsWith: .success) { [stage = stage as Stage] in
            try stage.enter()
            expect(stage.outcome) { () throws(KeychainError) in
                try PassphrasePrompt.ask(
                    PassphraseQuestion(wanted: .answer("username: ", isShown: true)), hint: "hint")
            }
        }
        #expect(try person.shown() == "username: ada\r\n")
    }

    @Test("it does not prompt without a terminal, in the background, or where that is forbidden")
    func noPrompt() async throws {
        var stage = stage()
        let noPrompt = Outcome.error(
            Status.interactionNotAllowed.rawValue, "there is no terminal to prompt at")
        stage.outcome = noPrompt
        await #expect(processExitsWith: .success) { [stage = stage as Stage] in
            try stage.enter()
            inTheBackground {
                expect(stage.outcome, ask)
                expect(stage.outcome) { () throws(KeychainError) in
                    try askForSecret(prompt: "secret: ", hint: "hint")
                }
                expect(stage.outcome) { () throws(KeychainError) in
                    try askForConsent("really? ", hint: "hint")
                    return nil
                }
            }
        }
        stage.terminal = nil
        await #expect(processExitsWith: .success) { [stage = stage as Stage] in
            try stage.enter()
            expect(stage.outcome, ask)
            let error = #expect(throws: KeychainError.self) { _ = try ask() }
            #expect(error?.hint == "hint")
        }
        stage.terminal = terminal.path
        stage.scripts = ["pinentry": PassphrasePromptTests.pinentry, "ask": "echo askpass"]
        stage.variables["LANYARD_ASKPASS"] = "ask"
        stage.variables["LANYARD_NO_PROMPT"] = "1"
        stage.outcome = .error(
            Status.interactionNotAllowed.rawValue, "LANYARD_NO_PROMPT forbids prompts")
        await #expect(processExitsWith: .success) { [stage = stage as Stage] in
            try stage.enter()
            expect(stage.outcome, ask)
        }
        #expect(terminal.read() == "")
    }

    /// A terminal's own path is for others to open, whatever the standard streams are.
    @Test func theTerminalsPath() async throws {
        let stage = stage()
        await #expect(processExitsWith: .success) { [stage = stage as Stage] in
            try stage.enter()
            let path = ControllingTerminal()?.path
            #expect(path == stage.terminal)
            inTheBackground { #expect(!ControllingTerminal.isUsable) }
        }
    }
}

private func ask() throws(KeychainError) -> Secret? {
    try PassphrasePrompt.ask(.sample(), hint: "hint")
}
