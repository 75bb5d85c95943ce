import Foundation
import Glibc
import KeychainServices
import TestSupport
import Testing

@testable import LanyardPrompting

// What the tests share that prompt with another program, each in a process of its own.

/// What asking comes to.
enum Outcome: Codable, Sendable, Equatable {
    case answer(String)
    /// This way can't prompt.
    case noPrompt
    case error(Int32, String)

    static let cancelled = Outcome.error(
        Status.userCanceled.rawValue, "cancelled: nothing was changed")
    static let unanswered = Outcome.error(
        Status.userCanceled.rawValue, "no answer in time: nothing was changed")
    static let tooLong = Outcome.error(
        Status.dataTooLarge.rawValue, "the answer is longer than 1024 bytes")

    init(_ ask: () throws(KeychainError) -> Secret?) {
        do throws(KeychainError) {
            guard let answer = try ask() else {
                self = .noPrompt
                return
            }
            self = .answer(
                answer.withBytes { span in
                    String(decoding: span.indices.map { span[$0] }, as: UTF8.self)
                })
        } catch {
            self = .error(error.status.rawValue, error.reason)
        }
    }
}

/// Expects that asking comes to this, and that no child is left, dead ones included.
func expect(
    _ outcome: Outcome, sourceLocation: SourceLocation = #_sourceLocation,
    _ ask: () throws(KeychainError) -> Secret?
) {
    let found = Outcome(ask)
    #expect(found == outcome, "\(found)", sourceLocation: sourceLocation)
    let child = waitpid(-1, nil, WNOHANG)
    #expect(child == -1 && errno == ECHILD, sourceLocation: sourceLocation)
}

/// What an exit test is given.
struct Stage: Codable, Sendable {
    var terminal: String?
    let folder: String
    var variables: [String: String] = [:]
    var scripts: [String: String] = [:]
    var outcome = Outcome.noPrompt

    /// - Parameter folder: First in PATH.
    init(_ folder: ScratchFolder, _ terminal: TestTerminal? = nil) {
        self.terminal = terminal?.path
        self.folder = folder.path
    }

    /// Makes this process, which must be one of its own, a helper at the terminal, where nothing is
    /// set up for asking but the folder of programs and the variables.
    func enter() throws {
        #expect(setsid() != -1)
        if let terminal {
            #expect(open(terminal, O_RDWR) != -1)
        }
        // As `hardenProcess` has it.
        signal(SIGPIPE, SIG_IGN)
        for variable in [
            "DISPLAY", "WAYLAND_DISPLAY", "SSH_ASKPASS", "SSH_ASKPASS_REQUIRE", "LANYARD_ASKPASS",
            "LANYARD_NO_PROMPT", "LC_ALL", "LC_CTYPE", "LANG",
        ] {
            unsetenv(variable)
        }
        setenv("TERM", "xterm", 1)
        setenv("PATH", "\(folder):/usr/bin:/bin", 1)
        for (name, value) in variables {
            setenv(name, value, 1)
        }
        // Not before: a program that another test starts could still have them open for writing,
        // and then they can't be run.
        for (name, text) in scripts {
            let file = "\(folder)/\(name)"
            try "#!/bin/sh\n\(text)\n".write(toFile: file, atomically: false, encoding: .utf8)
            chmod(file, 0o755)
        }
    }
}

/// Leaves the terminal to another process group while a closure runs.
func inTheBackground(_ body: () -> Void) {
    signal(SIGTTOU, SIG_IGN)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
    // No child of ours: the shell's.
    let words = [strdup("sh"), strdup("-c"), strdup("/bin/sleep 60 >/dev/null 2>&1 &"), nil]
    var group: pid_t = 0
    #expect(posix_spawn(&group, "/bin/sh", nil, &attributes, words, environ) == 0)
    #expect(waitpid(group, nil, 0) == group)
    let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC)
    #expect(tcsetpgrp(terminal, group) == 0)
    close(terminal)
    body()
    kill(-group, SIGKILL)
}

/// Sends this process a signal, a moment after it begins to catch it.
func signalSoon(_ number: Int32) {
    let process = getpid()
    Thread.detachNewThread {
        var action = sigaction()
        while action.__sigaction_handler.sa_handler == nil {
            usleep(50_000)
            sigaction(number, nil, &action)
        }
        usleep(200_000)
        kill(process, number)
    }
}

extension PassphraseQuestion {
    static func sample(error: String? = nil) -> PassphraseQuestion {
        PassphraseQuestion(keychain: "wo%20rk", wanted: .passphrase, error: error)
    }
}
