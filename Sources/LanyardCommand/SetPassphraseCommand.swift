internal import ArgumentParser
internal import HelperKit
internal import Keychain
internal import SealedStore

/// `lanyard passphrase set`.
struct SetPassphraseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Give a passphrase to a keychain that has none.")

    @OptionGroup var new: NewPassphraseOptions
    @OptionGroup var consent: LossOptions
    @OptionGroup var keychain: SealedKeychainOption

    func run() throws {
        if keychain.name == nil {
            try KeychainUnlocking.hintAtOpenDefault(try Configuration(), lock: false)
        }
        let keychain = try keychain.open()
        guard try !keychain.store.hasPassphrase() else {
            throw KeychainError(
                .param, "the keychain '\(keychain.name)' has a passphrase already",
                hint: "lanyard passphrase change")
        }
        let passphrase = try new.read(keychain)
        let change = try PassphraseChange.set(
            passphrase, isPortable: new.isPortable(keychain) ?? true, of: keychain.store)
        try consent.apply(change, keychain)
        try new.finish(keychain)
    }
}
