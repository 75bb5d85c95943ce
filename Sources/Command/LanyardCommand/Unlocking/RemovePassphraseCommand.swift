internal import ArgumentParser
internal import KeychainServices
internal import LanyardPrompting
internal import SealedStore

/// `lanyard passphrase remove`.
struct RemovePassphraseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove a keychain's passphrase.",
        discussion:
            "It deletes items that need a passphrase, also those that ask at each use unless a security key "
            + "opens them."
    ).examples(
        "lanyard passphrase remove")

    @Flag(help: "Don't ask before items are deleted.")
    var yes = false
    @OptionGroup var keychain: SealedKeychainOption

    func run() throws {
        let change = try PassphraseChange.remove(of: try keychain.open(makesMissing: false).store)
        if change.losses.itemsThatAsk > 0, !yes {
            printHint("lanyard edit --no-ask, with the name of an item that asks, keeps it")
        }
        try ConfirmationOptions.apply(change, yes: yes)
    }
}
