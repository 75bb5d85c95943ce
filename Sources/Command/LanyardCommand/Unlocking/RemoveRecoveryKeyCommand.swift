internal import ArgumentParser
internal import LanyardPrompting
internal import KeychainServices
internal import SealedStore

/// `lanyard recovery-key remove`.
struct RemoveRecoveryKeyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Revoke the recovery key."
    ).examples(
        "lanyard recovery-key remove --rekey")

    @Flag(
        help: "Encrypt all secrets with new keys, so older copies and the old key don't open them.")
    var rekey = false
    @OptionGroup var consent: ConfirmationOptions
    @OptionGroup var keychain: SealedKeychainOption

    func run() throws {
        let keychain = try keychain.open(makesMissing: false)
        guard rekey else {
            MachineKeychains.removeTag()
            defer { MachineKeychains.updateTag() }
            try keychain.store.removeRecoveryKey()
            printHint(
                "it still opens older copies of the keychain, and with their keys this one; "
                    + "lanyard recovery-key remove --rekey --keychain \(keychain.name) "
                    + "prevents that")
            return try warnOfSealedKey(keychain)
        }
        let wasUnlocked = try keychain.isUnlockedForAll
        try consent.apply(try PassphraseChange.removeRecoveryKey(of: keychain.store))
        if wasUnlocked {
            try keychain.noteLocked(wasUnlocked: true)
        }
        try warnOfSealedKey(keychain)
    }

    /// A sealed machine key must not stay the only way in: a new TPM or another user name makes it useless.
    private func warnOfSealedKey(_ keychain: OpenedKeychain) throws(KeychainError) {
        guard try MachineKeychains().place.storage()?.sealedTo != nil,
            try !keychain.store.opensWithoutMachineKey()
        else {
            return
        }
        printWarning("only the sealed machine key opens the keychain '\(keychain.name)' now")
        printHint("lanyard recovery-key create --keychain \(keychain.name)")
    }
}
