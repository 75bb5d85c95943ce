internal import ArgumentParser

/// `lanyard keychain`: creates, lists, selects, copies, deletes and restores keychains.
struct KeychainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keychain", abstract: "Create, list, choose, copy and delete keychains.",
        subcommands: [
            CreateKeychainCommand.self, ListKeychainsCommand.self, DefaultKeychainCommand.self,
            SearchListCommand.self, KeychainSettingsCommand.self, CopyKeychainCommand.self,
            DeleteKeychainCommand.self,
            AcceptRestoreCommand.self, ClearClipboardCommand.self,
        ]
    ).examples(
        "lanyard keychain create work",
        "lanyard keychain list",
        "lanyard keychain default work")
}
