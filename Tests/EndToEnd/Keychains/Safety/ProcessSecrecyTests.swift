import Foundation
import Glibc
import Testing
@testable import EndToEndRig

/// While the helper runs only root can read a secret out of it.
@Suite(.timeLimit(.minutes(10)))
struct ProcessSecrecyTests {
    let home: ScratchHome
    let request = "protocol=https\nhost=example.com\nusername=ada\n"
    let secret = "distinctive-secret"

    init() throws {
        home = try ScratchHome()
    }

    private func expectNothingToSee(
        _ process: pid_t, _ program: Executable = .git
    ) throws {
        for name in ["cmdline", "environ", "comm", "stat", "status"] {
            #expect(!(try home.proc(process, name).contains(secret)), "\(name)")
        }
        #expect(try home.proc(process, "cmdline").contains(program.name))
        #expect(try home.proc(process, "environ").contains("LANYARD_HOME="))
        // No core file either.
        let limits = try home.proc(process, "limits").split(separator: "\n")
        let core = try #require(limits.first { $0.hasPrefix("Max core file size") })
        #expect(core.contains(/size +0 +0\b/), "\(core)")
    }

    @Test(.needs(.secretsOfProcesses), arguments: Executable.built)
    func whileItReadsARequest(
        _ program: Executable
    ) async throws {
        let command = try home.command(
            program.name, program.storing, input: Array(program.login(secret).utf8))
        let (outcome, _) = try await command.run { process in
            try await home.waitUntilBlocked(process, in: program.name)
            try expectNothingToSee(process, program)
        }
        expectAnswer(outcome, "")
    }

    @Test(.needs(.secretsOfProcesses), arguments: [Executable.lanyard, .git, .docker])
    func whileItWritesAnAnswer(
        _ program: Executable
    ) async throws {
        // More than a pipe holds.
        let long = String(repeating: secret, count: 10_000)
        let stored = try await home.command(
            program.name, program.storing, input: Array(program.login(long).utf8)
        ).run()
        expectAnswer(stored, "")
        let input = try home.write(program.question, to: "request")
        let command = try home.command(
            "sh",
            [
                "-c",
                """
                mkfifo "$2"
                exec 9<>"$2"
                input=$1; shift 2
                exec "$@" <"$input" >&9
                """, "sh", input, "\(home.path)/fifo", program.name,
            ] + program.getting)
        _ = try await command.run { process in
            try await home.waitUntilBlocked(process, in: program.name)
            try expectNothingToSee(process, program)
            kill(process, SIGKILL)
        }
    }

    @Test(.needs(.root, .anotherUser)) func notEvenAnotherProcessOfTheUserReadsItsMemory()
        async throws
    {
        let login = Array("\(request)password=\(secret)\n".utf8)
        let helper = try home.copyOfHelper()
        let folder = try home.folderOfAnotherUser()
        func peeks(_ program: [String], named name: String) async throws -> (Bool, Bool, uid_t) {
            let command = try home.command(
                "setpriv", AnotherUser.arguments + program, input: login,
                variables: ["LANYARD_HOME": folder])
            let (_, seen) = try await command.run { process in
                try await home.waitUntilBlocked(process, in: name)
                func reads(_ file: String) async throws -> Bool {
                    try await home.command(
                        "setpriv",
                        AnotherUser.arguments
                            + [
                                "sh", "-c", "exec head -c 1 \"$1\"", "sh",
                                "/proc/\(process)/\(file)",
                            ]
                    ).run().status == 0
                }
                func opens(_ file: String) async throws -> Bool {
                    try await home.command(
                        "setpriv",
                        AnotherUser.arguments
                            + ["sh", "-c", "exec <\"$1\"", "sh", "/proc/\(process)/\(file)"]
                    ).run().status == 0
                }
                var status = stat()
                #expect(stat("/proc/\(process)/environ", &status) == 0)
                return (try await reads("environ"), try await opens("mem"), status.st_uid)
            }
            return seen
        }
        // What any program of the user's shows, to give the refusals below a meaning.
        let other = try await peeks(["cat"], named: "cat")
        #expect(other.0 && other.2 == AnotherUser.id)

        let ours = try await peeks([helper, "store"], named: "git-credential-lanyard")
        #expect(!ours.0, "environ can be read")
        #expect(!ours.1, "mem can be opened")
        #expect(ours.2 == 0, "the process is dumpable")
        if !other.1 {
            print(
                "skipped: part of \(#function): this system never allows opening /proc/PID/mem")
        }
    }
}
