import Foundation
import Testing
@testable import EndToEndRig

/// podman-secret-lanyard and real podman. Few sandboxes let a container run: without one, secrets are looked up as
/// podman does.
@Suite(.needs(.podmanSecrets), .timeLimit(.minutes(10)))
struct PodmanSecretTests {
    let home: ScratchHome
    private static let secret = "hunter2\nbilby\n"

    init() throws {
        home = try ScratchHome()
        try home.configurePodman(
            """
            [secrets]
            driver = "shell"
            [secrets.opts]
            list = "podman-secret-lanyard list"
            lookup = "podman-secret-lanyard lookup"
            store = "podman-secret-lanyard store"
            delete = "podman-secret-lanyard delete"

            """)
    }

    private func podman(_ arguments: String..., input: String = "") async throws -> Outcome {
        try await home.podman(arguments, input: input)
    }

    @Test(.needs(.containers)) func givesAContainerTwoSecrets() async throws {
        for (name, secret) in [("database", Self.secret), ("other", "quokka")] {
            let created = try await podman("secret", "create", name, "-", input: secret)
            #expect(created.status == 0, "\(created)")
        }
        func read() async throws -> Outcome {
            try await home.container(
                ["--secret=database", "--secret=other,type=env,target=OTHER"],
                "cat /run/secrets/database && printf %s \"$OTHER\"")
        }
        expectAnswer(try await read(), "\(Self.secret)quokka")

        try await home.setPassphrase()
        let locked = try await read()
        #expect(locked.status != 0 && locked.output.isEmpty, "\(locked)")
        #expect(locked.errorText.contains("the keychain 'login' is locked"), "\(locked)")
    }

    private func lookUp(_ id: String) async throws -> Outcome {
        try await home.command(
            "sh", ["-c", "podman-secret-lanyard lookup"], variables: ["SECRET_ID": id]
        ).run()
    }

    @Test func createsListsAndRemoves() async throws {
        let created = try await podman("secret", "create", "database", "-", input: Self.secret)
        #expect(created.status == 0, "\(created)")
        let id = created.outputText.trimmingCharacters(in: .whitespacesAndNewlines)
        expectAnswer(try await home.lanyard("get", "--group", "podman", id), "\(Self.secret)\n")
        expectAnswer(try await lookUp(id), Self.secret)
        let listed = try await podman("secret", "ls", "--format", "{{.Name}}")
        #expect(listed.status == 0 && listed.outputText.contains("database"), "\(listed)")
        // Only the ID is in podman's own files.
        #expect(try home.file(with: "bilby") == nil)
        #expect(try home.file(with: id) != nil)

        try await home.setPassphrase()
        let locked = try await podman("secret", "create", "other", "-", input: Self.secret)
        #expect(locked.status != 0, "\(locked)")
        #expect(locked.errorText.contains("the keychain 'login' is locked"), "\(locked)")
        expectRefusal(try await lookUp(id), "the keychain 'login' is locked", secret: "bilby")

        // Deleting reads no secret.
        let removed = try await podman("secret", "rm", "database")
        #expect(removed.status == 0, "\(removed)")
        expectRefusal(try await lookUp(id), "found no secret '\(id)'")
        let missing = try await podman("secret", "rm", "database")
        #expect(missing.status != 0 && missing.errorText.contains("no secret"), "\(missing)")
    }
}

extension ScratchHome {
    fileprivate func configurePodman(_ secrets: String = "") throws {
        // Nothing in /run, in /dev/shm or in the journal.
        _ = try write(
            """
            [engine]
            cgroup_manager = "cgroupfs"
            events_logger = "none"
            lock_type = "file"
            tmp_dir = "\(path)/libpod"
            \(secrets)
            """, to: "containers.conf")
    }

    /// - Parameter program: Before the shell that runs podman.
    fileprivate func podman(
        _ arguments: [String], input: String = "", by program: [String] = []
    ) async throws -> Outcome {
        // podman refuses a long path of its runtime folder, and another one than before.
        let script = """
            run=/tmp/lanyard-e2e.$(printf %s "$HOME" | cksum | tr -d ' ')
            trap 'rm -rf "$run"' EXIT
            podman --root "$HOME/images" --runroot "$run" --storage-driver vfs "$@"
            """
        return try await command(
            "setsid", ["--wait"] + program + ["sh", "-euc", script, "sh"] + arguments,
            input: Array(input.utf8), variables: ["CONTAINERS_CONF": "\(path)/containers.conf"]
        ).run()
    }

    /// Runs a script in a container whose programs are this machine's.
    fileprivate func container(_ options: [String], _ script: String) async throws -> Outcome {
        try await shell(
            """
            mkdir -p "$1" && cd "$1"
            for name in bin lib lib64; do
                [ ! -e "/$name" ] || ln -sfn "usr/$name" "$name"
            done
            """, "\(path)/root")
        let limits =
            ["--network=none", "--cgroups=disabled"]
            + ["nofile", "nproc"].map { "--ulimit=\($0)=1024:1024" }
        return try await podman(
            ["run", "--rm", "--volume=/usr:/usr:ro"] + limits + options
                + ["--rootfs", "\(path)/root", "sh", "-c", script],
            // crun refuses control groups of both versions.
            by: [
                "unshare", "-m", "sh", "-c",
                "umount /sys/fs/cgroup/unified 2>/dev/null; exec \"$@\"", "sh",
            ])
    }
}

extension Need {
    fileprivate static let containers = Need(missing: "podman can't run a container here") {
        let home = try ScratchHome()
        try home.configurePodman()
        return try await home.container([], "true").status == 0
    }
}
