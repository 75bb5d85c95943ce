internal import ArgumentParser
internal import HelperKit
internal import Keychain
internal import KeychainPlugin
internal import SealedStore

/// `lanyard unlock`: lets every program of the user read secrets, for some time.
struct UnlockCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unlock", abstract: "Unlock a keychain for some time.")

    @Option(
        help: ArgumentHelp(
            "When it locks again, for example 8h, 30m, 90s or never.", valueName: "time"))
    var timeout: String?
    @Flag(name: .customLong("recovery-key"), help: "Ask for the recovery key.")
    var recoveryKey = false
    @OptionGroup var keychain: SealedKeychainOption

    func run() throws {
        let timeOut = try timeout.map { text throws(KeychainError) in try TimeOut(parsing: text) }
        if let name = keychain.name, try unlockPlugin(name) {
            return
        }
        let keychain = try keychain.open(wantsRecoveryKey: recoveryKey)
        if recoveryKey, try !keychain.store.hasRecoveryKey() {
            throw KeychainError(
                .itemNotFound, "the keychain '\(keychain.name)' has no recovery key")
        }
        // Whoever names a time or a key wants that one.
        if timeOut == nil, !recoveryKey, case .unlocked = try keychain.store.lockState(),
            try keychain.store.isUnlockedCompletely()
        {
            return
        }
        if try keychain.store.lockState() == .noPassphrase {
            printNeverLocked(keychain.name)
            return
        }
        let seconds = try (timeOut ?? keychain.configuration.autolock()).limit
        let isNewHere = try keychain.store.unlock(timeout: seconds)
        if isNewHere {
            try report(keychain)
        }
    }

    /// Unlocks a keychain that is no sealed file.
    ///
    /// - Returns: Whether it is none.
    private func unlockPlugin(_ name: String) throws(KeychainError) -> Bool {
        let configuration = try Configuration()
        guard try configuration.kind(ofKeychain: name) != .sealed else {
            return false
        }
        guard timeout == nil, !recoveryKey else {
            throw KeychainError(
                .param, "--timeout and --recovery-key are for sealed keychains, '\(name)' is none")
        }
        try KeychainUnlocking(name, configuration).unlock()
        return true
    }

    private func report(_ keychain: OpenedKeychain) throws(KeychainError) {
        let left = try keychain.store.itemsLeftBehind()
        if left > 0 {
            printWarning(
                "\(left == 1 ? "1 item" : "\(left) items") can be read only on the machine "
                    + "that the keychain comes from")
        }
    }
}

/// Tells a person that locking and unlocking do nothing here.
func printNeverLocked(_ name: String) {
    printHint(
        "the keychain '\(name)' has no passphrase and is never locked; "
            + "lanyard passphrase set --keychain \(name) gives it one")
}
