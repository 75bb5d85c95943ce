package import KeychainServices
internal import PlainTextFormats
internal import ToolHelpers

/// vault, and OpenBao with a configuration of its own.
package enum VaultTool: CatalogTool {
    package static let name = "vault"
    package static let format: ToolFormat? = .vault
    package static let otherNames = ["openbao"]
    package static let settings: ToolSettings? = ToolSettings(
        "vault",
        files: [
            SettingsFile(
                ".vault", "vault stores its token in lanyard", lines: lines,
                if: .reader(program: "vault")),
            SettingsFile(
                ".bao", "OpenBao stores its token in lanyard", lines: lines,
                if: .reader(program: "bao")),
        ],
        // The import takes the server's address from there.
        importVariables: ["VAULT_ADDR"])
    package static let plainText = [SecretFile.singleLine(".vault-token")]
    package static let moves = [
        FileMove(".vault", variables: ["VAULT_CONFIG_PATH"]),
        FileMove(".bao", variables: ["BAO_CONFIG_PATH"]),
    ]
    package static let sources = [
        "https://developer.hashicorp.com/vault/docs/commands/token-helper"
    ]

    private static let lines = ["token_helper = \"HELPER\""]
}
