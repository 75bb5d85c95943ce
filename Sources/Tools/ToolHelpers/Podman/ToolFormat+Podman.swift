package import KeychainServices

extension ToolFormat {
    /// podman's secrets, which ``PodmanSecretHelper`` stores. Its logins to registries are docker's.
    package static let podman = ToolFormat(
        secretsOf: PodmanSecretHelper.accessGroup.description, helper: "podman-secret-lanyard",
        programs: ["podman"], namedBy: "the ID of a secret", protocolHelper: .podman)
}
