internal import ArgumentParser
internal import Configuration
internal import KeychainManagement
internal import Keychains
internal import Prompting
internal import KeychainServices
internal import KeychainSync
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
        var keychains = try UserKeychains()
        if !yes,
            let question = try DeleteKeychainCommand.question(of: name, keychains.configuration)
        {
            try askForConsent(question, hint: "lanyard keychain delete --yes \(name)")
        }
        let hint = DeleteKeychainCommand.hint(aboutTeamOf: name, keychains.configuration)
        if case .itemsStay(let kind) = try keychains.delete(name) {
            printHint(
                "only the name was removed: its items stay where the kind '\(kind)' stores them")
        }
        if let hint {
            printHint(hint)
        }
    }

    /// Says what the team of a keychain that is deleted needs, nil for nothing.
    private static func hint(
        aboutTeamOf name: String, _ configuration: Configuration
    ) -> String? {
        guard BackgroundExchange.isShared(name, configuration.places) else {
            return nil
        }
        guard let store = try? configuration.openSealedKeychain(name),
            let shared = try? TeamKeychain.Opened(name, configuration, store).known(),
            shared.isLastOwner
        else {
            return "it was shared: ask an owner of the team to remove this device"
        }
        return shared.otherDevices.isEmpty
            ? nil
            : "it was shared, and the team has no other owner: its recovery key makes a new one "
                + "(lanyard team recover)"
    }

    /// Returns the question before deleting a keychain, nil if there is nothing to lose.
    static func question(
        of name: String, _ configuration: Configuration
    ) throws(KeychainError) -> String? {
        guard try configuration.kind(ofKeychain: name) == .sealed else {
            return nil
        }
        let location = try configuration.location(ofKeychain: name)
        if try PrivatePlace.exists(location.file) {
            return "delete the keychain '\(name)' with \(contents(location))? [y/N] "
        }
        // It may be on an unmounted disk.
        return try SealedStore.isVanished(at: location)
            ? "the file of the keychain '\(name)' is missing: forget this keychain? [y/N] " : nil
    }

    /// Describes the content; a keychain that can't be opened can be deleted, too.
    private static func contents(_ location: KeychainLocation) -> String {
        switch try? SealedStore(at: location).count() {
        case nil: "everything in it"
        case 1: "1 item"
        case .some(let count): "\(count) items"
        }
    }
}
