internal import ArgumentParser

/// `lanyard setup`: tells tools to keep their logins here.
///
/// It has no options of its own: a parser that knows those of a command and of its subcommands by the
/// same names gives them to the command, and `setup git --dry-run` would change git's configuration.
struct SetupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "setup", abstract: "Set tools up to keep their logins in the keychain.",
        subcommands: [SetupAllCommand.self, SetupGitCommand.self, SetupDockerCommand.self],
        defaultSubcommand: SetupAllCommand.self
    ).examples(
        "lanyard setup",
        "lanyard setup --dry-run",
        "lanyard setup git",
        "lanyard setup --undo")
}
