internal import ArgumentParser
internal import Configuration
internal import Prompting
internal import KeychainServices
internal import SealedStore
internal import LinuxSystem

/// `lanyard keychain delete`.
struct DeleteKeychainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete a keychain and everything in it."
    ).examples(
        "lanyard keychain delete work")

    @Argument(help: "The keychain's name.", completion: .stored(.keychains))
    var name: String
    @Flag(help: "Delete it without asking.")
    var yes = false

    func run() throws {
        var configuration = try Configuration()
        guard try configuration.kind(ofKeychain: name) == .sealed else {
            return try forget(&configuration)
        }
        let location = try configuration.location(ofKeychain: name)
        guard try PrivatePlace.exists(location.file) else {
            if try SealedStore.isVanished(at: location) {
                return try giveUp(location, &configuration)
            }
            guard configuration.namedKeychains.contains(name) else {
                throw KeychainError(
                    .noSuchKeychain, "keychain '\(name)' not found",
                    hint: "see lanyard keychain list")
            }
            // Its file is missing already.
            return try configuration.forget(keychain: name)
        }
        if !yes {
            try askForConsent(
                "delete the keychain '\(name)' with \(contents(location))? [y/N] ",
                hint: "lanyard keychain delete --yes \(name)")
        }
        try SealedStore.delete(at: location)
        try configuration.forget(keychain: name)
    }

    /// Forgets a keychain whose file is missing, but may be on an unmounted disk.
    private func giveUp(
        _ location: KeychainLocation, _ configuration: inout Configuration
    ) throws(KeychainError) {
        if !yes {
            try askForConsent(
                "the file of the keychain '\(name)' is missing: forget this keychain? [y/N] ",
                hint: "lanyard keychain delete --yes \(name)")
        }
        try SealedStore.delete(at: location)
        try configuration.forget(keychain: name)
    }

    /// Forgets a keychain of another program: its content is not ours to delete.
    private func forget(_ configuration: inout Configuration) throws(KeychainError) {
        guard configuration.namedKeychains.contains(name) else {
            throw KeychainError(
                .noSuchKeychain, "the configuration has no keychain '\(name)'",
                hint: "see lanyard keychain list")
        }
        let kind = try configuration.kind(ofKeychain: name)
        try configuration.forget(keychain: name)
        printHint(
            "only the name was removed: its items stay where the kind '\(kind.name)' stores them")
    }

    /// Describes the content; a keychain that can't be opened can be deleted, too.
    private func contents(_ location: KeychainLocation) -> String {
        switch try? SealedStore(at: location).count() {
        case nil: "everything in it"
        case 1: "1 item"
        case .some(let count): "\(count) items"
        }
    }
}
