import Foundation
import Testing

/// A script at a terminal of its own, and a user there who waits for questions and answers them.
struct Dialogue {
    /// What the user does, one thing after another.
    enum Step: Sendable {
        /// Waits for a text that was not there before, and until what is typed is no longer shown.
        case asked(String)
        /// Waits for a text, with what is typed being shown.
        case sees(String)
        case types(String)
        /// Sends a signal to the program of that name that the script has started.
        case sends(Int32, to: String)
        /// Runs a script beside the terminal, `$1` being the id of the program of that name.
        case looks(String, at: String)

        fileprivate var words: [String] {
            switch self {
            case .asked(let text): ["asked", text]
            case .sees(let text): ["sees", text]
            case .types(let text): ["types", text]
            case .sends(let signal, let name): ["sends", name, "\(signal)"]
            case .looks(let script, let name): ["looks", name, script]
            }
        }
    }

    /// What came of it.
    struct Session: Decodable, CustomStringConvertible {
        let status: Int32
        /// All that was on the terminal while the script ran.
        let shown: String
        /// What each ``Step/looks(_:at:)`` printed.
        let seen: [String]
        /// The terminal's settings before and after the script: `stty -g`.
        let before: String
        let after: String

        var description: String { "status \(status), \(seen): \(shown.debugDescription)" }
    }

    let home: ScratchHome
    /// Added to the environment of the script; nil takes one away.
    var variables: [String: String?] = [:]

    /// Runs a script, `$1` and on being the arguments; it must end on its own after the last step.
    func run(
        _ script: String, _ arguments: String..., steps: [Step] = [],
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Session {
        try await run(
            script, arguments: arguments, steps: steps, sourceLocation: sourceLocation)
    }

    /// The same, with the arguments in a list.
    func run(
        _ script: String, arguments: [String], steps: [Step],
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Session {
        let order = Order(
            script: script, arguments: arguments, steps: steps.map(\.words), variables: variables)
        var command = try home.command(
            "python3", ["-c", Dialogue.person], input: Array(try JSONEncoder().encode(order)))
        // Where much else runs, a passphrase takes its time.
        command.timeLimit = .seconds(600)
        let outcome = try await command.run()
        try #require(outcome.status == 0, "\(outcome)", sourceLocation: sourceLocation)
        return try JSONDecoder().decode(Session.self, from: Data(outcome.output))
    }

    private struct Order: Encodable {
        let script: String
        let arguments: [String]
        let steps: [[String]]
        let variables: [String: String?]
    }

    /// The shell leads the session: a terminal forgets its settings with its leader. What is typed
    /// comes by standard input, and no process's arguments contain it.
    private static let person = """
        import fcntl, json, os, pty, re, select, signal, subprocess, struct, sys, termios, time
        order = json.load(sys.stdin)
        pid, terminal = pty.fork()
        if pid == 0:
            # Before the script, which may choose another size.
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
            for name, value in order["variables"].items():
                os.environ.pop(name, None)
                if value is not None:
                    os.environ[name] = value
            # Python ignores it, and who ignores it hands that on.
            signal.signal(signal.SIGPIPE, signal.SIG_DFL)
            # A program that is killed may leave one behind that still puts the terminal right.
            shell = ('left() { for stat in /proc/[0-9]*/stat; do '
                     '{ read -r line <"$stat"; } 2>/dev/null || continue; '
                     'set -- "${line%% *}" ${line##*) }; '
                     '[ "$5" != $$ ] || [ "$1" = $$ ] || return 0; done; return 1; }; '
                     'trap : INT QUIT TSTP HUP TERM; script=$1; shift; echo "<$(stty -g)>"; '
                     'eval "$script"; status=$?; tries=0; '
                     'while [ $status -gt 128 ] && [ $tries -lt 200 ] && left; do '
                     'sleep 0.05; tries=$((tries + 1)); done; echo "<$(stty -g) $status>"')
            sh = "/bin/sh"
            os.execv(sh, ["sh", "-c", shell, "sh", order["script"]] + order["arguments"])
        out, taken, seen = b"", 0, []
        def read():
            global out
            if select.select([terminal], [], [], 0.02)[0]:
                try:
                    more = os.read(terminal, 65536)
                except OSError:
                    return False
                out += more
                return more != b""
            return True
        def fail(reason):
            os.killpg(pid, signal.SIGKILL)
            sys.exit(f"{reason}: {out!r}")
        def shows():
            return bool(termios.tcgetattr(terminal)[3] & termios.ECHO)
        def find(name):
            for entry in os.listdir("/proc"):
                if not entry.isdigit():
                    continue
                try:
                    with open(f"/proc/{entry}/stat") as file:
                        text = file.read()
                except OSError:
                    continue
                comm = text[text.index("(") + 1:text.rindex(")")]
                fields = text[text.rindex(")") + 2:].split()
                if comm == name[:15] and int(fields[3]) == pid:
                    return int(entry)
            fail(f"there is no {name}")
        for step, *words in order["steps"]:
            end = time.time() + 120
            if step in ("asked", "sees"):
                text, echo = words[0].encode(), step == "sees"
                while text not in out[taken:] or shows() != echo:
                    if time.time() > end or not read():
                        fail(f"no {words[0]!r}")
                taken = out.index(text, taken) + len(text)
            elif step == "types":
                text = words[0].encode()
                while text:
                    text = text[os.write(terminal, text[:1000]):]
            elif step == "sends":
                os.kill(find(words[0]), int(words[1]))
            else:
                seen.append(subprocess.run(["sh", "-c", words[1], "sh", str(find(words[0]))],
                                           capture_output=True, text=True).stdout)
        end = time.time() + 120
        while read():
            if time.time() > end:
                fail("it does not end")
        match = re.fullmatch(rb"<(\\S+)>\\r\\n(.*)<(\\S+) (\\d+)>\\r\\n", out, re.DOTALL)
        if not match:
            fail("it ended without a word")
        print(json.dumps({"before": match[1].decode(), "shown": match[2].decode(errors="replace"),
                          "after": match[3].decode(), "status": int(match[4]), "seen": seen}))
        """
}

extension Dialogue.Session {
    /// Expects a status, and that the terminal is as it was.
    func expect(
        status: Int32, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(self.status == status, "\(self)", sourceLocation: sourceLocation)
        #expect(before == after, "\(self)", sourceLocation: sourceLocation)
    }
}

extension ScratchHome {
    /// A PATH with links to Lanyard's programs and to these others, and nothing else: no pinentry
    /// that is not named.
    ///
    /// - Parameter programs: Names, or `NAME=PATH` for a link to another program.
    func pathWith(_ programs: String...) async throws -> String {
        let folder = "\(path)/bin-\(UUID().uuidString)"
        let script = """
            mkdir "$1"
            cd "$1"
            shift
            for name in sh stty cat printf sleep env lanyard git-credential-lanyard \\
                docker-credential-lanyard "$@"; do
                program=${name#*=}
                ln -s "$(command -v "$program")" "${name%%=*}"
            done
            """
        let outcome = try await command("sh", ["-euc", script, "sh", folder] + programs).run()
        try #require(outcome.status == 0, "\(outcome)")
        return folder
    }
}
