internal import ArgumentParser
internal import HelperKit
internal import Keychain
internal import SealedStore

/// The options that say where a new passphrase comes from and what it is to do.
struct NewPassphraseOptions: ParsableArguments {
    @Option(
        name: .customLong("new-passphrase-file"),
        help: ArgumentHelp(
            "Read the new passphrase from a file, or from an open descriptor from 3 up.",
            valueName: "path|fd"),
        completion: .file())
    var file: String?
    @Flag(
        inversion: .prefixedNo,
        help: "Whether the passphrase alone opens the keychain on another machine.")
    var portable: Bool?

    /// The new passphrase; at the terminal it is typed twice, and again up to three times where the two
    /// are not the same.
    ///
    /// - Throws: ``Status/param`` if the two are not the same, or what is typed can't be one.
    func read(_ keychain: OpenedKeychain) throws(KeychainError) -> Secret {
        if let file {
            return try readPassphraseFile(file, origin: "--new-passphrase-file")
        }
        let hint = "give it with --new-passphrase-file"
        var mistake: String?
        for _ in 1...3 {
            let first = try PassphrasePrompt.ask(
                PassphraseQuestion(
                    keychain: keychain.name, wanted: .newPassphrase, error: mistake), hint: hint)
            try PassphraseChange.check(first)
            let second = try PassphrasePrompt.ask(
                PassphraseQuestion(keychain: keychain.name, wanted: .newPassphraseAgain),
                hint: hint)
            if first.isEqual(to: second) {
                return first
            }
            mistake = "the two are not the same"
        }
        throw KeychainError(.param, "the two are not the same: nothing was changed")
    }

    /// What was chosen: here, or by `keychain.NAME.portable`; nil if nothing was.
    func isPortable(_ keychain: OpenedKeychain) throws(KeychainError) -> Bool? {
        if let portable {
            return portable
        }
        return try keychain.configuration.isPortable(keychain: keychain.name)
    }

    /// Leaves the keychain unlocked for the person who just typed its passphrase.
    func finish(_ keychain: OpenedKeychain) throws(KeychainError) {
        guard file == nil else {
            return
        }
        do throws(KeychainError) {
            try keychain.store.keepUnlocked(timeout: keychain.configuration.autolock().limit)
        } catch {
            printWarning("the keychain '\(keychain.name)' is locked now: \(error.reason)")
        }
    }
}
