import Foundation
import Testing

/// A program at a terminal of its own, where a user types.
struct PseudoTerminal {
    /// What the user does at the prompt.
    enum Act: Sendable {
        case types(String)
        case sends(Int32)
    }

    /// What came of it.
    struct Session: Decodable, CustomStringConvertible {
        let status: Int32
        /// All that was on the terminal, from the prompt on.
        let shown: String
        /// Whether what is typed was shown, while the program asked.
        let echo: Bool
        /// The terminal's settings before and after the program: `stty -g`.
        let before: String
        let after: String

        var description: String { "status \(status), echo \(echo): \(shown.debugDescription)" }
    }

    let home: ScratchHome

    /// Runs a program, and for each act waits for a prompt.
    func run(
        _ arguments: String..., variables: [String: String?] = [:], then acts: Act...
    ) async throws -> Session {
        let steps = acts.map { act in
            switch act {
            case .types(let text): "t" + text
            case .sends(let signal): "s\(signal)"
            }
        }
        let outcome = try await home.command(
            "python3",
            ["-c", PseudoTerminal.script, steps.joined(separator: "\u{1F}")] + arguments,
            variables: variables
        ).run()
        try #require(outcome.status == 0, "\(outcome)")
        return try JSONDecoder().decode(Session.self, from: Data(outcome.output))
    }

    /// The shell leads the session: a terminal forgets its settings with its leader.
    private static let script = """
        import json, os, pty, re, select, sys, termios, time
        steps, program = sys.argv[1].split("\\u001F"), sys.argv[2:]
        pid, terminal = pty.fork()
        if pid == 0:
            shell = ('trap : INT QUIT TSTP HUP TERM; echo "<$(stty -g)>"; "$@"; status=$?; '
                     'echo "<$(stty -g) $status>"')
            os.execvp("sh", ["sh", "-c", shell, "sh"] + program)
        out = b""
        def read():
            global out
            if select.select([terminal], [], [], 0.05)[0]:
                try:
                    more = os.read(terminal, 65536)
                except OSError:
                    return False
                out += more
                return more != b""
            return True
        end = time.time() + 100
        for step in steps:
            seen = len(out)
            while ((len(out) == seen or not out.endswith((b": ", b"] ")))
                   and time.time() < end and read()):
                pass
            echo = bool(termios.tcgetattr(terminal)[3] & termios.ECHO)
            if step[0] == "t":
                text = step[1:].encode()
                while text:
                    text = text[os.write(terminal, text[:1000]):]
            else:
                for child in open(f"/proc/{pid}/task/{pid}/children").read().split():
                    os.kill(int(child), int(step[1:]))
        while time.time() < end and read():
            pass
        match = re.fullmatch(rb"<(\\\\S+)>\\r\\n(.*)<(\\\\S+) (\\\\d+)>\\r\\n", out, re.DOTALL)
        if not match:
            os.kill(pid, 9)
            sys.exit(repr(out))
        print(json.dumps({"before": match[1].decode(), "shown": match[2].decode(), "echo": echo,
                          "after": match[3].decode(), "status": int(match[4])}))
        """.replacing("\\\\", with: "\\")
}

/// Expects that a program ended with a status, and left the terminal as it was.
func expectRestored(
    _ session: PseudoTerminal.Session, status: Int32,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    #expect(session.status == status, "\(session)", sourceLocation: sourceLocation)
    #expect(session.after == session.before, "\(session)", sourceLocation: sourceLocation)
}
