internal import ArgumentParser
internal import Configuration
internal import KeychainServices

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
        try keychain.open().printNewRecoveryKey(replaces: replace)
    }
}
