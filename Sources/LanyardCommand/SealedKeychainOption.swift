internal import ArgumentParser
internal import HelperKit
internal import Keychain
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
    /// - Parameter wantsRecoveryKey: Asks a person for the recovery key only.
    func open(wantsRecoveryKey: Bool = false) throws(KeychainError) -> OpenedKeychain {
        let configuration = try Configuration()
        let name = try configuration.sealedKeychain(flag: name)
        let unlocker = KeychainUnlocker(
            name: name, configuration: configuration, wantsRecoveryKey: wantsRecoveryKey)
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
