internal import ArgumentParser
internal import LanyardConfiguration
internal import Keychains
internal import KeychainServices
internal import SealedStore

/// The option `--keychain` of commands for the keychain itself instead of its items.
struct SealedKeychainOption: ParsableArguments {
    @Option(
        name: .customLong("keychain"),
        help: ArgumentHelp(
            "The keychain, if not the first sealed one in the search list.", valueName: "name"),
        completion: .stored(.keychains))
    var name: String?

    /// Opens the keychain.
    ///
    /// - Parameters:
    ///   - makesMissing: Whether to create a missing default one.
    ///   - wantsRecoveryKey: Asks the user for the recovery key only.
    ///   - readsStandardInput: Takes the passphrase from standard input.
    ///   - hint: What to do if the user can't be asked; nil for `lanyard unlock`.
    /// - Throws: ``Status/noSuchKeychain`` if it is missing and not created; what opening it throws.
    func open(
        makesMissing: Bool = true, wantsRecoveryKey: Bool = false, readsStandardInput: Bool = false,
        hint: String? = nil
    ) throws(KeychainError) -> OpenedKeychain {
        let configuration = try Configuration()
        let name = try configuration.sealedKeychain(flag: name)
        let unlocker = KeychainUnlocker(
            name: name, configuration: configuration, wantsRecoveryKey: wantsRecoveryKey,
            readsStandardInput: readsStandardInput, hint: hint)
        if !makesMissing, try configuration.openSealedKeychain(name) == nil {
            throw KeychainError(
                .noSuchKeychain, "the keychain '\(name)' does not exist yet",
                hint: "lanyard passphrase set\(configuration.option(forKeychain: name)) creates it")
        }
        return OpenedKeychain(
            name: name, configuration: configuration,
            store: try configuration.openOrMakeSealedKeychain(name, unlocker: unlocker))
    }
}

/// A keychain for a command.
struct OpenedKeychain {
    let name: String
    let configuration: Configuration
    let store: SealedStore
}
