internal import ArgumentParser
internal import HelperKit
internal import Keychain
internal import SealedStore

/// `lanyard keychain delete`.
struct DeleteKeychainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete a keychain and everything in it.")

    @Argument(help: "The keychain's name.")
    var name: String
    @Flag(help: "Delete it without asking.")
    var yes = false

    func run() throws {
        var configuration = try Configuration()
        let location = try configuration.location(ofKeychain: name)
        guard try PrivatePlace.exists(location.file) else {
            throw KeychainError(.noSuchKeychain, "there is no keychain '\(name)'")
        }
        if !yes {
            // A keychain that can't be opened can be deleted as well.
            let items = (try? SealedStore(at: location).count()).map { "\($0)" } ?? "all"
            try askForConsent(
                "delete the keychain '\(name)' with \(items) items? [y/N] ", hint: "give --yes")
        }
        try SealedStore.delete(at: location)
        try configuration.forget(keychain: name)
    }
}
