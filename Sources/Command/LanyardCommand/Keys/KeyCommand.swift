internal import ArgumentParser

/// `lanyard key`: generates, imports, lists, shows, exports and removes keys.
struct KeyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key", abstract: "Generate, import, list, show, export and remove keys.",
        subcommands: [
            GenerateKeyCommand.self, ImportKeysCommand.self, ListKeysCommand.self,
            ShowKeyCommand.self, ExportKeyCommand.self, RemoveKeyCommand.self,
        ]
    ).examples(
        "lanyard key generate deploy",
        "lanyard key import ~/.ssh/id_ed25519",
        "lanyard key list")
}
