internal import ArgumentParser
internal import LanyardConfiguration
internal import KeychainServices
internal import SealedStore

/// `lanyard recovery-key create`.
struct CreateRecoveryKeyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Create a recovery key and print it once.",
        discussion: "It opens the keychain without its passphrase, and on any machine."
    ).examples(
        "lanyard recovery-key create",
        "lanyard recovery-key create --replace")

    @Flag(help: "Revoke the present recovery key in the same step.")
    var replace = false
    @OptionGroup var keychain: SealedKeychainOption

    func run() throws {
        if keychain.name == nil {
            try hintAtOpenDefault(try Configuration(), lock: false)
        }
        let opened = try keychain.open()
        do throws(KeychainError) {
            try opened.printNewRecoveryKey(replaces: replace)
        } catch {
            guard error.status == .userCanceled,
                try opened.store.lockState() != .locked, try !opened.store.hasCompleteRecoveryKey()
            else {
                throw error
            }
            throw KeychainError(
                error.status, error.reason,
                hint:
                    "if you forgot the passphrase, LANYARD_NO_PROMPT=1 lanyard recovery-key create "
                    + "makes a key that opens all but the items that ask")
        }
    }
}
