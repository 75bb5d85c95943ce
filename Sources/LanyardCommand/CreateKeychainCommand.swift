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
            // Also one in the folder for keychains: the configuration would hide it.
            guard try !configuration.keychains().contains(name) else {
                throw KeychainError(.duplicateKeychain, "there is a keychain '\(name)' already")
            }
            let location = KeychainLocation(file: file, stateFolder: configuration.places.state)
            try SealedStore.make(at: location)
            do throws(KeychainError) {
                try configuration.set(file, for: "file", ofKeychain: name)
            } catch {
                // A keychain without a name would only be in the way of the next try.
                try? SealedStore.delete(at: location)
                throw error
            }
        } else {
            try SealedStore.make(at: try configuration.location(ofKeychain: name))
        }
    }
}
