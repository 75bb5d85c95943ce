internal import ArgumentParser
internal import KeychainServices
internal import LanyardPrompting
internal import SealedStore

/// `lanyard presence remove`.
struct RemovePresenceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove a security key."
    ).examples(
        "lanyard presence remove 'the blue one'")

    @Argument(help: "Its name, as lanyard presence list shows it.")
    var name: String
    @OptionGroup var keychain: SealedKeychainOption

    func run() throws {
        let keychain = try keychain.open()
        MachineKeychains.removeTag()
        defer { MachineKeychains.updateTag() }
        try keychain.store.removePresence(named: name)
        guard try keychain.store.hasPassphrase() else {
            return
        }
        printHint(
            "it still opens older copies of the keychain, and with their keys this one; "
                + "lanyard passphrase change --rekey --keychain \(keychain.name) prevents that")
    }
}
