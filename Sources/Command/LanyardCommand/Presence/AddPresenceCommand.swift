internal import ArgumentParser
internal import LanyardConfiguration
internal import Keychains
internal import KeychainServices
internal import LanyardPrompting
internal import SealedStore

/// `lanyard presence add`.
struct AddPresenceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add the security key that is plugged in.",
        discussion:
            "A keychain without a passphrase takes its recovery key, and gets one if it has none: a "
            + "lost security key must lose nothing."
    ).examples(
        "lanyard presence add",
        "lanyard presence add --for 15m --name 'the blue one'")

    @Option(help: ArgumentHelp("A name for it, if not that of the device.", valueName: "text"))
    var name: String?
    @Option(
        name: .customLong("for"),
        help: ArgumentHelp(
            "How long one touch serves, for example 15m, or 0s for each use. Usually 5m.",
            valueName: "time"))
    var time: String?
    @Option(
        help: ArgumentHelp(
            "The rest of the presence program's name, if not fido2.", valueName: "program"))
    var program = "fido2"
    @OptionGroup var keychain: SealedKeychainOption

    func run() throws {
        let seconds = try seconds()
        let keychain = try keychain.open(hint: KeychainUnlocker.keyFileHint)
        try KeychainUnlocker.checkCanEnroll(program, besides: keychain.store.enrollments())
        var device = ""
        try keychain.store.addPresence { () throws(KeychainError) in
            let enrolled = try KeychainUnlocker.enroll(
                program, named: name, seconds: seconds, besides: keychain.store.enrollments())
            device = enrolled.enrollment.name
            return enrolled
        } show: { key throws(KeychainError) in
            printNote(
                "if you lose '\(device)', this recovery key opens the items that ask; it is not shown again:"
            )
            try OpenedKeychain.printRecoveryKey(key)
        }
        printNote("'\(device)' opens the items that ask")
        if try keychain.store.hasRecoveryKey(), try !keychain.store.hasCompleteRecoveryKey() {
            printWarning("the recovery key does not open the items that ask")
            let option = keychain.configuration.option(forKeychain: keychain.name)
            printHint("lanyard recovery-key create --replace\(option) makes one that does")
        }
        MachineKeychains.updateTag()
    }

    private func seconds() throws(KeychainError) -> UInt32 {
        guard let time else {
            return PresenceEnrollment.usualSeconds
        }
        guard time != "0s" && time != "0" else {
            return 0
        }
        guard let seconds = try? TimeOut(parsing: time).limit,
            seconds <= PresenceEnrollment.longestSeconds
        else {
            throw KeychainError(
                .param, "a touch can't serve for '\(time)': a day at most",
                hint: "for example --for 15m, or --for 0s for each use")
        }
        return seconds
    }
}
