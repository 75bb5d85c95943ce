internal import DockerCredential
package import KeychainServices
internal import LinuxSystem

/// Sets up podman, skopeo and buildah to store logins in lanyard: they ignore docker's `credsStore`.
///
/// A drop-in leaves the system's registries.conf in force, which a file `registries.conf` in the home
/// folder would replace completely. The last drop-in that sets the helpers wins, hence its name.
package struct ContainersSetup {
    let environment: SetupEnvironment

    /// Creates a setup in an environment.
    package init(environment: SetupEnvironment) {
        self.environment = environment
    }

    /// Adds the necessary drop-ins.
    func propose(_ proposal: inout Proposal) throws(KeychainError) {
        let installed = ["podman", "skopeo", "buildah"].filter(environment.finds)
        guard !installed.isEmpty else {
            proposal.notes.append(
                "podman, skopeo and buildah are not on the PATH: nothing is set up for them")
            return
        }
        for folder in try folders() {
            let file = try TargetFile("\(folder)/registries.conf.d/zz-lanyard.conf")
            guard !RegistriesDropIn.isSetUp(file.bytes ?? "") else {
                continue
            }
            let base = try proposal.base(file)
            guard !RegistriesDropIn.isSet(base ?? "") else {
                throw KeychainError(
                    .param, "'\(file.path)' names helpers other than lanyard",
                    hint: "remove its line 'credential-helpers'")
            }
            let names = installed.joined(separator: ", ")
            try proposal.change(
                file, base: base, to: RegistriesDropIn.added(to: base ?? ""), .registriesDropIn,
                summary: ["\(names): logins are stored in lanyard (credential-helpers)"],
                lines: RegistriesDropIn.lines.map { "+\($0)" }, .secret)
        }
        try addNotes(&proposal)
    }

    /// Returns the folders of the user's configuration: older versions only use the one in the home folder,
    /// newer ones XDG_CONFIG_HOME.
    func folders() throws(KeychainError) -> [String] {
        let home = "\(try environment.home())/.config/containers"
        let other = "\(try environment.configurations())/containers"
        return home == other ? [home] : [home, other]
    }

    private func addNotes(_ proposal: inout Proposal) throws(KeychainError) {
        let mains = try folders().map { "\($0)/registries.conf" }
        for file in mains + ["/etc/containers/registries.conf"] {
            if let bytes = (try? TargetFile(file))?.bytes, RegistriesDropIn.isSet(bytes) {
                proposal.notes.append("the credential-helpers in '\(file)' are no longer used")
            }
        }
        for file in try loginFiles() {
            let logins = UnusedLogins(
                in: file, .dockerConfig, meaning: "podman, skopeo and buildah no longer read them")
            proposal.unusedLogins += [logins].compactMap(\.self)
            for registry in ContainersSetup.registriesWithPath(in: file) {
                proposal.notes.append(
                    "podman, skopeo and buildah ask lanyard for the whole registry:"
                        + " they use the login for '\(registry)' only if there is no other one")
            }
        }
        if environment.value("CONTAINERS_REGISTRIES_CONF") != nil {
            proposal.notes.append(
                "CONTAINERS_REGISTRIES_CONF is set: newer versions then read no other file")
        }
    }

    /// The group of their logins.
    package static let accessGroup = ToolFormat.docker.accessGroup

    /// Whether a path means a part of a registry, not the registry itself or a token of it.
    package static func isPath(_ path: ByteString) -> Bool {
        let name = path.description.split(separator: "/").joined(separator: "/")
        return !["", "v1", "v2"].contains(name) && !name.hasSuffix("access-token")
            && !name.hasSuffix("refresh-token")
    }

    /// Returns the parts of registries that a file has a login for.
    private static func registriesWithPath(in file: String) -> [String] {
        guard let bytes = (try? TargetFile(file))?.bytes,
            let text = try? DockerConfigText(bytes, path: file)
        else {
            return []
        }
        return text.registriesWithLogin.filter { registry in
            let place = registry.split(separator: "/", maxSplits: 1)
            return !registry.contains("://") && place.count == 2
                && isPath(ByteString(String(place[1])))
        }
    }

    /// Returns the files that the tools write logins to by default.
    func loginFiles() throws(KeychainError) -> [String] {
        let runtime =
            environment.value("XDG_RUNTIME_DIR").map { "\($0)/containers" }
            ?? "/run/containers/\(SystemCalls.effectiveUser)"
        var files = try [runtime, "\(environment.configurations())/containers"]
            .map { "\($0)/auth.json" }
        if let file = environment.value("REGISTRY_AUTH_FILE"), !files.contains(file) {
            files.append(file)
        }
        return files
    }
}
