internal import ArgumentParser
internal import KeychainServices

/// `lanyard import TOOL`, which is `lanyard import tool TOOL`: imports the plain-text file of a tool.
struct ImportToolCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "tool", abstract: "Import the plain-text file of a tool.",
            discussion: """
                The word 'tool' may be left out. Afterwards, lanyard run or the tool's helper gives it the secret.

                \(ImportedTool.listForHelp)
                """
        ).examples(
            "lanyard import tool gh --dry-run",
            "lanyard import tool stripe --remove-plain-text",
            "lanyard import tool aws ~/.aws/credentials")
    }

    @Argument(
        help:
            "The tool, or one of its programs.",
        completion: .list(ImportedTool.all.map(\.name)))
    var tool: String
    @OptionGroup var options: ImportToolFileOptions

    func run() throws {
        guard let tool = ImportedTool.named(tool) else {
            throw UnknownCommand(["import", tool])?.error
                ?? KeychainError(.param, "unknown tool '\(tool)'")
        }
        try options.run(tool.files)
    }
}
