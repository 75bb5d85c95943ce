import Foundation
import Glibc
import Testing
@testable import EndToEndRig

/// Programs that are started with standard streams closed: no file takes their numbers.
@Suite(.timeLimit(.minutes(10)))
struct ClosedStreamsTests {
    let home: ScratchHome
    private let secret = "distinctive-secret"

    init() throws {
        home = try ScratchHome()
    }

    private func target(_ process: pid_t, _ descriptor: Int) throws -> String {
        try FileManager.default.destinationOfSymbolicLink(
            atPath: "/proc/\(process)/fd/\(descriptor)")
    }

    /// What is open on 0, 1 and 2 while a program waits; nothing of what is written there is kept.
    private func expectHarmless(
        _ closed: [Int], _ process: pid_t, _ program: Executable
    ) async throws {
        try await home.waitUntilBlocked(process, in: program.name)
        for descriptor in closed {
            #expect(try target(process, descriptor) == "/dev/null", "\(program) \(descriptor)")
            let flags = try home.proc(process, "fdinfo/\(descriptor)")
            #expect(flags.contains(/flags:\t0\d*0\n/), "it can be written: \(flags)")
        }
    }

    @Test(.needs(.secretsOfProcesses), arguments: Executable.built, [[1], [2], [1, 2]])
    func whileASecretIsRead(_ program: Executable, _ closed: [Int]) async throws {
        let redirections = closed.map { "\($0)>&-" }.joined(separator: " ")
        let command = try home.command(
            "sh", ["-c", "exec \"$0\" \"$@\" \(redirections)", program.name] + program.storing)
        _ = try await command.run { process in
            try await expectHarmless(closed, process, program)
        }
    }

    /// The secret is longer than what a pipe holds.
    @Test(.needs(.secretsOfProcesses), arguments: [Executable.lanyard, .git, .docker])
    func whileASecretIsWritten(_ program: Executable) async throws {
        let long = String(repeating: secret, count: 10_000)
        let stored = try await home.command(
            program.name, program.storing, input: Array(program.login(long).utf8)
        ).run()
        #expect(stored.status == 0, "\(stored)")
        guard program == .lanyard else {
            // The others read their question from the stream that would be closed.
            return
        }
        let command = try home.command(
            "sh",
            [
                "-c",
                """
                mkfifo "$1"
                exec 9<>"$1"
                exec lanyard get example >&9 <&- 2>&-
                """, "sh", "\(home.path)/fifo",
            ])
        _ = try await command.run { process in
            try await expectHarmless([0, 2], process, .lanyard)
            kill(process, SIGKILL)
        }
    }

    /// Each way to close some of them, for each program and operation: the keychain is not harmed, and
    /// an answer that can't be written is an error.
    @Test(arguments: Executable.built) func nothingIsWrittenElsewhere(
        _ program: Executable
    ) async throws {
        for other in [Executable.lanyard, .git, .docker] {
            let stored = try await home.command(
                other.name, other.storing, input: Array(other.login(secret).utf8)
            ).run()
            #expect(stored.status == 0, "\(stored)")
        }
        let before = try Snapshot(home.lanyard).contents
        for closed in 1..<8 {
            let redirections = [0, 1, 2].filter { closed & 1 << $0 != 0 }.map { "\($0)>&-" }
                .joined(separator: " ")
            for arguments in [program.getting, ["get", "nothing"], ["--help"], ["--nonsense"]] {
                let outcome = try await home.command(
                    "sh", ["-c", "exec \"$0\" \"$@\" \(redirections)", program.name] + arguments,
                    input: Array(program.question.utf8)
                ).run()
                #expect(outcome.status != nil, "\(outcome)")
                let isAnswered = arguments != ["--nonsense"] && closed & 1 == 0
                if closed & 2 != 0, isAnswered, program != .plugin || arguments == ["--help"] {
                    #expect(outcome.status != 0, "\(redirections) \(outcome)")
                }
                #expect(try Snapshot(home.lanyard).contents == before, "\(outcome)")
            }
        }
    }

    /// Where there is not even a /dev/null.
    @Test(.needs(.root, .mounts, .releaseBuild), arguments: [Executable.lanyard, .git, .docker])
    func withoutDevices(_ program: Executable) async throws {
        let programs = try home.copiesOfPrograms([program.name])
        let command = try home.command(
            "unshare",
            [
                "-m", "--propagation", "private", "sh", "-euc",
                """
                root=$1; shift
                mkdir "$root/proc"
                mount -t proc proc "$root/proc"
                exec chroot "$root" "$@" >&- 2>&-
                """, "sh", programs, "/\(program.name)",
            ] + program.storing, variables: ["LANYARD_HOME": "/home"])
        _ = try await command.run { process in
            try await home.waitUntilBlocked(process, in: program.name)
            for descriptor in [1, 2] {
                #expect(try target(process, descriptor) == programs)
            }
        }
    }
}
