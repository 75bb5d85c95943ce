internal import ArgumentParser
internal import LanyardConfiguration
internal import KeychainServices
internal import LanyardPrompting
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
        let isPortable = try new.isPortable(keychain) ?? false
        var known: PassphraseChange.Losses?
        let change = try PassphraseChange.set(
            to: { () throws(KeychainError) in
                try new.read(keychain, acceptsShort: consent.yes)
            }, isPortable: isPortable, of: keychain.store
        ) { losses throws(KeychainError) in
            if new.isTyped, losses.recoveryKey {
                printNote("this replaces the recovery key: Lanyard shows a new one at the end")
            }
            try consent.ask(
                about: losses, next: new.isTyped ? "the new passphrase" : nil)
            known = losses
        }
        try consent.apply(change, known: known)
        if new.isTyped, try !keychain.store.hasRecoveryKey() {
            // A key that was lost with consent is replaced without another question.
            try change.losses.recoveryKey
                ? keychain.printNewRecoveryKey()
                : RecoveryKeyOffer(keychain, isPortable: isPortable).make()
        }
        try new.finish(keychain)
    }
}
