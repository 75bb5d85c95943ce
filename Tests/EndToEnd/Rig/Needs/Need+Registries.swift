import Testing

/// What the tests with registries need.
extension Need {
    static let registry = Need(missing: "there is no docker-registry, or no htpasswd") {
        let hasRegistry = try await succeeds("docker-registry", "--version")
        let hasUsers = try await succeeds("htpasswd", "-n", "-b", "-B", "a", "b")
        return hasRegistry && hasUsers
    }

    static let skopeo = canLogIn(.skopeo)
    static let podman = canLogIn(.podman)
    static let buildah = canLogIn(.buildah)

    /// One that logs in without an engine, which older ones do not.
    static let docker = canLogIn(.docker)

    /// It takes more rights than a sandbox may give.
    static let podmanImages = Need(missing: "podman can't keep images here") {
        let home = try ScratchHome()
        try home.configureClients(.nothing)
        try await home.shell("cd \"$1\" && tar --create --file notes.tar home", home.path)
        return try await reasonOfFailure(
            of: home.client(.podman, ["import", "\(home.path)/notes.tar"]))
    }

    /// docker's library for Python, which calls the helper too.
    static let dockerPy = Need(missing: "there is no python3-docker") {
        let home = try ScratchHome()
        return try await home.command("sh", ["-euc", ScratchHome.dockerPy, "sh", "pass"]).run()
            .status == 0
    }

    /// An installed client, which logs in where nothing may store the login.
    private static func canLogIn(_ client: RegistryClient) -> Need {
        Need(missing: "\(client) can't log in here") {
            guard try await succeeds(client.rawValue, "--version") else {
                return "there is no \(client)"
            }
            // Without one the test is skipped for that.
            guard await registry.reasonToSkip == nil else {
                return nil
            }
            let home = try ScratchHome()
            try home.configureClients(.nothing)
            return try await Registry.serve(home) { registry in
                try await reasonOfFailure(
                    of: home.client(client, client.login(registry), input: Registry.password))
            }
        }
    }

    private static func reasonOfFailure(of command: Command) async throws -> String? {
        let outcome = try await command.run()
        let lines = outcome.errorText.split(separator: "\n")
        return outcome.status == 0 ? nil : lines.last.map(String.init) ?? ""
    }
}
