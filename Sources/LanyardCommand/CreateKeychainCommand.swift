internal import ArgumentParser
internal import HelperKit
internal import Keychain
internal import SealedStore

/// `lanyard keychain create`.
struct CreateKeychainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Make an empty keychain in a sealed file.")

    @Argument(help: "The keychain's name: letters, digits, '_', '-' and '.'.")
    var name: String
    @Option(
        help: ArgumentHelp(
            "Where the file is to be, instead of the folder for keychains.", valueName: "path"))
    var file: String?

    func run() throws {
        var configuration = try Configuration()
        if let file {
            guard file.hasPrefix("/") else {
                throw KeychainError(.param, "--file takes an absolute path")
            }
            _ = try configuration.places.keychain(name)
            if try configuration.file(ofKeychain: name) != nil {
                throw KeychainError(.duplicateKeychain, "there is a keychain '\(name)' already")
            }
            try SealedStore.make(
                at: KeychainLocation(file: file, stateFolder: configuration.places.state))
            try configuration.set(file, for: "file", ofKeychain: name)
        } else {
            try SealedStore.make(at: try configuration.location(ofKeychain: name))
        }
    }
}
