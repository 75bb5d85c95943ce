internal import ArgumentParser
internal import LanyardPrompting

/// `lanyard machine-key seal`.
struct SealMachineKeyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "seal", abstract: "Let systemd seal the machine key for you on this machine.",
        discussion:
            "Prints a recovery key for each keychain without one. Needs systemd 256 or newer."
    ).examples(
        "lanyard machine-key seal")

    func run() throws {
        try MachineKeychains().seal()
        printHint(
            "older backups still contain the plain key: lanyard passphrase set makes new keys")
    }
}
