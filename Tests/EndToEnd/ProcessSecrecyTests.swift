import Foundation
import Glibc
import Testing

/// While the helper runs nobody but root reads a secret out of it.
@Suite(.timeLimit(.minutes(10)))
struct ProcessSecrecyTests {
    let home: ScratchHome
    let request = "protocol=https\nhost=example.com\nusername=ada\n"
    let secret = "distinctive-secret"

    init() throws {
        home = try ScratchHome()
    }

    private func proc(_ process: pid_t, _ name: String) throws -> String {
        String(decoding: try home.read("/proc/\(process)/\(name)"), as: UTF8.self)
    }

    /// Waits until a program is the one that is meant, and sleeps.
    private func waitUntilBlocked(_ process: pid_t, in name: String) async throws {
        var quiet = 0
        for _ in 0..<400 {
            let command = try proc(process, "comm")
            let stat = try proc(process, "stat")
            let state = stat.split(separator: ")").last?.split(separator: " ").first
            quiet = command == "\(name.prefix(15))\n" && state == "S" ? quiet + 1 : 0
            if quiet == 5 {
                return
            }
            try await Task.sleep(for: .milliseconds(20))
        }
        Issue.record("the helper does not wait: \(try proc(process, "status"))")
    }

    private func expectNothingToSee(_ process: pid_t) throws {
        for name in ["cmdline", "environ", "comm", "stat", "status"] {
            #expect(!(try proc(process, name).contains(secret)), "\(name)")
        }
        #expect(try proc(process, "cmdline").contains("git-credential-lanyard"))
        #expect(try proc(process, "environ").contains("LANYARD_HOME="))
        // No core file either.
        let limits = try proc(process, "limits").split(separator: "\n")
        let core = try #require(limits.first { $0.hasPrefix("Max core file size") })
        #expect(core.contains(/size +0 +0\b/), "\(core)")
    }

    @Test func whileItReadsARequest() async throws {
        let login = "\(request)password=\(secret)\n"
        let command = try home.command(
            "git-credential-lanyard", ["store"], input: Array(login.utf8))
        let (outcome, _) = try await command.run { process in
            try await waitUntilBlocked(process, in: "git-credential-lanyard")
            try expectNothingToSee(process)
        }
        expectAnswer(outcome, "")
    }

    @Test func whileItWritesAnAnswer() async throws {
        // More than a pipe holds.
        let password = String(repeating: secret, count: 10_000)
        try await home.store("\(request)password=\(password)\n")
        let input = try home.write(request, to: "request")
        let command = try home.command(
            "sh",
            [
                "-c",
                """
                mkfifo "$2"
                exec 9<>"$2"
                exec git-credential-lanyard get <"$1" >&9
                """, "sh", input, "\(home.path)/fifo",
            ])
        _ = try await command.run { process in
            try await waitUntilBlocked(process, in: "git-credential-lanyard")
            try expectNothingToSee(process)
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
                try await waitUntilBlocked(process, in: name)
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
        // What any program of the user's shows, so that the refusals below mean something.
        let other = try await peeks(["cat"], named: "cat")
        #expect(other.0 && other.2 == AnotherUser.id)

        let ours = try await peeks([helper, "store"], named: "helper")
        #expect(!ours.0, "environ can be read")
        #expect(!ours.1, "mem can be opened")
        #expect(ours.2 == 0, "the process is dumpable")
        if !other.1 {
            print(
                "skipped: part of \(#function): this system lets nobody open /proc/PID/mem anyway")
        }
    }

    @Test(.needs(.root, .anotherUser), arguments: [mode_t(0o4755), 0o2755])
    func moreRightsThanItsUserHasAreRefused(_ mode: mode_t) async throws {
        let helper = try home.copyOfHelper()
        let folder = try home.folderOfAnotherUser()
        #expect(chown(helper, 65533, 65533) == 0)
        #expect(chmod(helper, mode) == 0)
        let control = "\(home.path)/id"
        try await home.shell(
            "cp \"$(command -v id)\" \"$1\"; chown 65533:65533 \"$1\"; chmod \"$2\" \"$1\"",
            control,
            String(mode, radix: 8))
        let who = try await home.command(
            "setpriv", AnotherUser.arguments + [control, mode == 0o4755 ? "-u" : "-g"]
        ).run()
        guard who.outputText == "65533\n" else {
            print("skipped: \(#function): the file system of TMPDIR does not honour setuid")
            return
        }
        for operation in ["get", "store", "--help"] {
            let outcome = try await home.command(
                "setpriv", AnotherUser.arguments + [helper, operation],
                input: Array("\(request)password=\(secret)\n".utf8),
                variables: ["LANYARD_HOME": folder]
            ).run()
            expectRefusal(outcome, "must not be installed setuid or setgid", secret: secret)
        }
        #expect(try Snapshot(folder).entries.count == 1)
    }
}
