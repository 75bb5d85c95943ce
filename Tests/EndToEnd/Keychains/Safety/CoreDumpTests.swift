import Foundation
import Glibc
import Testing
@testable import EndToEndRig

/// A program of ours that is killed while it holds secrets leaves no core file.
@Suite(.needs(.python), .timeLimit(.minutes(10)))
struct CoreDumpTests {
    private static let prompt = "passphrase for the keychain 'login': "
    private static let secret = "marked-secret-in-memory"
    private static let signals = [SIGSEGV, SIGABRT, SIGBUS, SIGILL, SIGFPE, SIGSYS, SIGTRAP]
    /// What a script beside the terminal looks at.
    private static let look = "grep '^Max core file size' \"/proc/$1/limits\""

    let home: ScratchHome
    /// Where core files would be.
    private let folder: String

    init() throws {
        home = try ScratchHome()
        folder = "\(home.path)/cores"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false)
    }

    /// Whether a program that does nothing against it leaves a core file here: else the tests below
    /// show less.
    private func leavesCores(_ test: String) async throws -> Bool {
        let pattern = try String(contentsOfFile: "/proc/sys/kernel/core_pattern", encoding: .utf8)
            .trimmingCharacters(in: .newlines)
        _ = try await home.command(
            "sh",
            ["-c", "cd \"$1\"; ulimit -c unlimited; sh -c 'kill -SEGV $$'", "sh", folder]
        ).run()
        let cores = try FileManager.default.contentsOfDirectory(atPath: folder)
        for core in cores {
            try FileManager.default.removeItem(atPath: "\(folder)/\(core)")
        }
        if cores.isEmpty {
            print(
                "skipped: part of \(test): no program leaves a core file where it is: "
                    + "core_pattern is '\(pattern)'")
        }
        return !cores.isEmpty
    }

    private func expectNoCore(_ what: String) throws {
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [], "\(what)")
    }

    private func expectForbidden(_ seen: [String]) {
        #expect(seen.count == 1)
        let core = seen.first?.split(separator: "\n").first ?? ""
        #expect(core.wholeMatch(of: /Max core file size +0 +0 .*/) != nil, "\(seen)")
    }

    @Test(.needs(.ownSignals), arguments: signals)
    func whileAnAnswerIsWritten(signal: Int32) async throws {
        _ = try await leavesCores(#function)
        let request = "protocol=https\nhost=a.example\nusername=ada\n"
        // More than a pipe holds.
        let password = String(repeating: CoreDumpTests.secret, count: 10_000)
        try await home.store("\(request)password=\(password)\n")
        let session = try await Dialogue(home: home).run(
            """
            ulimit -c unlimited
            mkfifo "$1/fifo"
            exec 9<>"$1/fifo"
            cd "$1/cores"
            printf 'protocol=https\\nhost=a.example\\nusername=ada\\n\\n' >"$1/request"
            git-credential-lanyard get <"$1/request" >&9 2>"$1/errors" &
            until [ "$(cut -d ' ' -f 3 /proc/$!/stat)" = S ] &&
                timeout 0.1 head -c 1 <&9 | grep -q u; do
                :
            done
            echo blocked
            wait $!
            """, home.path,
            steps: [
                .sees("blocked"), .looks(CoreDumpTests.look, at: "git-credential-lanyard"),
                .sends(signal, to: "git-credential-lanyard"),
            ])
        session.expect(status: 128 + signal)
        // What Swift traps with.
        let isTrap = [SIGILL, SIGTRAP].contains(signal)
        #expect(
            try home.text("errors")
                == (isTrap ? "lanyard: error: stopped by a fault in lanyard itself\n" : ""))
        expectForbidden(session.seen)
        try expectNoCore("\(session)")
    }

    @Test(.needs(.ownSignals), arguments: signals)
    func whileAPersonIsAsked(signal: Int32) async throws {
        _ = try await leavesCores(#function)
        try await home.set("x", secret: CoreDumpTests.secret)
        try await home.setPassphrase()
        let terminal = Dialogue(
            home: home, variables: ["PATH": try await home.pathWith(), "TERM": "xterm"])
        let session = try await terminal.run(
            "ulimit -c unlimited; cd \"$1\"; lanyard get x", folder,
            steps: [
                .asked(CoreDumpTests.prompt), .types("\(CoreDumpTests.secret)\n"),
                .asked(CoreDumpTests.prompt), .looks(CoreDumpTests.look, at: "lanyard"),
                .sends(signal, to: "lanyard"),
            ])
        #expect(session.status == 128 + signal, "\(session)")
        expectForbidden(session.seen)
        try expectNoCore("\(session)")
    }

    /// Whoever raises the limit of a running program, and may, gets no core file for it.
    @Test(.needs(.ownSignals, .prlimit)) func withTheLimitRaised() async throws {
        let leavesCores = try await leavesCores(#function)
        try await home.set("x", secret: CoreDumpTests.secret)
        try await home.setPassphrase()
        let terminal = Dialogue(
            home: home, variables: ["PATH": try await home.pathWith(), "TERM": "xterm"])
        let session = try await terminal.run(
            "cd \"$1\"; lanyard get x", folder,
            steps: [
                .asked(CoreDumpTests.prompt), .types("\(CoreDumpTests.secret)\n"),
                .asked(CoreDumpTests.prompt),
                .looks("prlimit --core=unlimited --pid \"$1\" && echo raised", at: "lanyard"),
                .sends(SIGSEGV, to: "lanyard"),
            ])
        #expect(session.status == 128 + SIGSEGV, "\(session)")
        guard session.seen == ["raised\n"], leavesCores else {
            print("skipped: \(#function): the limit of another program can't be raised here")
            return
        }
        try expectNoCore("\(session)")
    }

    /// A process that is not dumpable belongs to root, for /proc.
    @Test(.needs(.root, .anotherUser), arguments: ["lanyard", "docker-credential-lanyard"])
    func isNotDumpable(program: String) async throws {
        let copy = "\(home.path)/copy"
        try await home.shell(
            "cp \"$(command -v \"$1\")\" \"$2\"; chmod 755 \"$2\"", program, copy)
        let arguments = program == "lanyard" ? ["set", "x", "--stdin"] : ["store"]
        let command = try home.command(
            "setpriv", AnotherUser.arguments + [copy] + arguments,
            variables: ["LANYARD_HOME": try home.folderOfAnotherUser()])
        _ = try await command.run { process in
            var status = stat()
            for _ in 0..<2000 {
                let name = try String(contentsOfFile: "/proc/\(process)/comm", encoding: .utf8)
                #expect(stat("/proc/\(process)/environ", &status) == 0)
                if name == "copy\n", status.st_uid == 0 {
                    return
                }
                try await Task.sleep(for: .milliseconds(20))
            }
            Issue.record("the process is dumpable: it belongs to \(status.st_uid)")
        }
    }
}
