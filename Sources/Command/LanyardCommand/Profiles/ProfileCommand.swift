internal import ArgumentParser

/// `lanyard profile`: shows the profiles of programs.
struct ProfileCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "profile", abstract: "Show how programs get their secrets.",
        subcommands: [ListProfilesCommand.self, ShowProfileCommand.self],
        defaultSubcommand: ListProfilesCommand.self
    ).examples(
        "lanyard profile list",
        "lanyard profile show stripe")
}
