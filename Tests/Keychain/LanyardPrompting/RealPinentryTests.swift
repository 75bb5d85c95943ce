import TestSupport
import Foundation
import Glibc
import KeychainServices
import Testing

@testable import LanyardPrompting

@Suite(
    "the real pinentries", .serialized, .timeLimit(.minutes(5)),
    .enabled("pinentry-tty or pinentry-curses is missing") {
        ["tty", "curses"].allSatisfy {
            FileManager.default.isExecutableFile(atPath: "/usr/bin/pinentry-\($0)")
        }
    })
struct RealPinentryTests {
    let terminal: TestTerminal
    let folder: ScratchFolder

    init() throws {
        terminal = try TestTerminal()
        folder = try ScratchFolder()
    }

    @Test(
        "ask at the terminal, and leave it as it was",
        arguments: [("tty", "\n"), ("curses", "\r")], ["pass phrase", "ä€ 50%25 %", ""])
    func answer(kind: (String, String), typed: String) async throws {
        var stage = try stage(kind.0)
        stage.outcome = .answer(typed)
        let person = Person(at: terminal, asked: "passphrase:", types: typed + kind.1)
        await #expect(processExitsWith: .success) { [stage = stage as Stage] in
            try stage.enter()
            expect(stage.outcome) { () throws(KeychainError) in
                try Pinentry.ask(.sample(error: "this is not right"))
            }
        }
        let shown = try person.shown()
        #expect(shown.contains("Unlock the keychain 'wo%20rk'"), "\(shown.debugDescription)")
        #expect(shown.contains("this is not right"), "\(shown.debugDescription)")
        #expect(terminal.isAsBefore)
    }

    @Test(
        "keys that cancel: ^C, ^\\, ^Z",
        arguments: ["tty", "curses"], ["\u{3}", "ab\u{3}", "ab\u{1C}", "ab\u{1A}"])
    func cancelled(kind: String, typed: String) async throws {
        let stage = try stage(kind)
        let person = Person(at: terminal, asked: "passphrase:", types: typed)
        await #expect(processExitsWith: .success) { [stage = stage as Stage] in
            try stage.enter()
            expect(.cancelled) { () throws(KeychainError) in try Pinentry.ask(.sample()) }
        }
        let shown = try person.shown()
        // Where it had a screen of its own, it has left it; but pinentry-curses never learns of ^\.
        #expect(
            typed.contains("\u{1C}")
                || shown.ranges(of: "[?1049h").count == shown.ranges(of: "[?1049l").count,
            "\(shown.debugDescription)")
        #expect(terminal.isAsBefore)
    }

    @Test("no answer, and a signal from elsewhere", arguments: ["tty", "curses"])
    func unanswered(kind: String) async throws {
        let stage = try stage(kind)
        await #expect(processExitsWith: .success) { [stage = stage as Stage] in
            try stage.enter()
            // A child's end that nothing else waits for must be ours.
            signal(SIGCHLD, SIG_IGN)
            expect(.unanswered) { () throws(KeychainError) in
                try Pinentry.ask(.sample(), limits: .init(answer: 500))
            }
            signalSoon(SIGTERM)
            expect(.cancelled) { () throws(KeychainError) in try Pinentry.ask(.sample()) }
        }
        #expect(terminal.isAsBefore)
    }

    @Test("it does not prompt without a terminal for it", arguments: ["tty", "curses"])
    func nowhere(kind: String) async throws {
        var stage = try stage(kind)
        await #expect(processExitsWith: .success) { [stage = stage as Stage] in
            try stage.enter()
            unsetenv("TERM")
            expect(.noPrompt) { () throws(KeychainError) in try Pinentry.ask(.sample()) }
            setenv("TERM", "dumb", 1)
            expect(.noPrompt) { () throws(KeychainError) in try Pinentry.ask(.sample()) }
            setenv("TERM", "xterm", 1)
            inTheBackground {
                expect(.noPrompt) { () throws(KeychainError) in try Pinentry.ask(.sample()) }
            }
        }
        #expect(terminal.read() == "")
        stage.terminal = nil
        await #expect(processExitsWith: .success) { [stage = stage as Stage] in
            try stage.enter()
            expect(.noPrompt) { () throws(KeychainError) in try Pinentry.ask(.sample()) }
            setenv("DISPLAY", ":0", 1)
            expect(.noPrompt) { () throws(KeychainError) in try Pinentry.ask(.sample()) }
        }
    }

    private func stage(_ kind: String) throws -> Stage {
        try FileManager.default.createSymbolicLink(
            atPath: "\(folder.path)/pinentry", withDestinationPath: "/usr/bin/pinentry-\(kind)")
        return Stage(folder, terminal)
    }
}
