internal import DockerCredential
package import KeychainServices
internal import LinuxSystem

/// Sets up docker, and programs that read its configuration, to store logins in lanyard.
package struct DockerSetup {
    /// The name of lanyard's helper.
    package static let helper = ToolFormat.docker.helper

    let environment: SetupEnvironment

    /// Creates a setup in an environment.
    package init(environment: SetupEnvironment) {
        self.environment = environment
    }

    /// Adds the change of config.json, if needed.
    func propose(_ proposal: inout Proposal) throws(KeychainError) {
        let file = try TargetFile(try self.file())
        let current = try DockerConfigText(file.bytes ?? "", path: file.path)
        addNotes(&proposal, current, file.path)
        guard !current.isSetUp else {
            return
        }
        let base = try proposal.base(file)
        let text = try DockerConfigText(base ?? "", path: file.path)
        let replaced = text.credsStore
        var summary = ["docker stores its logins in lanyard (credsStore)"]
        var lines = ["+\"credsStore\": \"lanyard\""]
        if let replaced {
            let value = String(decoding: replaced, as: UTF8.self)
            summary.append("the logins in \(value) stay there, and docker no longer asks for them")
            lines.insert("-\"credsStore\": \(value)", at: 0)
        }
        try proposal.change(
            file, base: base, to: text.settingUp, .credsStore(replaced: replaced),
            summary: summary, lines: lines, .secret)
    }

    /// Returns the path of config.json.
    package func file() throws(KeychainError) -> String {
        "\(try environment.path("DOCKER_CONFIG", orInHome: ".docker"))/config.json"
    }

    private func addNotes(
        _ proposal: inout Proposal, _ text: DockerConfigText, _ path: String
    ) {
        let logins = UnusedLogins(
            in: path, .dockerConfig, meaning: "docker ignores them next to a credsStore")
        proposal.unusedLogins += [logins].compactMap(\.self)
        for (registry, helper) in text.registryHelpers {
            proposal.notes.append(
                "the login for '\(registry)' stays with the helper '\(helper)' (credHelpers)")
        }
        if !environment.finds("docker") {
            proposal.notes.append(
                "docker is not on the PATH, but other tools read its configuration")
        }
        proposal.isToolMissing = !ToolFormat.docker.programs.contains(where: environment.finds)
        if let note = noteOfPath {
            proposal.notes.append(note)
        }
    }

    /// Warns of tools that don't find lanyard's helper: they search PATH and don't accept a path.
    private var noteOfPath: String? {
        guard let path = environment.path(ofProgram: DockerSetup.helper) else {
            return UnrunnableProgram(DockerSetup.helper, environment)
                .map { "\($0.reason): \($0.command)" }
                ?? "\(DockerSetup.helper) is not on the PATH"
        }
        guard !environment.jobsFind(DockerSetup.helper), let folder = PrivatePlace.parent(of: path)
        else {
            return nil
        }
        return "docker and podman look for \(DockerSetup.helper) only on PATH: add"
            + " '\(folder)' to it in cron and systemd jobs"
    }
}
