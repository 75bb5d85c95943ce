internal import LanyardConfiguration
internal import ArgumentParser
internal import LanyardPrompting
internal import Keychains
internal import KeychainServices
internal import SealedStore

/// The options for the source and the properties of a new passphrase.
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
        help:
            "Let the passphrase alone open the keychain on other machines, where it can be guessed."
    )
    var portable: Bool?

    /// The minimum characters of a passphrase.
    private static let leastCharacters = 8

    /// Whether the user types it.
    var isTyped: Bool { file == nil }

    /// Reads the new passphrase; at the terminal, the user types it twice, up to three times if the two
    /// differ or it is short.
    ///
    /// - Parameter acceptsShort: Whether it may be easy to guess.
    /// - Throws: ``Status/param`` if the two differ, or the input is not a valid passphrase.
    func read(
        _ keychain: OpenedKeychain, acceptsShort: Bool
    ) throws(KeychainError) -> Secret {
        if let file {
            let given = try readPassphraseFile(file, origin: "--new-passphrase-file")
            try PassphraseChange.check(given)
            guard acceptsShort || !NewPassphraseOptions.isShort(given) else {
                throw NewPassphraseOptions.short
            }
            return given
        }
        let hint = "use --new-passphrase-file"
        var mistake: KeychainError?
        for _ in 1...3 {
            let least = NewPassphraseOptions.leastCharacters
            let rule = "the passphrase needs at least \(least) characters"
            let first = try PassphrasePrompt.ask(
                PassphraseQuestion(
                    keychain: keychain.name, wanted: .newPassphrase, error: mistake?.reason,
                    purpose: acceptsShort || mistake != nil ? nil : rule),
                hint: hint)
            try PassphraseChange.check(first)
            guard acceptsShort || !NewPassphraseOptions.isShort(first) else {
                mistake = NewPassphraseOptions.short
                continue
            }
            let second = try PassphrasePrompt.ask(
                PassphraseQuestion(keychain: keychain.name, wanted: .newPassphraseAgain),
                hint: hint)
            if first.isEqual(to: second) {
                return first
            }
            mistake = KeychainError(.param, "the passphrases don't match")
        }
        throw KeychainError(
            .param, "\(mistake?.reason ?? ""): nothing was changed", hint: mistake?.hint)
    }

    private static var short: KeychainError {
        KeychainError(
            .param, "the new passphrase has fewer than \(leastCharacters) characters",
            hint: "--yes accepts a short one, which is easy to guess")
    }

    /// Whether it has too few characters; an invalid UTF-8 byte counts as one.
    private static func isShort(_ passphrase: borrowing Secret) -> Bool {
        passphrase.withBytes { bytes in
            bytes.indices.count { bytes[$0] & 0xC0 != 0x80 } < leastCharacters
        }
    }

    /// Returns the choice from the options or from `keychain.NAME.portable`; nil without one.
    func isPortable(_ keychain: OpenedKeychain) throws(KeychainError) -> Bool? {
        if let portable {
            return portable
        }
        return try keychain.configuration.isPortable(keychain: keychain.name)
    }

    /// Leaves the keychain unlocked after the user has typed its passphrase, and says for how long; says that it is locked
    /// after a passphrase from a file.
    ///
    /// - Parameter wasUnlocked: Whether it was unlocked for all programs before the change.
    func finish(
        _ keychain: OpenedKeychain, wasUnlocked: Bool = false
    ) throws(KeychainError) {
        guard isTyped else {
            return try keychain.noteLocked(wasUnlocked: wasUnlocked)
        }
        do throws(KeychainError) {
            let limit = try keychain.configuration.autolock(ofKeychain: keychain.name).limit
            try keychain.store.keepUnlocked(timeout: limit)
            printUnlocked(keychain.name, timeout: limit)
        } catch {
            printWarning("the keychain '\(keychain.name)' is locked now: \(error.reason)")
        }
    }
}

extension OpenedKeychain {
    /// Whether the keychain is unlocked for all programs of the user.
    var isUnlockedForAll: Bool {
        get throws(KeychainError) {
            if case .unlocked = try store.lockState() { true } else { false }
        }
    }

    /// Says that a change has left the keychain locked.
    ///
    /// - Parameter wasUnlocked: Whether it was unlocked for all programs before the change.
    func noteLocked(wasUnlocked: Bool) throws(KeychainError) {
        let unlocker = KeychainUnlocker(name: name, configuration: configuration)
        // A script that gives every command the passphrase needs no unlocked keychain, but other programs may.
        guard wasUnlocked || !unlocker.hasGivenPassphrase, try store.lockState() == .locked else {
            return
        }
        printNote(
            "the keychain '\(name)' is locked now; lanyard unlock\(configuration.option(forKeychain: name))"
                + " unlocks it")
    }
}
