internal import ArgumentParser

/// `lanyard recovery-key`: makes and removes the key for the day when passphrase or machine are lost.
struct RecoveryKeyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "recovery-key", abstract: "Make or remove a keychain's recovery key.",
        subcommands: [CreateRecoveryKeyCommand.self, RemoveRecoveryKeyCommand.self]
    ).examples(
        "lanyard recovery-key create",
        "lanyard recovery-key remove")
}
