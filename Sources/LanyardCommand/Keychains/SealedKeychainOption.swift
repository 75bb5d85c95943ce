internal import ArgumentParser
internal import Configuration
internal import Keychains
internal import KeychainServices
internal import SealedStore

/// The option `--keychain` of commands that work on the keychain itself and not on its items.
struct SealedKeychainOption: ParsableArguments {
    @Option(
        name: .customLong("keychain"),
        help: ArgumentHelp("The keychain that is meant, not the default one.", valueName: "name"),
        completion: .stored(.keychains))
    var name: String?

    /// The keychain, which is made where the default one is not there yet.
    ///
    /// - Parameters:
    ///   - wantsRecoveryKey: Asks a person for the recovery key only.
    ///   - readsStandardInput: Takes what standard input holds for the passphrase.
    ///   - hint: What to do where nobody can be asked; nil for `lanyard unlock`.
    func open(
        wantsRecoveryKey: Bool = false, readsStandardInput: Bool = false, hint: String? = nil
    ) throws(KeychainError) -> OpenedKeychain {
        let configuration = try Configuration()
        let name = try configuration.sealedKeychain(flag: name)
        let unlocker = KeychainUnlocker(
            name: name, configuration: configuration, wantsRecoveryKey: wantsRecoveryKey,
            readsStandardInput: readsStandardInput, hint: hint)
        return OpenedKeychain(
            name: name, configuration: configuration,
            store: try configuration.openOrMakeSealedKeychain(name, unlocker: unlocker))
    }
}

/// A keychain that a command works on.
struct OpenedKeychain {
    let name: String
    let configuration: Configuration
    let store: SealedStore
}
