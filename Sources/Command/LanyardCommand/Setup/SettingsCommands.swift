internal import ArgumentParser
internal import KeychainServices
internal import ToolSetup

/// `lanyard setup TOOL` for a tool that takes a helper's path in a text file.
protocol SettingsCommand: ParsableCommand {
    static var tool: Tool { get }
    /// The tool, as users know it.
    static var title: String { get }
    /// Where it is set up.
    static var place: String { get }
    /// An example of the names; nil for a tool without.
    static var example: String? { get }
    var options: SetupOptions { get }
    /// What the tool is set up for.
    var names: [String] { get }
    /// The tool whose items have these names, for `lanyard set --for`; nil if the tool stores its own.
    static var itemTool: String? { get }
    /// The names of the items.
    var itemNames: [String] { get }
}

extension SettingsCommand {
    static var place: String { "in its own configuration" }
    static var example: String? { nil }
    var names: [String] { [] }
    static var itemTool: String? { nil }
    var itemNames: [String] { names }

    static var configuration: CommandConfiguration {
        let call = "lanyard setup \(tool.name)"
        return CommandConfiguration(
            commandName: tool.name, abstract: "Set \(title) up, \(place)."
        ).examples(
            example.map { "\(call) \($0)" } ?? "\(call)", "\(call) --undo")
    }

    func run() throws {
        try options.run(Self.tool, names: names, next: commandsForMissingItems())
    }

    /// Returns the commands that store the items that the tool does not have yet, as far as Lanyard can tell without a
    /// question.
    private func commandsForMissingItems() -> [String] {
        guard !options.isUndo, let tool = Self.itemTool,
            let keychain = try? OpenKeychains(nil, mayAsk: false).keychain
        else {
            return []
        }
        // Only this one has items with an account.
        let account = tool == "aws" ? " ACCESS-KEY-ID" : ""
        return itemNames.compactMap { text in
            guard let name = try? ItemName(text, account: nil) else {
                return nil
            }
            let search = ItemSearch(name: name, group: ByteString(tool))
            guard (try? search.isThere(in: keychain)) != true else {
                return nil
            }
            return (tool == "aws" ? keychain.copyCommandForAWS(text) : nil)
                ?? "lanyard set --for \(tool) \(text.shellWord)\(account)"
        }
    }
}

/// `lanyard setup ansible`.
struct SetupAnsibleCommand: SettingsCommand {
    static let tool = Tool.ansible
    static let title = "ansible"
    static let example: String? = "dev"
    static let itemTool: String? = "ansible"
    @OptionGroup var options: SetupOptions
    @Argument(help: ArgumentHelp("The IDs of the vaults.", valueName: "vault-id"))
    var names: [String] = []
}

/// `lanyard setup askpass`.
struct SetupAskpassCommand: SettingsCommand {
    static let tool = Tool.askpass
    static let title = "ssh, git and sudo"
    static let place = "in a file with variables for your sessions"
    @OptionGroup var options: SetupOptions
}

/// `lanyard setup aws`.
struct SetupAWSCommand: SettingsCommand {
    static let tool = Tool.aws
    static let title = "aws"
    static let example: String? = "default work"
    static let itemTool: String? = "aws"
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

/// `lanyard setup gcloud`.
struct SetupGcloudCommand: SettingsCommand {
    static let tool = Tool.gcloud
    static let title = "Google's clients"
    static let place = "in a credential's configuration of its own"
    static let example: String? = "//iam.googleapis.com/x"
    static let itemTool: String? = "gcloud"
    @OptionGroup var options: SetupOptions
    @Argument(help: ArgumentHelp("The audience of the token.", valueName: "audience"))
    var audience: String?
    @Argument(
        help: ArgumentHelp("The file to write instead of the usual one.", valueName: "file"),
        completion: .file())
    var file: String?

    var names: [String] { [audience, file].compactMap(\.self) }
    var itemNames: [String] { [audience].compactMap(\.self) }
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
    static let title = "pip, uv and Python's library keyring"
    @OptionGroup var options: SetupOptions
}

/// `lanyard setup nuget`.
struct SetupNuGetCommand: SettingsCommand {
    static let tool = Tool.nuget
    static let title = "dotnet and NuGet"
    static let place = "by a program that they find"
    @OptionGroup var options: SetupOptions
}

/// `lanyard setup pnpm`.
struct SetupPnpmCommand: SettingsCommand {
    static let tool = Tool.pnpm
    static let title = "pnpm"
    static let example: String? = "https://npm.example.com/"
    static let itemTool: String? = "npm"
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
