package import KeychainServices
internal import PlainTextFormats
internal import ToolHelpers

/// terraform and OpenTofu.
package enum TerraformTool: CatalogTool {
    package static let name = "terraform"
    package static let format: ToolFormat? = .terraform
    package static let otherNames = ["opentofu"]
    package static let settings: ToolSettings? = ToolSettings(
        "terraform and tofu",
        files: [
            configuration(".terraformrc", if: nil), configuration(".tofurc", if: .existing),
            SettingsFile(
                script: ".terraform.d/plugins/terraform-credentials-lanyard",
                "terraform and tofu find lanyard's helper"),
        ],
        // Blocks with tokens come before helpers.
        notes: [
            SettingsNote(
                "tokens in FILE come first; to move them: lanyard import terraform --remove-plain-text",
                if: .line("credentials \""))
        ])
    package static let plainText = [
        SecretFile(".terraform.d/*.tfrc", .hcl, [token]),
        SecretFile(".terraform.d/*.tfrc.json", .json, [token]),
        SecretFile(".terraformrc", .hcl, [token]), SecretFile(".tofurc", .hcl, [token]),
    ]
    /// tofu reads its own file alone if that exists.
    package static let moves = [
        FileMove(".terraformrc", ".tofurc", variables: [variable])
    ]
    package static let sources = [
        "https://developer.hashicorp.com/terraform/internals/credentials-helpers",
        "https://developer.hashicorp.com/terraform/cli/config/config-file#credentials",
    ]

    private static let token = PlainTextKey.secret(["credentials", "*", "token"])
    private static let variable = "TF_CLI_CONFIG_FILE"

    private static func configuration(
        _ path: String, if condition: SettingsFile.Condition?
    ) -> SettingsFile {
        SettingsFile(
            path, "terraform and tofu store their tokens in lanyard",
            lines: ["credentials_helper \"lanyard\" {}"], if: condition)
    }

    /// Of several tokens for one host it takes that in the last file of its folder, and only without any that of its
    /// configuration. If a variable names that one, it reads no other.
    package static func inOrder(
        _ paths: [String], _ variable: (String) -> String?
    ) -> [String] {
        let moved = variable(self.variable)
        let isConfiguration = { (path: String) in
            path == moved || path.hasSuffix("/.terraformrc") || path.hasSuffix("/.tofurc")
        }
        let configurations = paths.filter(isConfiguration)
        let inFolder = paths.filter { !isConfiguration($0) }.sorted().reversed()
        return moved == nil ? inFolder + configurations : configurations + inFolder
    }
}
