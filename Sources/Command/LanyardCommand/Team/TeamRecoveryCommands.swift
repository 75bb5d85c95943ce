internal import ArgumentParser
internal import LanyardConfiguration
internal import Keychains
internal import KeychainServices
internal import KeychainSync
internal import LinuxSystem
internal import LanyardPrompting
internal import SealedStore
internal import SyncEngine

/// `lanyard team recovery-key`.
struct TeamRecoveryKeyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "recovery-key",
        abstract: "Make a recovery key for the team, and print it once.",
        discussion:
            "It lets you back into the team as an owner if you lose all your devices. It is another key "
            + "than that of lanyard recovery-key, which opens one keychain's file."
    ).examples("lanyard team recovery-key --keychain work")

    @OptionGroup var keychain: TeamKeychain

    func run() throws {
        let shared = try keychain.shared()
        let key = try RecoveryKey.make()
        try shared.add(recoveryKey: key.key)
        do throws(KeychainError) {
            var lines = SecretBuilder(capacity: 1024)
            lines.append(shared.commandLine("recover"))
            lines.append(key.text)
            lines.append(UInt8(ascii: "\n"))
            try writeAnswer(lines.finish())
        } catch {
            // A key that was never shown is useless, and would block another one.
            try? shared.removeRecoveryKey()
            throw error
        }
        if OutputTerminal.current != nil {
            printNote(
                "write down both lines and keep them away from this machine: the key is not shown again"
            )
        }
    }
}

/// `lanyard team recover`.
struct RecoverTeamCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "recover", abstract: "Come back into a team with its recovery key.",
        discussion:
            "The address and the team's code are on the paper with the key. This device becomes an owner."
    ).examples(
        "lanyard team recover /mnt/share 72TECMQ49PKZ4DRDKRK0W9RKCN8A98X6T1ZNR34B28")

    @Argument(
        help: ArgumentHelp("The address of the team's server.", valueName: "address"),
        completion: .directory)
    var address: String
    @Argument(help: ArgumentHelp("The team's code.", valueName: "code"))
    var code: String
    @Option(
        help: ArgumentHelp(
            "Read the recovery key from a file, instead of asking for it.", valueName: "file"),
        completion: .file())
    var recoveryKeyFile: String?
    @OptionGroup var names: DeviceNames
    @OptionGroup var keychain: TeamKeychain

    func run() throws {
        let opened = try keychain.open()
        let key = try RecoverTeamCommand.key(recoveryKeyFile)
        let shared = try SharedKeychain.recover(
            opened.place, opened.store, address: address, code: code, recoveryKey: key.key,
            isForSynchronizable: opened.isForSynchronizable, person: names.person,
            device: try names.deviceName(), numbersDevice: names.device == nil,
            connect: TeamKeychain.connect)
        noteNumber(of: shared, names)
        var exchange = try shared.exchangeShowingProgress()
        // The recovery key got them already.
        exchange.received = try shared.sharedItems().count
        report(exchange, isQuiet: false)
        printNote("'\(shared.card.name)' of \(shared.card.person) is in the team, as an owner")
        let lost = shared.otherDevices.map(\.card).filter { $0.person == shared.card.person }
        for card in lost {
            let device = card.path.shellQuoted
            printHint("if it is lost: lanyard team remove \(device)\(shared.option)")
        }
        hintAtSearchList(shared.name)
        hintAtTimer()
    }

    private static func key(_ file: String?) throws(KeychainError) -> RecoveryKey {
        let hint = "use --recovery-key-file"
        let text =
            if let file {
                try readPassphraseFile(file, origin: "--recovery-key-file")
            } else {
                try askForSecret(prompt: "recovery key of the team: ", hint: hint)
            }
        guard let key = try RecoveryKey.read(text) else {
            throw KeychainError(
                .authFailed, "this is no recovery key",
                hint: "it has 9 groups of 4 letters and digits")
        }
        return key
    }
}

extension SharedKeychain {
    /// The line by which another device comes into the team, for a keychain of the same name there.
    func commandLine(_ verb: String) -> Secret {
        let option = name == Configuration.login ? "" : " --keychain \(name)"
        let code = Invitation(to: roster).code
        return Secret("lanyard team \(verb) \(address.shellQuoted) \(code)\(option)\n")
    }

    /// The option that names the keychain, after a blank; empty for the one that commands use without it.
    var option: String {
        (try? Configuration())?.option(forKeychain: name) ?? " --keychain \(name)"
    }
}
