internal import ArgumentParser

/// `lanyard presence`: enrolls security keys, whose touch opens the items that ask at each use.
struct PresenceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "presence",
        abstract: "Let the touch of a security key open items that ask.",
        discussion:
            "Items stored with --ask take the keychain's passphrase at each use. With a FIDO2 security "
            + "key they take a touch, which serves them all for a while.",
        subcommands: [
            AddPresenceCommand.self, ListPresenceCommand.self, RemovePresenceCommand.self,
        ]
    ).examples(
        "lanyard presence add",
        "lanyard presence list")
}
