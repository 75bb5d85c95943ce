import Foundation
import Glibc
import Testing
@testable import EndToEndRig

/// `lanyard exec`: programs that are given secrets.
@Suite(.timeLimit(.minutes(10)))
struct ExecEndToEndTests {
    let home: ScratchHome

    init() async throws {
        home = try ScratchHome()
        try await home.set("x", secret: "the secret")
        try await home.set("https://example.com", "ada", secret: "ada's")
        try await home.set("https://example.com", "bob", secret: "bob's")
    }

    @Test func variables() async throws {
        let outcome = try await home.lanyard(
            "exec", "--env", "TOKEN=x", "--env", "ADA=https://ada@example.com",
            "--env", "BOB=https://example.com", "--account", "BOB=bob", "--", "sh", "-c",
            #"printf '%s|%s|%s|%s' "$TOKEN" "$ADA" "$BOB" "$OTHER""#,
            variables: ["OTHER": "stays", "TOKEN": "is replaced"])
        expectAnswer(outcome, "the secret|ada's|bob's|stays")
    }

    @Test func files() async throws {
        let outcome = try await home.lanyard(
            "exec", "--file", "FILE=x", "--", "sh", "-c",
            """
            cat "$FILE" "$1"; printf '|'; sh -c 'cat "$FILE"'; printf '|%s' "$2"
            stat -Lc '|%a' "$FILE"
            """,
            "sh", "{FILE}", "--as={FILE}s and ${FILE} and {OTHER}")
        #expect(outcome.status == 0, "\(outcome)")
        let parts = outcome.outputText.split(separator: "|").map(String.init)
        try #require(parts.count == 4, "\(outcome)")
        #expect(parts[0] == "the secretthe secret" && parts[1] == "the secret")
        #expect(
            parts[2].wholeMatch(of: #/--as=/proc/\d+/fd/\d+s and \$\{FILE\} and \{OTHER\}/#) != nil
        )
        #expect(parts[3] == "400\n")
        #expect(outcome.errorText == "")
    }

    @Test func aFileHasEveryByteAndNoOther() async throws {
        let every = String(decoding: (0..<128).map { UInt8($0) }, as: UTF8.self)
        try await home.set("every", secret: every + "\n")
        let outcome = try await home.lanyard("exec", "--file", "F=every", "--", "cat", "{F}")
        expectAnswer(outcome, every)
    }

    /// Python and Node close all descriptors of what they start.
    @Test(.needs(.python)) func filesOfChildrenWithoutDescriptors() async throws {
        let outcome = try await home.lanyard(
            "exec", "--file", "F=x", "--", "python3", "-c",
            "import os, subprocess; subprocess.run(['cat', os.environ['F']])")
        expectAnswer(outcome, "the secret")
    }

