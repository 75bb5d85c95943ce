internal import DockerCredential
internal import GitCredential
package import KeychainServices

/// A tool that can store its logins in lanyard.
public enum Tool: String, Hashable, Sendable, CaseIterable {
    /// git, by `credential.helper` in the global configuration.
    case git
    /// docker, by `credsStore` in config.json, and podman, skopeo and buildah, if installed, by
    /// `credential-helpers` in a drop-in of registries.conf.
    case docker
    /// Every program that stores its secrets in the Secret Service, by files that start Lanyard's.
    case secretService = "secret-service"

    /// Its format, nil if it has none of its own.
    package var format: ToolFormat? {
        switch self {
        case .git: .git
        case .docker: .docker
        case .secretService: nil
        }
    }
}
