internal import ArgumentParser
internal import KeychainServices
internal import SealedStore

/// `lanyard passphrase change`.
struct ChangePassphraseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "change", abstract: "Change a keychain's passphrase.",
        discussion: "Lanyard first asks for the old one or the recovery key."
    ).examples(
        "lanyard passphrase change",
        "lanyard passphrase change --rekey")

    @OptionGroup var new: NewPassphraseOptions
    @Flag(
        help:
            "Encrypt all secrets with new keys, so older copies and their passphrase don't open them."
    )
    var rekey = false
    @OptionGroup var consent: ConfirmationOptions
    @OptionGroup var keychain: SealedKeychainOption

    func run() throws {
        let keychain = try keychain.open(makesMissing: false)
        let wasUnlocked = try keychain.isUnlockedForAll
        var known: PassphraseChange.Losses?
        let change = try PassphraseChange.change(
            to: { () throws(KeychainError) in
                try new.read(keychain, acceptsShort: consent.yes)
            },
            isPortable: try new.isPortable(keychain), renewsKeys: rekey, of: keychain.store
        ) { losses throws(KeychainError) in
            try consent.ask(
                about: losses, next: new.isTyped ? "the new passphrase" : nil)
            known = losses
        }
        try consent.apply(change, known: known)
        try new.finish(keychain, wasUnlocked: wasUnlocked)
    }
}
