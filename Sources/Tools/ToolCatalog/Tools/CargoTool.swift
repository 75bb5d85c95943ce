package import KeychainServices
internal import PlainTextFormats
internal import ToolHelpers

/// cargo and its registries.
package enum CargoTool: CatalogTool {
    package static let name = "cargo"
    package static let format: ToolFormat? = .cargo
    package static let settings: ToolSettings? = ToolSettings(
        "cargo",
        files: [
            SettingsFile(
                ".cargo/config.toml", "cargo stores its tokens in lanyard",
                [
                    SettingsSection(
                        header: "[registry]", lines: ["global-credential-providers = [\"HELPER\"]"])
                ], olderName: olderConfiguration)
        ],
        notes: ["cargo before 1.74 ignores the setting, and stores plain text"],
        importVariables: [])
    /// The older name of config.toml.
    package static let olderConfiguration = "config"
    /// The file had a name without an ending, and still comes first.
    package static let plainText = [".cargo/credentials", ".cargo/credentials.toml"].map {
        SecretFile(
            $0, .toml,
            [.secret(["registry", "token"]), .otherSecret(["registries", "*", "token"])])
    }
    package static let moves = [FileMove(".cargo", variables: ["CARGO_HOME"])]
    package static let sources = [
        "https://doc.rust-lang.org/cargo/reference/registry-authentication.html",
        "https://doc.rust-lang.org/cargo/reference/config.html#credentials",
    ]
}
