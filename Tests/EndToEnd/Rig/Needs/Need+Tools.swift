import Testing

/// What the tests with other tools need.
extension Need {
    static let ansible = Need(missing: "there is no ansible-vault") {
        // It starts in no other locale.
        try await succeeds("env", "LC_ALL=C.UTF-8", "ansible-vault", "--version")
    }

    /// Its secrets alone: no container runs.
    static let podmanSecrets = Need(missing: "podman can't keep secrets here") {
        try await succeeds(
            "sh", "-c",
            "run=$(mktemp -d /tmp/lanyard-e2e.XXXXXX) && trap 'rm -rf $run' EXIT && "
                + "podman --root \"$HOME/images\" --runroot \"$run\" --storage-driver vfs secret ls"
        )
    }

    static let keepassxcCLI = Need(missing: "there is no keepassxc-cli") {
        try await succeeds("keepassxc-cli", "--version")
    }

    static let unzip = Need(missing: "there is no unzip") { try await succeeds("unzip", "-v") }

    static let npm = Need(missing: "there is no npm") { try await succeeds("npm", "--version") }

    /// npm's reader of .npmrc, below its folder.
    static let npmReader = Need(missing: "there is no node, or no npm with its package ini") {
        try await succeeds(
            "sh", "-c",
            "node -e 'require(process.argv[1])' \"$(npm root --global)/npm/node_modules/ini\"")
    }

    static let psql = Need(missing: "there is no psql") { try await succeeds("psql", "--version") }

    static let maven = Need(missing: "there is no mvn") { try await succeeds("mvn", "-v") }

    static let gnupg = Need(missing: "there is no gpg or no gpg-agent") {
        let hasProgram = try await succeeds("gpg", "--version")
        let hasAgent = try await succeeds("gpg-agent", "--version")
        return hasProgram && hasAgent
    }

    /// Newer than Debian 12's: from PyPI, in a virtual environment on the PATH.
    static let googleAuth = Need(missing: "python3 has no google.auth.pluggable") {
        try await succeeds("python3", "-c", "import google.auth.pluggable, google.auth.transport")
    }

    static let dockerSecretService = Need(missing: "there is no docker-credential-secretservice") {
        try await succeeds("docker-credential-secretservice", "version")
    }

    static let secretTool = Need(missing: "there is no secret-tool") {
        try await succeeds("sh", "-c", "command -v secret-tool")
    }

    static let curl = Need(missing: "there is no curl") {
        try await succeeds("curl", "--version")
    }
}
