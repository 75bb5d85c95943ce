import TestSupport
import Foundation
import Glibc
import KeychainServices
import Testing

@testable import LanyardPrompting

@Suite("a pinentry of any kind", .serialized, .timeLimit(.minutes(5)))
struct PinentryTests {
    let folder: ScratchFolder

    init() throws {
        folder = try ScratchFolder()
    }

    /// Greets, and takes what is sent before the question.
    private static let start = """
        echo OK hello
        while read -r line; do
            echo "$line" >>"$0.log"
            case $line in GETPIN) break ;; *bad*) echo ERR 83886254 ;; *) echo OK ;; esac
        done

        """

    @Test(
        "answers",
        arguments: [
            ("echo 'D pass'; echo OK", .answer("pass")),
            (
                "echo 'D pa'; echo '# note'; echo 'S NOTE x'; echo D; echo 'D ss'; echo OK",
                .answer("pass")
            ),
            ("echo 'D 100%25%0A%0d%e2%82%AC +'; echo OK done", .answer("100%\n\r€ +")),
            ("echo OK", .answer("")),
            ("printf 'D %0998d\\nOK\\n' 7", .answer(String(repeating: "0", count: 997) + "7")),
            ("printf 'D %0512d\\nD %0512d\\nOK\\n' 1 1", .answer(twice(512))),
            ("printf 'D %0512d\\nD %0513d\\nOK\\n' 1 1", .tooLong),
            ("yes D 1234567", .tooLong),
            ("printf 'D pass\\r\\nOK\\n'", .answer("pass\r")),
            // Who does not go away when told to.
            ("trap '' TERM; echo 'D pass'; echo OK; exec sleep 1000", .answer("pass")),
            ("echo 'ERR 83886179 Operation cancelled'", .cancelled),
            ("echo 'ERR 83886278 Operation fully cancelled'", .cancelled),
            ("echo 'ERR 99'", .cancelled),
            ("echo 'ERR 83886142 Timeout'", .unanswered),
        ] as [(String, Outcome)])
    func answers(script: String, outcome: Outcome) async throws {
        try await expectOutcome(PinentryTests.start + script + "\nread -r line; echo OK", outcome)
    }

    private static func twice(_ count: Int) -> String {
        String(repeating: String(repeating: "0", count: count - 1) + "1", count: 2)
    }

    @Test(
        "the next program is tried if one can't prompt",
        arguments: [
            "exit 0", "exit 3", "echo nonsense; exec sleep 1000", "echo; exec sleep 1000", "yes",
            "head -c 2000 /dev/zero; exec sleep 1000", "head -c 1000000 /dev/zero", "kill -9 $$",
            "echo 'ERR 83886254 no'; exec sleep 1000", "echo OK; exec sleep 1000",
            "exec sleep 1000",
            "trap '' TERM; while :; do sleep 0.1; done", "exec >&-; exec sleep 1000",
            "\(start)exit", "\(start)echo 'D pa'; exit", "\(start)echo OKAY; exec sleep 1000",
            "\(start)printf 'D %01999d\\nOK\\n' 7", "\(start)echo 'D %4'; echo OK",
            "\(start)echo 'D %zz'; echo OK", "\(start)echo 'D %'; echo OK", "\(start)echo ERR",
            "\(start)echo 'ERR 99999999999'", "\(start)echo 'ERR 83918950 not a terminal'",
            "\(start)echo 'INQUIRE x'; exec sleep 1000",
        ])
    func noAnswer(script: String) async throws {
        try await expectOutcome(script, .noPrompt)
    }

    @Test(
        "a signal that ends it, and reaches us a moment later",
        arguments: ["INT", "QUIT", "HUP"])
    func lateSignal(name: String) async throws {
        let late = "(exec >&- <&-; sleep 0.5; kill -\(name) $PPID) &"
        try await expectOutcome("\(late)\nkill -\(name) $$", .cancelled)
        try await expectOutcome("\(PinentryTests.start)\(late)\nkill -\(name) $$", .cancelled)
    }

