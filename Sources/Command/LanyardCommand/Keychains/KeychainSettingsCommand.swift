internal import ArgumentParser
internal import LanyardConfiguration
internal import KeychainServices
internal import ToolSetup
internal import Keychains
internal import LanyardPrompting
internal import StrictJSON

/// `lanyard keychain settings`.
struct KeychainSettingsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "settings", abstract: "Show or choose when a keychain locks."
    ).examples(
        "lanyard keychain settings login",
        "lanyard keychain settings --lock-after 4h --lock-on-sleep yes login")

    @Argument(help: "The keychain's name.", completion: .stored(.keychains))
    var name: String
    @Option(
        name: .customLong("lock-after"),
        help: ArgumentHelp(
            "After how long it locks, for example 8h, 30m, 90s or never.", valueName: "time"))
    var lockAfter: String?
    @Option(
        name: .customLong("lock-on-sleep"),
        help: ArgumentHelp(
            "Whether it locks before the machine sleeps: yes or no.", valueName: "choice"))
    var lockOnSleep: Choice?
    @Option(
        name: .customLong("lock-on-screen-lock"),
        help: ArgumentHelp("Whether it locks with the screen: yes or no.", valueName: "choice"))
    var lockOnScreenLock: Choice?
    @OptionGroup var json: JSONFlag

    enum Choice: String, ExpressibleByArgument, CaseIterable {
        case yes, no
    }

    func run() throws {
        var keychains = try UserKeychains()
        var settings = try keychains.settings(of: name)
        guard lockAfter != nil || lockOnSleep != nil || lockOnScreenLock != nil else {
            return try show(settings)
        }
        if let lockAfter {
            settings.lockAfter = try TimeOut(parsing: lockAfter).limit
        }
        settings.locksOnSleep = lockOnSleep.map { $0 == .yes } ?? settings.locksOnSleep
        settings.locksOnScreenLock =
            lockOnScreenLock.map { $0 == .yes } ?? settings.locksOnScreenLock
        try keychains.setSettings(settings, of: name)
        if json.isOn {
            try show(settings)
        }
        if lockOnSleep == .yes || lockOnScreenLock == .yes {
            printHint(
                "a service of the desktop does that: "
                    + (UserServices.isPossible
                        ? "systemctl --user enable --now lanyard-lock.service"
                        : "start lanyard-keychain-secret-service --lock-on-signals with it"))
        }
    }

    private func show(_ settings: KeychainSettings) throws(KeychainError) {
        guard json.isOn else {
            let time = settings.lockAfter.map(TimeOut.seconds) ?? .never
            let text = """
                lock after           \(time.text)
                lock on sleep        \(settings.locksOnSleep ? "yes" : "no")
                lock on screen lock  \(settings.locksOnScreenLock ? "yes" : "no")

                """
            return try writeAnswer(Secret(text))
        }
        try writeAnswer(
            JSONWriter.writeObject { writer throws(KeychainError) in
                try writer.member("lock_after", settings.lockAfter.map { Int($0) })
                try writer.member("lock_on_sleep", settings.locksOnSleep)
                try writer.member("lock_on_screen_lock", settings.locksOnScreenLock)
            })
    }
}
