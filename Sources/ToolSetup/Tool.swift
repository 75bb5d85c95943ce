package import KeychainServices
internal import Tools

/// A tool that can store its logins in lanyard.
public enum Tool: String, Hashable, Sendable, CaseIterable {
    /// git, by `credential.helper` in the global configuration.
    case git
    /// docker, by `credsStore` in config.json, and podman, skopeo and buildah, if installed, by
    /// `credential-helpers` in a drop-in of registries.conf.
    case docker
    /// Every program that stores its secrets in the Secret Service, by files that start Lanyard's.
    case secretService = "secret-service"
    /// Tools that take a program in one of their text files: ``SettingsSetup``.
    case ansible, aws, bazel, cargo, go, gpg, keyring, pnpm, terraform, vault
    /// podman's secrets; its logins are those of ``docker``.
    case podmanSecrets = "podman-secrets"

    /// Its format, nil if it has none of its own.
    package var format: ToolFormat? {
        ToolFormat(name: self == .podmanSecrets ? "podman" : rawValue)
    }
}
