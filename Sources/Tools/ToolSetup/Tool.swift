package import KeychainServices
internal import ToolHelpers

/// A tool that can store its logins in lanyard.
package enum Tool: Hashable, Sendable, CaseIterable {
    /// git, by `credential.helper` in the global configuration.
    case git
    /// docker, by `credsStore` in config.json, and podman, skopeo and buildah, if installed, by
    /// `credential-helpers` in a drop-in of registries.conf.
    case docker
    /// Every program that stores its secrets in the Secret Service, by files that start Lanyard's.
    case secretService
    /// Tools that take a program in one of their text files: ``SettingsSetup``.
    case ansible, askpass, aws, bazel, cargo, gcloud, go, gpg, keyring, nuget, pnpm, terraform,
        vault
    /// kubectl, by users' programs in its kubeconfig.
    case kubectl
    /// podman's secrets; its logins are those of ``docker``.
    case podmanSecrets
    /// A program that takes its secrets in variables or files, by a shim that starts `lanyard run`.
    case program(String)

    /// All but programs.
    package static var allCases: [Tool] {
        [
            .git, .docker, .secretService, .ansible, .askpass, .aws, .bazel, .cargo, .gcloud, .go,
            .gpg, .keyring, .kubectl, .nuget, .pnpm, .podmanSecrets, .terraform, .vault,
        ]
    }

    /// Its name.
    package var name: String {
        switch self {
        case .git: "git"
        case .docker: "docker"
        case .secretService: "secret-service"
        case .ansible: "ansible"
        case .askpass: "askpass"
        case .aws: "aws"
        case .bazel: "bazel"
        case .cargo: "cargo"
        case .gcloud: "gcloud"
        case .go: "go"
        case .gpg: "gpg"
        case .keyring: "keyring"
        case .kubectl: "kubectl"
        case .nuget: "nuget"
        case .pnpm: "pnpm"
        case .terraform: "terraform"
        case .vault: "vault"
        case .podmanSecrets: "podman-secrets"
        case .program(let name): name
        }
    }

    /// The name of its record.
    var recordName: String {
        if case .program = self { "\(Tool.programPrefix)\(name)" } else { name }
    }

    /// What its setup is for, nil if that is the tool as a whole.
    package var setupArgument: String? {
        switch self {
        case .ansible: "VAULT-ID"
        case .aws: "PROFILE"
        case .gcloud: "AUDIENCE"
        case .pnpm: "REGISTRY"
        default: nil
        }
    }

    /// Returns the tool that gets the items of a source of `lanyard import` after its setup, nil if there is none.
    package static func ofImport(_ name: String) -> Tool? {
        ["pypirc", "uv"].contains(name) ? .keyring : allCases.first { $0.name == name }
    }

    /// The beginning of the names of programs' records.
    static let programPrefix = "program-"

    /// Its format, nil if it has none of its own.
    package var format: ToolFormat? {
        switch self {
        case .podmanSecrets: ToolFormat(name: "podman")
        case .pnpm: ToolFormat(name: "npm")
        case .program: nil
        default: ToolFormat(name: name)
        }
    }
}
