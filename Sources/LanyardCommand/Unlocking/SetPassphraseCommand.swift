internal import ArgumentParser
internal import Configuration
internal import KeychainServices
internal import SealedStore

/// `lanyard passphrase set`.
struct SetPassphraseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Give a passphrase to a keychain that has none.",
        discussion:
            "The passphrase then opens the keychain on this machine. Elsewhere it takes the recovery "
            + "key, which Lanyard offers to make."
    ).examples(
        "lanyard passphrase set",
        "lanyard passphrase set --keychain work")

    @OptionGroup var new: NewPassphraseOptions
    @OptionGroup var consent: ConfirmationOptions
    @OptionGroup var keychain: SealedKeychainOption

    func run() throws {
        if keychain.name == nil {
            try hintAtOpenDefault(try Configuration(), lock: false)
        }
        let keychain = try keychain.open()
        guard try !keychain.store.hasPassphrase() else {
            throw KeychainError(
                .duplicateItem, "the keychain '\(keychain.name)' already has a passphrase",
                hint: "lanyard passphrase change")
        }
        let passphrase = try new.read(keychain, acceptsShort: consent.yes)
        let isPortable = try new.isPortable(keychain) ?? false
        let change = try PassphraseChange.set(
            passphrase, isPortable: isPortable, of: keychain.store)
        try consent.apply(change, keychain)
        if new.isTyped, try !keychain.store.hasRecoveryKey() {
            try RecoveryKeyOffer(keychain, isPortable: isPortable).make()
        }
        try new.finish(keychain)
    }
}
