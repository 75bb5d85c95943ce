internal import DockerCredential
internal import GitCredential
package import KeychainServices

/// A tool that can be told to keep its logins in lanyard.
public enum Tool: String, Hashable, Sendable, CaseIterable {
    /// git, by `credential.helper` in the global configuration.
    case git
    /// docker, by `credsStore` in config.json, and where they are installed podman, skopeo and
    /// buildah, by `credential-helpers` in a drop-in of registries.conf.
    case docker

    /// What else is known of it.
    package var format: ToolFormat {
        switch self {
        case .git: .git
        case .docker: .docker
        }
    }
}
