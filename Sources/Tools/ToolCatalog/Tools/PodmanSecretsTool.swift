package import KeychainServices
internal import ToolHelpers

/// podman's secrets; its logins to registries are docker's.
package enum PodmanSecretsTool: CatalogTool {
    package static let name = "podman-secrets"
    package static let format: ToolFormat? = .podman
    package static let settings: ToolSettings? = ToolSettings(
        "podman's secrets",
        files: [
            SettingsFile(
                ".config/containers/containers.conf", "podman stores its secrets in lanyard",
                [
                    SettingsSection(header: "[secrets]", lines: ["driver = \"shell\""]),
                    SettingsSection(
                        header: "[secrets.opts]",
                        lines: ["list", "lookup", "store", "delete"].map {
                            "\($0) = \"HELPER \($0)\""
                        }),
                ])
        ],
        // Without the setting it stores secrets in plain text, and says nothing.
        notes: [
            SettingsNote(
                "older podman ignores this file for root: export CONTAINERS_CONF=FILE",
                if: .root(unset: "CONTAINERS_CONF"))
        ])
    /// With the variable podman reads no other file.
    package static let moves = [
        FileMove(".config/containers/containers.conf", variables: ["CONTAINERS_CONF"])
    ]
    package static let sources = ["containers.conf(5)"]
}
