internal import ArgumentParser

/// `lanyard config`: shows and changes the configuration.
///
/// It has no options of its own, for the reason in ``SetupCommand``.
struct ConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config", abstract: "Show or change the configuration.",
        subcommands: [
            ListConfigCommand.self, GetConfigCommand.self, SetConfigCommand.self,
            UnsetConfigCommand.self,
        ], defaultSubcommand: ListConfigCommand.self
    ).examples(
        "lanyard config",
        "lanyard config get lanyard.autolock",
        "lanyard config set lanyard.autolock 30m",
        "lanyard config unset lanyard.autolock")
}
