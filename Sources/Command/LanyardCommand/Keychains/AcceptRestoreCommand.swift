internal import ArgumentParser
internal import LanyardConfiguration
internal import KeychainSync
internal import Keychains
internal import KeychainServices
internal import LinuxSystem
internal import LanyardPrompting
internal import SealedStore

/// `lanyard keychain accept-restore`.
struct AcceptRestoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accept-restore",
        abstract: "Accept a keychain file that was restored from a backup.",
        discussion: "Until then Lanyard refuses an older copy: someone else may have put it there."
    ).examples(
        "lanyard keychain accept-restore",
        "lanyard keychain accept-restore work")

    @Argument(
        help: "The keychain, if not the first sealed one in the search list.",
        completion: .stored(.keychains))
    var name: String?

    func run() throws {
        let configuration = try Configuration()
        let name = try configuration.sealedKeychain(flag: name)
        let location = try configuration.location(ofKeychain: name)
        guard try PrivatePlace.exists(location.file) else {
            throw KeychainError(
                .noSuchKeychain, "keychain '\(name)' not found", hint: "see lanyard keychain list")
        }
        defer { MachineKeychains.updateTag() }
        try SealedStore.acceptRestored(
            at: location,
            provider: KeychainUnlocker(
                name: name, configuration: configuration, hint: KeychainUnlocker.keyFileHint))
        try writeAnswer(Secret("the keychain '\(name)' was accepted as it is\n"))
        let place = SharedKeychain.Place(
            name: name, stateFolder: location.stateFolder, keychainFile: nil)
        if place.isShared {
            printHint(
                "if this is a copy of a machine that goes on, make it a device of its own in the team: "
                    + "lanyard team leave --offline --keychain \(name), "
                    + "then join again with another --device name")
        }
    }
}
