import Foundation
import Testing

/// podman-secret-lanyard and real podman. No container runs, as few sandboxes allow that: the test itself does
/// what podman does to look a secret up.
@Suite(.needs(.podmanSecrets), .timeLimit(.minutes(10)))
struct PodmanSecretTests {
    let home: ScratchHome
    private static let secret = "hunter2\nbilby\n"

    init() throws {
        home = try ScratchHome()
        _ = try home.write(
            """
            [secrets]
            driver = "shell"
            [secrets.opts]
            list = "podman-secret-lanyard list"
            lookup = "podman-secret-lanyard lookup"
            store = "podman-secret-lanyard store"
            delete = "podman-secret-lanyard delete"

            """, to: "containers.conf")
    }

    private func podman(_ arguments: String..., input: String = "") async throws -> Outcome {
        // podman refuses a long path of its runtime folder, and another one than before.
        let script = """
            run=/tmp/lanyard-e2e.$(printf %s "$HOME" | cksum | tr -d ' ')
            trap 'rm -rf "$run"' EXIT
            podman --root "$HOME/images" --runroot "$run" --storage-driver vfs "$@"
            """
        return try await home.command(
            "setsid", ["--wait", "sh", "-euc", script, "sh"] + arguments,
            input: Array(input.utf8),
            variables: ["CONTAINERS_CONF": "\(home.path)/containers.conf"]
        ).run()
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
