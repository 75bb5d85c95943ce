/// A program that logs in to registries and keeps what it logged in with.
enum RegistryClient: String, CaseIterable, Sendable {
    case docker, skopeo, podman, buildah

    /// docker takes any loopback address to speak http.
    private var mayBeInsecure: [String] { self == .docker ? [] : ["--tls-verify=false"] }

    func login(_ registry: Registry) -> [String] {
        ["login"] + mayBeInsecure
            + ["--username", Registry.user, "--password-stdin", registry.host]
    }

    /// What it takes to use a login that is there: succeeds if the registry takes it.
    ///
    /// docker needs an engine for all but a look at an image.
    func use(_ registry: Registry) -> [String] {
        switch self {
        case .docker: useLogin(registry.host)
        case .skopeo: ["inspect", "--tls-verify=false", registry.image()]
        case .podman, .buildah: ["pull", "--tls-verify=false", registry.image()]
        }
    }

    /// What it takes to log in with a login that is there: succeeds if the registry at a host takes it, and
    /// prompts for nothing.
    func useLogin(_ host: String) -> [String] {
        self == .docker
            ? ["manifest", "inspect", "--insecure", "\(host)/notes:latest"]
            : ["login"] + mayBeInsecure + [host]
    }

    /// What says that the registry refuses requests without a login.
    var refusal: String {
        self == .docker ? "no basic auth credentials" : "authentication required"
    }

    /// What says that the registry does not take a password.
    var wrongPassword: String {
        self == .docker ? "401 Unauthorized" : "invalid username/password"
    }
}

/// How to make a client use the helper.
enum ClientSetup: CaseIterable, Sendable {
    /// For all registries.
    case everything
    /// For one registry.
    case oneRegistry
    /// Not at all.
    case nothing
}
