internal import ArgumentParser

/// `lanyard keychain`: makes, lists, chooses, deletes and takes back keychains.
struct KeychainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keychain", abstract: "Make, list, choose and delete keychains.",
        subcommands: [
            CreateKeychainCommand.self, ListKeychainsCommand.self, DefaultKeychainCommand.self,
            DeleteKeychainCommand.self, AcceptRestoreCommand.self,
        ])
}