    /// Such as a program with a shim in a script.
    @Test func filesStayWithinAnotherExec() async throws {
        let outcome = try await home.lanyard(
            "exec", "--file", "A=x", "--", "sh", "-c",
            #"lanyard exec --file B=https://ada@example.com -- sh -c 'cat "$A" "$B"'"#)
        expectAnswer(outcome, "the secretada's")
        // A file of a variable that the inner one replaces is closed.
        let replaced = try await home.lanyard(
            "exec", "--file", "A=x", "--", "sh", "-c",
            """
            lanyard exec --file A=https://ada@example.com -- sh -c \
                'cat "$A"; ls -l /proc/self/fd | grep -c memfd:lanyard'
            """)
        expectAnswer(replaced, "ada's1\n")
    }

    @Test func filesCannotBeChanged() async throws {
        let outcome = try await home.lanyard(
            "exec", "--file", "F=x", "--", "sh", "-c",
            """
            (echo other >"$F") 2>/dev/null && exit 1
            (echo other >>"$F") 2>/dev/null && exit 2
            (exec 3<>"$F" && echo other >&3) 2>/dev/null && exit 3
            cat "$F"
            """)
        expectAnswer(outcome, "the secret")
    }

    @Test func noSecretIsAnArgumentOrOnTheDisk() async throws {
        let before = try Snapshot(home.lanyard)
        let outcome = try await home.lanyard(
            "exec", "--file", "F=x", "--env", "E=x", "--", "sh", "-c",
            #"tr '\0' '\n' <"/proc/$$/cmdline""#, "sh", "{F}", "{E}")
        #expect(outcome.status == 0, "\(outcome)")
        #expect(!outcome.outputText.contains("the secret"), "\(outcome)")
        #expect(outcome.outputText.hasSuffix("\n{E}\n"), "\(outcome)")
        #expect(try Snapshot(home.lanyard).contentDifferences(from: before) == [])
    }

    /// The process itself becomes the program.
    @Test func statusSignalsAndProcess() async throws {
        let status = try await home.lanyard("exec", "--", "sh", "-c", "exit 7")
        #expect(status.status == 7)
        let killed = try await home.lanyard("exec", "--", "sh", "-c", "kill -TERM $$")
        #expect(killed.status == nil, "\(killed)")
        let same = try await home.shell(
            "sh -c 'echo $$; exec lanyard exec --env A=x -- sh -c \"echo \\$\\$\"'")
        let lines = same.outputText.split(separator: "\n")
        #expect(lines.count == 2 && lines[0] == lines[1], "\(same)")
    }

    @Test func theProgramIsEndedByWhatEndsPrograms() async throws {
        let script = "grep -E '^Sig(Blk|Ign|Cgt)' /proc/self/status"
        // systemd starts its services with SIGPIPE ignored.
        for trap in [":", "trap '' PIPE XFSZ"] {
            let direct = try await home.shell("\(trap); exec sh -c \"$1\"", script)
            let through = try await home.shell("\(trap); exec lanyard exec -- sh -c \"$1\"", script)
            #expect(through.outputText == direct.outputText)
        }
        let piped = try await home.shell("lanyard exec -- yes | head -1")
        #expect(piped.outputText == "y\n" && piped.errorText == "", "\(piped)")
    }

    @Test func noOtherDescriptorIsHandedOn() async throws {
        let list =
            #"for fd in /proc/$$/fd/*; do readlink "$fd"; done; echo "<$LANYARD_PASSPHRASE_FILE>""#
        let path = try home.write("not needed\n", to: "passphrase")
        let byNumber = try await home.shell(
            """
            exec 9<"$2"
            exec env LANYARD_PASSPHRASE_FILE=9 lanyard exec --file F=x -- sh -c "$1"
            """, list, path)
        let lines = byNumber.outputText.split(separator: "\n").map(String.init)
        #expect(lines.count == 5, "\(byNumber)")
        #expect(lines.count { $0.hasPrefix("/memfd:lanyard") } == 1, "\(byNumber)")
        #expect(!lines.contains { $0.contains(path) }, "\(byNumber)")
        #expect(lines.last == "<>", "\(byNumber)")
        let byPath = try await home.lanyard(
            "exec", "--", "sh", "-c", list, variables: ["LANYARD_PASSPHRASE_FILE": path])
        #expect(byPath.outputText.hasSuffix("<\(path)>\n"), "\(byPath)")
    }

    @Test(
        arguments: [
            (["exec"], 64, "missing program"),
            (["exec", "--", "no-such-program"], 127, "program 'no-such-program' not found"),
            (["exec", "--", "./no-such-program"], 127, "program './no-such-program' not found"),
            (["exec", "--", "/etc/passwd"], 126, "can't be run"),
            (["exec", "--", "/etc"], 126, "can't be run"),
            (["exec", "--env", "A=nothing", "--", "true"], 44, "item 'nothing' not found"),
            (
                ["exec", "--netrc", "A=https://no.example", "--", "true"], 44,
                "item 'https://no.example' not found"
            ),
            (["exec", "--env", "A=x", "--env", "A=x", "--", "true"], 64, "given twice"),
            (["exec", "--env", "A", "--", "true"], 64, "equals sign"),
            (
                ["exec", "--group", "git", "--env", "A=x", "--", "true"], 44,
                "the group 'git' has no item"
            ),
            (["exec", "true"], 64, "missing -- before the program 'true'"),
        ] as [([String], Int32, String)])
    func refused(arguments: [String], status: Int32, message: String) async throws {
        let outcome = try await home.command("lanyard", arguments).run()
        #expect(outcome.status == status, "\(outcome)")
        #expect(outcome.errorText.hasPrefix("lanyard: error: "), "\(outcome)")
        #expect(outcome.errorText.contains(message), "\(outcome)")
        #expect(outcome.output.isEmpty, "\(outcome)")
    }

    /// As with a shell and env(1).
    @Test func aScriptWithoutAnInterpreterIsTheShells() async throws {
        let script = try home.write(
            "printf '%s|' \"$TOKEN\" \"$0\" \"$@\"; exit 3\n", to: "a script", mode: 0o700)
        let outcome = try await home.lanyard(
            "exec", "--env", "TOKEN=x", "--", script, "a b", "")
        #expect(outcome.outputText == "the secret|\(script)|a b||", "\(outcome)")
        #expect(outcome.status == 3, "\(outcome)")
    }

    @Test(
        arguments: [
            ("\u{7F}ELF\u{0}\u{0}\n", "Exec format error"),
            ("#!/no/interpreter\n", "its interpreter is missing"),
            ("#!/bin/sh\r\n", "its interpreter is missing"),
        ])
    func aProgramThatNothingRuns(content: String, reason: String) async throws {
        let program = try home.write(content, to: "program", mode: 0o700)
        let outcome = try await home.lanyard("exec", "--", program)
        #expect(outcome.status == 126, "\(outcome)")
        #expect(
            outcome.errorText == """
                lanyard: error: the program '\(program)' can't be run: \(reason)

                """)
    }

    /// The system takes 32 pages at most, which are 2 MiB with the largest pages.
    @Test func aVariableIsNotTooLong() async throws {
        try await home.set("long", secret: String(repeating: "x", count: 2_097_152))
        let outcome = try await home.lanyard("exec", "--env", "A=long", "--", "true")
        #expect(outcome.status == 126, "\(outcome)")
        #expect(
            outcome.errorText == """
                lanyard: error: the program 'true' can't be run: its arguments and variables are too long
                lanyard: hint: pass a long secret in a file: lanyard exec --file NAME=ITEM -- PROGRAM

                """)
        let file = try await home.lanyard("exec", "--file", "A=long", "--", "wc", "-c", "{A}")
        #expect(file.outputText.hasPrefix("2097152 "), "\(file)")
    }

