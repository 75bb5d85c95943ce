internal import ArgumentParser
internal import LanyardConfiguration
internal import Keychains
internal import LanyardPrompting
internal import KeychainServices
internal import SealedStore

/// `lanyard unlock`: lets every program of the user read secrets, for some time.
struct UnlockCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unlock", abstract: "Unlock a keychain for a while."
    ).examples(
        "lanyard unlock",
        "lanyard unlock --timeout 30m",
        "fetch-passphrase | lanyard unlock --stdin")

    @Option(
        help: ArgumentHelp(
            "When it locks again, for example 8h, 30m, 90s or never.", valueName: "time"))
    var timeout: String?
    @Flag(name: .customLong("recovery-key"), help: "Ask for the recovery key.")
    var recoveryKey = false
    @Flag(
        help:
            "Read the passphrase or the recovery key from standard input. A pipe or a file needs no option."
    )
    var stdin = false
    @OptionGroup var keychain: SealedKeychainOption

    func run() throws {
        let timeOut = try timeout.map { text throws(KeychainError) in try TimeOut(parsing: text) }
        if let name = keychain.name, try unlockPlugin(name) {
            return
        }
        var keychain = try open(readsStandardInput: stdin)
        if recoveryKey, try !keychain.store.hasRecoveryKey() {
            throw KeychainError(
                .itemNotFound, "the keychain '\(keychain.name)' has no recovery key",
                hint: "leave --recovery-key out")
        }
        // A given time or key always applies.
        if timeOut == nil, !recoveryKey, !stdin, case .unlocked = try keychain.store.lockState(),
            try keychain.store.isUnlockedCompletely()
        {
            return
        }
        if try keychain.store.lockState() == .noPassphrase {
            printNeverLocked(keychain.name)
            return
        }
        if !stdin, !GivenPassphrase.isThere, standardInputHasContent() {
            keychain = try open(readsStandardInput: true)
        }
        let seconds = try (timeOut ?? keychain.configuration.autolock(ofKeychain: keychain.name))
            .limit
        let isNewHere = try unlock(keychain.store, seconds)
        if OutputTerminal(descriptor: 2) != nil {
            printUnlocked(keychain.name, timeout: seconds)
        }
        if isNewHere {
            try reportOtherMachine(keychain.store)
        }
    }

    private func open(readsStandardInput: Bool) throws(KeychainError) -> OpenedKeychain {
        try keychain.open(
            wantsRecoveryKey: recoveryKey, readsStandardInput: readsStandardInput,
            hint: "use --stdin, or set LANYARD_PASSPHRASE_FILE to a file with the passphrase")
    }

    private func unlock(_ store: SealedStore, _ seconds: UInt32?) throws(KeychainError) -> Bool {
        do throws(KeychainError) {
            return try store.unlock(timeout: seconds)
        } catch {
            guard error.status == .notAvailable, error.hint == nil else {
                throw error
            }
            throw KeychainError(
                .notAvailable, error.reason,
                hint: "programs that get LANYARD_PASSPHRASE_FILE need no lanyard unlock")
        }
    }

    /// Unlocks a keychain other than a sealed file.
    ///
    /// - Returns: Whether it is such a keychain.
    private func unlockPlugin(_ name: String) throws(KeychainError) -> Bool {
        let configuration = try Configuration()
        guard try configuration.kind(ofKeychain: name) != .sealed else {
            return false
        }
        guard timeout == nil, !recoveryKey, !stdin else {
            throw KeychainError(
                .param,
                "--timeout, --recovery-key and --stdin are only for sealed keychains, not '\(name)'"
            )
        }
        try UserKeychains(configuration).unlock(name)
        return true
    }
}

/// Tells the user what does not work on this machine of a keychain that comes from another one.
func reportOtherMachine(_ store: SealedStore) throws(KeychainError) {
    let left = try store.itemsLeftBehind()
    if left > 0 {
        printWarning(
            "\(counted(left, "item")) can be read only on the machine "
                + "that the keychain comes from")
    }
    if try store.hasPassphrase(), try store.tally()?.isPortable == false {
        printHint(
            "the passphrase opens the keychain only where it was set: "
                + "lanyard passphrase change sets one here")
    }
}

/// Tells the user for how long a keychain is unlocked.
///
/// - Parameter timeout: Its number of seconds; nil for no end.
func printUnlocked(_ name: String, timeout: UInt32?) {
    let end =
        timeout.map { "and locks in \(SealedKeychainStatus.duration(Int($0)))" }
        ?? "until lanyard lock or a restart"
    printNote("the keychain '\(name)' is unlocked \(end)")
}

/// Tells the user that locking and unlocking have no effect here.
func printNeverLocked(_ name: String) {
    printHint(
        "the keychain '\(name)' has no passphrase and is never locked; "
            + "lanyard passphrase set --keychain \(name) gives it one")
}