    private func expectOutcome(_ script: String, _ outcome: Outcome) async throws {
        var stage = stage(script)
        stage.outcome = outcome
        await #expect(processExitsWith: .success) { [stage = stage as Stage] in
            try stage.enter()
            // One that answers has all the time that it needs to start.
            let start: Int64 = stage.outcome == .noPrompt ? 1500 : 60_000
            expect(stage.outcome) { () throws(KeychainError) in
                try Pinentry.ask(.sample(), limits: .init(start: start, answer: 20_000, end: 200))
            }
        }
    }

    @Test func whatItIsTold() async throws {
        let terminal = try TestTerminal()
        var stage = stage("\(PinentryTests.start)echo D $LANYARD_NO_PROMPT; echo OK")
        stage.terminal = terminal.path
        stage.variables = ["LC_CTYPE": "en_US.bad", "LANYARD_PASSPHRASE_FILE": "/x"]
        await #expect(processExitsWith: .success) { [stage = stage as Stage] in
            try stage.enter()
            expect(.answer("1")) { () throws(KeychainError) in
                try Pinentry.ask(.sample(error: "50%\r\nGETPIN"))
            }
        }
        #expect(
            try String(contentsOfFile: "\(folder.path)/pinentry.log", encoding: .utf8) == """
                OPTION ttyname=\(terminal.path)
                OPTION ttytype=xterm
                OPTION lc-ctype=en_US.bad
                SETTITLE Lanyard
                SETDESC Unlock the keychain 'wo%2520rk'
                SETPROMPT passphrase:
                SETERROR 50%25\\u{D}\\u{A}GETPIN
                SETTIMEOUT 60
                GETPIN

                """)
    }

    @Test("it has no descriptors of ours, no arguments, and signals as usual")
    func whatItHas() async throws {
        let stage = stage(
            """
            echo "$#" >"$0.log"
            ls -m /proc/self/fd >>"$0.log"
            sed -n 's/^Sig\\(Blk\\|Ign\\|Cgt\\):.*\\(......\\)$/\\1 \\2/p' /proc/self/status >>"$0.log"
            """)
        await #expect(processExitsWith: .success) { [stage = stage as Stage] in
            try stage.enter()
            #expect(dup(1) > 2)
            signal(SIGXFSZ, SIG_IGN)
            var all = sigset_t()
            sigfillset(&all)
            pthread_sigmask(SIG_BLOCK, &all, nil)
            expect(.noPrompt) { () throws(KeychainError) in try Pinentry.ask(.sample()) }
        }
        // 3 is that of ls, for the folder.
        let log = try String(contentsOfFile: "\(folder.path)/pinentry.log", encoding: .utf8)
        #expect(
            log == """
                0
                0, 1, 2, 3
                Blk 000000
                Ign 000000
                Cgt 000000

                """)
    }

    @Test func whatIsNoProgram() async throws {
        let stage = Stage(folder)
        _ = try folder.write("pinentry", "#!/bin/sh\n".utf8)
        await #expect(processExitsWith: .success) { [stage = stage as Stage] in
            try stage.enter()
            setenv("DISPLAY", ":0", 1)
            let file = "\(stage.folder)/pinentry"
            for folders in [stage.folder, "", "/nonexistent::", ":."] {
                setenv("PATH", folders, 1)
                chdir(folders == stage.folder ? "/" : stage.folder)
                expect(.noPrompt) { () throws(KeychainError) in try Pinentry.ask(.sample()) }
                chmod(file, 0o755)
            }
            // Its interpreter is missing.
            setenv("PATH", stage.folder, 1)
            try "#!/nonexistent\n".write(toFile: file, atomically: false, encoding: .utf8)
            expect(.noPrompt) { () throws(KeychainError) in try Pinentry.ask(.sample()) }
        }
    }

    @Test("a terminal that it leaves changed when it is killed is restored")
    func terminalAfterTheEnd() async throws {
        let terminal = try TestTerminal()
        var stage = stage(
            """
            trap 'stty -F \(terminal.path) -echo -icanon; exit' TERM
            \(PinentryTests.start)
            while :; do sleep 0.02; done
            """)
        stage.terminal = terminal.path
        await #expect(processExitsWith: .success) { [stage = stage as Stage] in
            try stage.enter()
            expect(.unanswered) { () throws(KeychainError) in
                try Pinentry.ask(.sample(), limits: .init(answer: 100))
            }
        }
        #expect(terminal.isAsBefore)
    }

    /// Where this is the pinentry, and windows can be shown.
    private func stage(_ script: String) -> Stage {
        var stage = Stage(folder)
        stage.variables = ["DISPLAY": ":0"]
        stage.scripts = ["pinentry": script]
        return stage
    }
}
