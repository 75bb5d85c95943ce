internal import ArgumentParser
internal import ToolSetup

/// `lanyard setup TOOL` for a tool that takes a helper's path in a text file.
protocol SettingsCommand: WaitingCommand {
    static var tool: Tool { get }
    /// The tool, as users know it.
    static var title: String { get }
    /// An example of the names; nil for a tool without.
    static var example: String? { get }
    var options: SetupOptions { get }
    /// What the tool is set up for.
    var names: [String] { get }
}

extension SettingsCommand {
    static var example: String? { nil }
    var names: [String] { [] }

    static var configuration: CommandConfiguration {
        let call = "lanyard setup \(tool.name)"
        return CommandConfiguration(
            commandName: tool.name, abstract: "Set \(title) up, in its own configuration."
        ).examples(
            example.map { "\(call) \($0)" } ?? "\(call)", "\(call) --undo")
    }

    func runWaiting() async throws {
        try await options.run(Self.tool, names: names)
    }
}

/// `lanyard setup ansible`.
struct SetupAnsibleCommand: SettingsCommand {
    static let tool = Tool.ansible
    static let title = "ansible"
    static let example: String? = "dev"
    @OptionGroup var options: SetupOptions
    @Argument(help: ArgumentHelp("The IDs of the vaults.", valueName: "vault-id"))
    var names: [String] = []
}

/// `lanyard setup aws`.
struct SetupAWSCommand: SettingsCommand {
    static let tool = Tool.aws
    static let title = "aws"
    static let example: String? = "default work"
    @OptionGroup var options: SetupOptions
    @Argument(
        help: ArgumentHelp("The profiles that get their keys from lanyard.", valueName: "profile"))
    var names: [String] = []
}

/// `lanyard setup bazel`.
struct SetupBazelCommand: SettingsCommand {
    static let tool = Tool.bazel
    static let title = "bazel"
    @OptionGroup var options: SetupOptions
}

/// `lanyard setup cargo`.
struct SetupCargoCommand: SettingsCommand {
    static let tool = Tool.cargo
    static let title = "cargo"
    @OptionGroup var options: SetupOptions
}

/// `lanyard setup go`.
struct SetupGoCommand: SettingsCommand {
    static let tool = Tool.go
    static let title = "go"
    @OptionGroup var options: SetupOptions
}

/// `lanyard setup gpg`.
struct SetupGPGCommand: SettingsCommand {
    static let tool = Tool.gpg
    static let title = "gpg-agent"
    @OptionGroup var options: SetupOptions
}

/// `lanyard setup keyring`.
struct SetupKeyringCommand: SettingsCommand {
    static let tool = Tool.keyring
    static let title = "pip and uv"
    @OptionGroup var options: SetupOptions
}

/// `lanyard setup pnpm`.
struct SetupPnpmCommand: SettingsCommand {
    static let tool = Tool.pnpm
    static let title = "pnpm"
    static let example: String? = "https://npm.example.com/"
    @OptionGroup var options: SetupOptions
    @Argument(help: ArgumentHelp("The URLs of the registries.", valueName: "registry"))
    var names: [String] = []
}

/// `lanyard setup podman-secrets`.
struct SetupPodmanSecretsCommand: SettingsCommand {
    static let tool = Tool.podmanSecrets
    static let title = "podman's secrets"
    @OptionGroup var options: SetupOptions
}

/// `lanyard setup terraform`.
struct SetupTerraformCommand: SettingsCommand {
    static let tool = Tool.terraform
    static let title = "terraform and tofu"
    @OptionGroup var options: SetupOptions
}

/// `lanyard setup vault`.
struct SetupVaultCommand: SettingsCommand {
    static let tool = Tool.vault
    static let title = "vault"
    @OptionGroup var options: SetupOptions
}
