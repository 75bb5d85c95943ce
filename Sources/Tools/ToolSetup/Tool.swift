package import KeychainServices
internal import ToolCatalog
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
    /// kubectl, by users' programs in its kubeconfig.
    case kubectl
    /// A tool of the catalogue that takes a program in one of its text files, by its name: ``SettingsSetup``.
    case settings(String)
    /// A program that takes its secrets in variables or files, by a shim that starts `lanyard run`.
    case program(String)

    /// All but programs.
    package static let allCases: [Tool] =
        [.git, .docker, .secretService]
        + CatalogTools.all.compactMap { tool in
            if tool == KubectlTool.self {
                .kubectl
            } else {
                tool.settings.map { _ in .settings(tool.name) }
            }
        }

    /// Its name.
    package var name: String {
        switch self {
        case .git: "git"
        case .docker: "docker"
        case .secretService: "secret-service"
        case .kubectl: KubectlTool.name
        case .settings(let name), .program(let name): name
        }
    }

    /// The name of its record.
    var recordName: String {
        if case .program = self { "\(Tool.programPrefix)\(name)" } else { name }
    }

    /// What its setup is for, nil if that is the tool as a whole.
    package var setupArgument: String? {
        guard case .settings(let name) = self else {
            return nil
        }
        return CatalogTools.named(name)?.settings?.argument?.valueName.uppercased()
    }

    /// Returns the tool that gets the items of a source of `lanyard import` after its setup, nil if there is none.
    package static func ofImport(_ name: String) -> Tool? {
        let setup = CatalogTools.named(name)?.setupName ?? name
        return allCases.first { $0.name == setup }
    }

    /// The beginning of the names of programs' records.
    static let programPrefix = "program-"

    /// Its format, nil if it has none of its own.
    package var format: ToolFormat? {
        switch self {
        case .settings(let name): CatalogTools.named(name)?.format
        case .program: nil
        default: ToolFormat(name: name)
        }
    }
}
