import Foundation
import Testing

extension ScratchHome {
    /// What every tool needs besides ``environment()`` to stay in this home.
    var toolVariables: [String: String?] {
        [
            "CONTAINERS_CONF": "\(path)/home/containers.conf",
            "CONTAINERS_STORAGE_CONF": "\(path)/home/storage.conf",
            "XDG_RUNTIME_DIR": "\(path)/home/run",
            "DOCKER_HOST": "unix://\(path)/no-engine",
        ]
    }

    /// A home where every tool keeps its logins in lanyard, and has one; the current folder of what is
    /// run in it is to be ``repository``.
    func setToolsUp() async throws {
        try configureClients(.everything)
        try await configureGit()
        try await succeeds(
            "git", "config", "--global", "credential.helper",
            "\(Programs.folder())/git-credential-lanyard")
        try await succeeds("git", "init", "-q", repository)
        try await store("protocol=https\nhost=a.example\nusername=ada\npassword=pw\n")
        let recovery = try await lanyard("recovery-key", "create")
        try #require(recovery.status == 0, "\(recovery)")
        _ = try write(recovery.outputText, to: "recovery-key")
    }

    /// A repository of git.
    var repository: String { "\(path)/home/repository" }

    /// Runs a script in ``repository``, `$1` and on being the arguments.
    func inRepository(
        _ script: String, _ arguments: String..., variables: [String: String?] = [:]
    ) async throws -> Outcome {
        let all = toolVariables.merging(variables) { _, own in own }
        return try await command(
            "sh", ["-c", "cd \"$0\" && \(script)", repository] + arguments, variables: all
        ).run()
    }
}
