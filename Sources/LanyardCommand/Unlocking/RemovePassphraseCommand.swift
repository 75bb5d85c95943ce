internal import ArgumentParser
internal import KeychainServices
internal import SealedStore

/// `lanyard passphrase remove`.
struct RemovePassphraseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove a keychain's passphrase.",
        discussion: "It deletes items that need a passphrase."
    ).examples(
        "lanyard passphrase remove")

    @OptionGroup var consent: ConfirmationOptions
    @OptionGroup var keychain: SealedKeychainOption

    func run() throws {
        let keychain = try keychain.open()
        try consent.apply(try PassphraseChange.remove(of: keychain.store), keychain)
    }
}
