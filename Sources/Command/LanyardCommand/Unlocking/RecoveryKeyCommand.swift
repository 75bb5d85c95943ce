internal import ArgumentParser

/// `lanyard recovery-key`: creates and removes the key that helps after losing the passphrase or the
/// machine.
struct RecoveryKeyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "recovery-key", abstract: "Create or remove a keychain's recovery key.",
        subcommands: [CreateRecoveryKeyCommand.self, RemoveRecoveryKeyCommand.self]
    ).examples(
        "lanyard recovery-key create",
        "lanyard recovery-key remove")
}
