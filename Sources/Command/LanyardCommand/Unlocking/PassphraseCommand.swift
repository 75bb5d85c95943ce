internal import ArgumentParser

/// `lanyard passphrase`: sets, changes and removes the passphrase of a keychain.
struct PassphraseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "passphrase", abstract: "Set, change or remove a keychain's passphrase.",
        subcommands: [
            SetPassphraseCommand.self, ChangePassphraseCommand.self,
            RemovePassphraseCommand.self,
        ]
    ).examples(
        "lanyard passphrase set",
        "lanyard passphrase change",
        "lanyard passphrase remove")
}
