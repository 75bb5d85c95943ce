internal import ArgumentParser
internal import KeychainServices

/// `lanyard import TOOL`, which is `lanyard import tool TOOL`: imports the plain-text file of a tool.
struct ImportToolCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tool", abstract: "Import the plain-text file of a tool.",
        discussion: "The word 'tool' may be left out."
    ).examples(
        "lanyard import aws --dry-run",
        "lanyard import tool aws --remove-plain-text")

    @Argument(
        help: "The tool, for example aws.",
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