    @Test func aVariableHoldsNoNUL() async throws {
        try await home.set("nul", secret: "a\u{0}b")
        let outcome = try await home.lanyard("exec", "--env", "A=nul", "--", "true")
        #expect(outcome.status == 64, "\(outcome)")
        #expect(
            outcome.errorText == """
                lanyard: error: the secret for 'A' contains a NUL
                lanyard: hint: pass it in a file: --file A=…

                """)
        let file = try await home.lanyard("exec", "--file", "A=nul", "--", "cat", "{A}")
        expectAnswer(file, "a\u{0}b")
    }

    @Test func gitsLoginsAreTheirPasswords() async throws {
        try await home.store(
            """
            protocol=https
            host=git.example.com
            username=ada
            password=p
            oauth_refresh_token=r

            """)
        let outcome = try await home.lanyard(
            "exec", "--env", "A=https://git.example.com", "--netrc", "N=https://git.example.com",
            "--", "sh", "-c", "printf '%s|' \"$A\"; cat \"$N\"")
        expectAnswer(outcome, "p|machine git.example.com\nlogin ada\npassword p\n")
    }

    @Test func lockedKeychain() async throws {
        try await home.setPassphrase()
        expectLocked(try await home.lanyard("exec", "--env", "A=x", "--", "echo", "never"))
        let given = try await home.lanyardUnlocked(
            "exec", "--env", "A=x", "--", "sh", "-c", "printf %s \"$A\"")
        expectAnswer(given, "the secret")
    }
}

/// Real programs that want files.
@Suite(.needs(.git, .lighttpd, .curl), .timeLimit(.minutes(10)))
struct ExecWithCurlTests {
    let home: ScratchHome

    init() throws {
        home = try ScratchHome()
    }

    @Test(arguments: ["right", "r\"i\\g ht#'", "pässwörd"])
    func curlLogsInWithANetrcFile(password: String) async throws {
        let repository = GitServer.Repository(users: ["ada": password])
        try await GitServer.serve(home, [repository]) { server in
            let url = "\(server.url())/info/refs?service=git-upload-pack"
            let curl = ["curl", "-sS", "-o", "/dev/null", "-w", "%{http_code}", url]
            let without = try await home.command("curl", Array(curl.dropFirst())).run()
            #expect(without.outputText == "401", "\(without)")
            try await home.set(server.origin, "ada", secret: password)
            let outcome = try await home.command(
                "lanyard",
                ["exec", "--netrc", "NETRC=\(server.origin)", "--"] + curl
                    + ["--netrc-file", "{NETRC}"]
            ).run()
            #expect(outcome.status == 0, "\(outcome)")
            #expect(outcome.outputText == "200", "\(outcome)")
        }
    }
}
