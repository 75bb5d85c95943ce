internal import ArgumentParser
internal import Keychains
internal import KeychainServices
internal import SealedStore

/// `lanyard passphrase remove`.
struct RemovePassphraseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Take a keychain's passphrase away.",
        discussion: "Items that may be kept only with a passphrase are deleted."
    ).examples(
        "lanyard passphrase remove")

    @OptionGroup var consent: ConfirmationOptions
    @OptionGroup var keychain: SealedKeychainOption

    func run() throws {
        let keychain = try keychain.open(hint: KeychainUnlocker.passphraseFileHint)
        try consent.apply(try PassphraseChange.remove(of: keychain.store), keychain)
    }
}
