internal import ArgumentParser
internal import ToolCatalog

/// `lanyard setup`: configures tools to store their logins here.
///
/// It has no options of its own: the parser would take a subcommand's options of the same name for them,
/// and `setup git --dry-run` would change git's configuration.
struct SetupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "setup", abstract: "Make tools store their logins in the keychain.",
        discussion:
            "Without a tool, it sets up all that are installed, and takes the options of lanyard setup all: "
            + "--dry-run, --yes, --undo, --json and --account.",
        subcommands: [
            SetupAllCommand.self, SetupGitCommand.self, SetupDockerCommand.self,
            SetupSecretServiceCommand.self,
        ] + CatalogTools.all.compactMap { $0.setupCommand },
        defaultSubcommand: SetupAllCommand.self
    ).examples(
        "lanyard setup",
        "lanyard setup --dry-run",
        "lanyard setup git",
        "lanyard setup stripe",
        "lanyard setup --undo")
}
