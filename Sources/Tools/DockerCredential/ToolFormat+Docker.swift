package import KeychainServices

extension ToolFormat {
    /// docker, podman, skopeo and buildah, whose items ``DockerCredentialHelper`` stores.
    package static let docker = ToolFormat(
        name: DockerCredentialHelper.accessGroup.description, helper: "docker-credential-lanyard",
        programs: ["docker", "podman", "skopeo", "buildah"],
        hosts: Hosts(
            names: [
                "docker.io", "index.docker.io", "registry-1.docker.io", "ghcr.io", "quay.io",
                "gcr.io",
            ],
            domains: ["gcr.io", "pkg.dev", "azurecr.io"], firstLabels: ["registry", "docker"]),
        needsAccount: true,
        attributes: dockerAttributes,
        isSameAddress: { one, other in
            let meanings = [one, other].map {
                ServerURL.text($0).flatMap { RegistryURL($0).meaning }
            }
            return meanings[0] != nil && meanings[0] == meanings[1]
        },
        check: { password throws(KeychainError) in
            guard password.withBytes({ $0.isUTF8 }) else {
                throw KeychainError(.param, "docker passwords must be UTF-8")
            }
        })

    @Sendable private static func dockerAttributes(
        _ parts: ItemAttributes
    ) throws(KeychainError) -> ItemAttributes {
        guard let account = parts.account, !account.isEmpty else {
            throw KeychainError(
                .param, "a docker login needs an account", hint: "name it after the registry")
        }
        let url = DockerCredentialItem.serverURL(
            host: parts.server ?? "", port: parts.port == 0 ? nil : parts.port,
            path: parts.path ?? "")
        return try DockerCredentialItem(serverURL: url, username: account, secret: Secret(""))
            .attributes
    }
}
