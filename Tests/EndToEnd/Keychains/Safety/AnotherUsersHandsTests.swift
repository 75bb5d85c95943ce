import Foundation
import Glibc
import Testing
@testable import EndToEndRig

/// What another user of the machine tries on a program that runs, and on the keys in the kernel.
@Suite(.needs(.root, .anotherUser, .systemPython), .timeLimit(.minutes(10)))
struct AnotherUsersHandsTests {
    let home: ScratchHome

    init() throws {
        home = try ScratchHome()
    }

    /// Each thing that a process can be looked at or changed by; prints those that work.
    private static let pokes = """
        import ctypes, os, sys
        pid = int(sys.argv[1])
        libc = ctypes.CDLL(None, use_errno=True)
        done = []
        def attempt(name, action):
            try:
                if action() != -1:
                    done.append(name)
            except OSError:
                pass
        def first_byte(path):
            with open(path, "rb", 0) as file:
                file.read(1)
        secret = ["mem", "environ", "maps", "smaps", "numa_maps", "auxv", "stack", "syscall",
                  "personality", "io", "pagemap", "clear_refs", "fdinfo/0", "map_files", "fd/0"]
        for name in secret:
            attempt(name, lambda: first_byte(f"/proc/{pid}/{name}"))
        for name in ["mem", "oom_score_adj", "coredump_filter", "comm", "clear_refs", "fd/1"]:
            attempt(f"write {name}", lambda: os.close(os.open(f"/proc/{pid}/{name}", os.O_WRONLY)))
        for name in ["exe", "cwd", "root", "fd/0", "fd/1", "ns/mnt"]:
            attempt(f"link {name}", lambda: os.readlink(f"/proc/{pid}/{name}") and 0)
        attempt("list fd", lambda: os.listdir(f"/proc/{pid}/fd") and 0)
        attempt("signal", lambda: os.kill(pid, 0))
        class Part(ctypes.Structure):
            _fields_ = [("base", ctypes.c_void_p), ("length", ctypes.c_size_t)]
        here = ctypes.create_string_buffer(8)
        one, two = Part(ctypes.addressof(here), 8), Part(0x400000, 8)
        for name in ("process_vm_readv", "process_vm_writev"):
            def call():
                result = getattr(libc, name)(pid, ctypes.byref(one), 1, ctypes.byref(two), 1, 0)
                # EFAULT: it may, but nothing is at this address.
                return 0 if result == -1 and ctypes.get_errno() == 14 else result
            attempt(name, call)
        handle = libc.syscall(434, pid, 0)
        if handle >= 0:
            for number in range(8):
                attempt(f"take descriptor {number}", lambda: libc.syscall(438, handle, number, 0))
            attempt("signal a handle", lambda: libc.syscall(424, handle, 0, None, 0))
        # PTRACE_SEIZE: it is let go at our end.
        attempt("attach", lambda: libc.ptrace(0x4206, pid, None, None))
        print(len(secret), *done)
        """

    private func poke(_ process: pid_t, by user: uid_t) async throws -> [String] {
        let outcome = try await home.command(
            "setpriv",
            AnotherUser.arguments(user) + ["/usr/bin/python3", "-c", Self.pokes, "\(process)"]
        ).run()
        #expect(outcome.status == 0, "\(outcome)")
        return outcome.outputText.split(whereSeparator: \.isWhitespace).dropFirst().map(String.init)
    }

    @Test(arguments: Executable.built) func getNothingOutOfAProcess(
        _ program: Executable
    ) async throws {
        let programs = try home.copiesOfPrograms([program.name])
        let own = try home.folder("own", of: AnotherUser.victim)
        func poked(_ words: [String], _ name: String, by user: uid_t) async throws -> [String] {
            try await home.command(
                "setpriv", AnotherUser.arguments(AnotherUser.victim) + words,
                input: Array(program.login("distinctive-secret").utf8),
                variables: ["LANYARD_HOME": own]
            ).run { process in
                try await home.waitUntilBlocked(process, in: name)
                return try await poke(process, by: user)
            }.result
        }
        let ours = ["\(programs)/\(program.name)"] + program.storing
        #expect(try await poked(ours, program.name, by: AnotherUser.id) == [])
        // The user themselves can signal it, and no more.
        let themselves = try await poked(ours, program.name, by: AnotherUser.victim)
        #expect(
            themselves.filter { !["signal", "a", "handle"].contains($0) }
                .allSatisfy { ["write", "comm"].contains($0) }, "\(themselves)")
        // Any other program of theirs lets them do more, or all this would say nothing.
        #expect(try await poked(["cat"], "cat", by: AnotherUser.victim).contains("environ"))
    }

    /// The keys in the kernel of a user with an unlocked keychain.
    @Test(.needs(.keyrings)) func getNothingOutOfTheKernel() async throws {
        let programs = try home.copiesOfPrograms(["lanyard"])
        let own = try home.folder("own", of: AnotherUser.victim)
        let passphrase = try home.write("the passphrase", to: "passphrase", mode: 0o644)
        func victim(_ arguments: String...) async throws -> Outcome {
            try await home.command(
                "setpriv",
                AnotherUser.arguments(AnotherUser.victim) + ["\(programs)/lanyard"] + arguments,
                input: Array("secret".utf8),
                variables: ["LANYARD_HOME": own, "LANYARD_PASSPHRASE_FILE": passphrase]
            ).run()
        }
        expectAnswer(try await victim("set", "x", "--stdin"), "")
        expectAnswer(
            try await victim("passphrase", "set", "--new-passphrase-file", passphrase), "")
        expectAnswer(try await victim("unlock"), "")
        let attempts = """
            found=0 worked=
            for key in $1; do
                found=$((found + 1))
                for attempt in "read $key" "pipe $key" "print $key" "describe $key" \\
                    "update $key x" "revoke $key" "invalidate $key" "setperm $key 0x3f3f3f3f" \\
                    "chown $key $(id -u)" "timeout $key 1" "link $key @s" "unlink $key @u" \\
                    "get_persistent @s $2"; do
                    if keyctl $attempt >/dev/null 2>&1; then worked="$worked [$attempt]"; fi
                done
            done
            if grep -q lanyard /proc/keys; then worked="$worked [/proc/keys]"; fi
            echo "$found$worked"
            """
        let serials = try await home.shell(
            """
            setpriv --reuid="$1" --regid="$1" --clear-groups --inh-caps=-all keyctl show @u |
                sed -n 's/^ *\\([0-9]*\\) .*lanyard:.*/\\1/p'
            """, "\(AnotherUser.victim)")
        let outcome = try await home.command(
            "keyctl",
            ["session", "-", "setpriv"] + AnotherUser.arguments + [
                "sh", "-c", attempts, "sh", serials.outputText, "\(AnotherUser.victim)",
            ]
        ).run()
        #expect(outcome.outputText.hasSuffix("2\n"), "\(outcome)")
        // It is still unlocked.
        let status = try await home.command(
            "setpriv",
            AnotherUser.arguments(AnotherUser.victim) + ["\(programs)/lanyard", "get", "x"],
            variables: ["LANYARD_HOME": own]
        ).run()
        expectAnswer(status, "secret\n")
        expectAnswer(try await victim("lock", "--all"), "")
    }
}
