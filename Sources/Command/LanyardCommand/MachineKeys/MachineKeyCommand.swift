internal import ArgumentParser

/// `lanyard machine-key`: seals the key of this machine, renews it and moves it.
struct MachineKeyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "machine-key",
        abstract: "Seal this machine's key, so copies of it open nothing.",
        discussion:
            "The machine key opens every keychain here that has no passphrase. Sealed by systemd, it "
            + "works on this machine only.",
        subcommands: [
            MachineKeyStatusCommand.self, SealMachineKeyCommand.self, UnsealMachineKeyCommand.self,
            RenewMachineKeyCommand.self, MoveMachineKeyCommand.self,
        ]
    ).examples(
        "lanyard machine-key status",
        "lanyard machine-key seal")
}
