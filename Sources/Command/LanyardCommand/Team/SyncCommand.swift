internal import ArgumentParser
internal import LanyardConfiguration
internal import Keychains
internal import KeychainServices
internal import ToolSetup
internal import KeychainSync
internal import LinuxSystem
internal import LanyardPrompting
internal import StrictJSON
internal import SyncEngine

/// `lanyard team sync`.
struct SyncCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync", abstract: "Exchange the keychain's items with the team.",
        discussion: "Items can be read and stored without it: it brings both sides together."
    ).examples("lanyard team sync --keychain work")

    @Flag(name: .shortAndLong, help: "Print errors only.")
    var quiet = false
    @Flag(help: "All shared keychains, except locked ones.")
    var all = false
    @Option(
        help: ArgumentHelp(
            "Send nothing more after this time: the rest waits.", valueName: "seconds"))
    var limit: UInt32?
    @OptionGroup var keychain: TeamKeychain

    func validate() throws {
        guard !all || keychain.name == nil else {
            throw ValidationError("--all and --keychain exclude each other.")
        }
        guard limit != 0 else {
            throw ValidationError("The limit is at least 1 second.")
        }
    }

    func run() throws {
        let limit = self.limit.map { seconds in
            (end: Deadline(milliseconds: Int64(seconds) * 1000), seconds: seconds)
        }
        if let limit {
            SystemCalls.endSilently(afterSeconds: limit.seconds, isFailure: true)
        }
        guard !all else {
            return try exchangeAll(limit)
        }
        try exchange(try keychain.open(), limit, isReplaceable: limit != nil)
    }

    private typealias Limit = (end: Deadline, seconds: UInt32)

    /// - Parameter isReplaceable: Whether another exchange that waits already may do it.
    private func exchange(
        _ opened: TeamKeychain.Opened, _ limit: Limit?, isReplaceable: Bool
    ) throws(KeychainError) {
        guard try !opened.isUpToDate() else {
            return report(SyncReport(), isQuiet: quiet)
        }
        guard let shared = isReplaceable ? try opened.sharedUnlessOneWaits() : try opened.shared()
        else {
            return
        }
        let done = try shared.exchangeShowingProgress(limit: limit)
        report(done, isQuiet: quiet)
        if done.isOutOfTime {
            throw KeychainError(
                .notAvailable,
                "\(done.waiting + done.unsent) changes wait: the time limit has passed",
                hint: "lanyard team sync --keychain \(opened.name)")
        }
    }

    private func exchangeAll(_ limit: Limit?) throws(KeychainError) {
        var failure: KeychainError?
        for opened in try TeamKeychain.allShared() {
            do throws(KeychainError) {
                try exchange(opened, limit, isReplaceable: true)
            } catch  where [.interactionNotAllowed, .noSuchKeychain].contains(error.status) {
                // Locked, or another keychain that has the place of a shared one.
            } catch {
                if let failure {
                    printError(failure)
                }
                failure = KeychainError(
                    error.status, "keychain '\(opened.name)': \(error.reason)", hint: error.hint)
            }
        }
        if let failure {
            throw failure
        }
    }
}

/// Exchanges items before a change of the team that needs none: what the server or a device says of them can't prevent it.
func exchangeIfReadable(_ shared: SharedKeychain) throws(KeychainError) {
    do throws(KeychainError) {
        report(try shared.exchange(), isQuiet: true)
    } catch {
        guard [.decode, .wrongVersion].contains(error.status) else {
            throw error
        }
        printWarning("items were not exchanged: \(error.reason)")
    }
}

/// Prints what an exchange did, and what it noticed.
func report(_ report: SyncReport, isQuiet: Bool) {
    if report.findings.contains(.serverIsOlder) {
        printWarning(
            "the team's server was older than at the last exchange, and got back what it lacked")
        printHint("ask who runs it whether it was restored from a backup")
    }
    for case .changeOfMembersIsOverruled(let device) in report.findings {
        printWarning(
            "'\(device.name)' of \(device.person) changed the team's members beside another change of them; what it "
                + "changed there does not count")
        printHint("see what is missing: lanyard team members; then ask who can write to the server")
    }
    for case .changeOfMembersIsUnexplained(let device) in report.findings {
        printWarning(
            "'\(device.name)' of \(device.person) changed the team's members after a change that the team's server does "
                + "not show; it was set aside")
        printHint(
            "compare with the other members: lanyard team members; if they agree and the server can be trusted, an owner "
                + "removes the device: lanyard team remove \(device.path.shellQuoted)")
    }
    for case .keyIsMissing(let device) in report.findings {
        printWarning(
            "'\(device.name)' of \(device.person) gave this device a wrong key of the team: it can't read what others store "
                + "now, and its own changes wait")
        printHint(
            "another owner removes that device: lanyard team remove \(device.path.shellQuoted)")
    }
    for case .keysAreHidden(let device) in report.findings {
        printWarning(
            "'\(device.name)' of \(device.person) renewed the team's key without the one before it; Lanyard stores again what "
                + "is under older keys")
        printHint(
            "if that device has no other Lanyard, an owner removes it: lanyard team remove "
                + device.path.shellQuoted)
    }
    for case .changesAreMissing(let device) in report.findings {
        printWarning(
            "the team's server lacks changes of which '\(device.name)' of \(device.person) told")
        printHint(
            "run there: lanyard team sync; if that does not help and the server can be trusted, an owner "
                + "removes the device: lanyard team remove \(device.path.shellQuoted)")
    }
    for case .headIsOlder(let device) in report.findings {
        printWarning(
            "someone overwrites the record in which '\(device.name)' of \(device.person) tells of its changes"
        )
        printHint("see who can write to the server; then run on that device: lanyard team sync")
    }
    for case .changeContradicts(let device) in report.findings {
        printWarning(
            "'\(device.name)' of \(device.person) signed a change that is too large or names other devices' changes "
                + "that the team's server lacks; it was set aside")
        printHint(
            "run on the team's devices: lanyard team sync; if that does not help and the server can be trusted, an "
                + "owner removes the device: lanyard team remove \(device.path.shellQuoted)")
    }
    for case .numberIsUsedTwice(let device) in report.findings {
        printWarning(
            "'\(device.name)' of \(device.person) made two changes with one number; what other devices stored comes "
                + "before them")
        printHint(
            "if it was restored from a backup or copied, run there: lanyard team leave --offline, and join again with "
                + "another --device name; an owner removes it: lanyard team remove \(device.path.shellQuoted)"
        )
    }
    for case .changesAreDropped(let device, by: let owner) in report.findings {
        printWarning(
            "'\(owner.name)' of \(owner.person) took rights from '\(device.name)' of \(device.person) without changes that "
                + "were here; they do not count any more")
        printHint(
            "compare with a backup, and store what is missing again; if \(owner.person) knew of these changes, another owner "
                + "removes that device: lanyard team remove \(owner.path.shellQuoted)")
    }
    for case .contentsAreWrong(let device, let records) in report.findings {
        printWarning(wrongContents(of: device, records))
        printHint(
            "ask \(device.person) to store them again; an owner removes a device: lanyard team remove "
                + device.path.shellQuoted)
    }
    let forged = report.findings.count {
        if case .recordIsForged = $0 { true } else { false }
    }
    if forged > 0 {
        printWarning("the team's server has \(forged) records that no device of the team made")
    }
    if report.findings.contains(.rosterHasForgedEntries) {
        printWarning(
            "the team's server has changes of the team's members that no owner made; they were skipped"
        )
        printHint("see who can write to the server")
    }
    if report.findings.contains(.rosterIsFlooded) {
        printWarning(
            "the team's server has more changes of the team's members that no owner made than Lanyard reads: new ones of "
                + "owners may be missed")
        printHint(
            "see who can write to the server, and restore it from an earlier backup: it gets back what it lacks"
        )
    }
    if report.waiting + report.unsent > 0, !report.isOutOfTime {
        printWarning("\(report.waiting + report.unsent) changes wait for the next exchange")
    }
    if report.refused > 0 {
        TeamKeychain.warnOfReader()
    }
    if !isQuiet {
        printNote("\(report.received) received, \(report.sent) sent")
    }
}

/// Returns a line about versions that are set aside.
private func wrongContents(of device: DeviceCard, _ records: [Identifier]) -> String {
    let more = records.count > 1 ? " and \(records.count - 1) more" : ""
    return "'\(device.name)' of \(device.person) stored what is no item: "
        + "\(records.first?.text ?? "")\(more); earlier versions stay"
}

extension SharedKeychain {
    /// Why this device, which was removed or refused, is not in the team.
    var ending: String {
        isMember ? "not in the team any more" : "its request to join was ended"
    }
}

/// Points to the timer that fetches what others change, where it was installed with this program.
func hintAtTimer() {
    let timer = "lanyard-team.timer"
    // In lib of a package, in share of an archive.
    if UserServices.isPossible,
        ["lib", "share"].contains(where: {
            Installation()?.file("\($0)/systemd/user/\(timer)") != nil
        })
    {
        printHint("get what others change: systemctl --user enable --now \(timer)")
    }
}

/// Says how other programs find the items of a shared keychain that is not in the search list.
func hintAtSearchList(_ name: String) {
    if let configuration = try? Configuration(),
        let unsearched = try? UnsearchedKeychain(name, configuration)
    {
        printHint("let git and other tools find its items: \(unsearched.command)")
    }
}

/// `lanyard team status`.
struct TeamStatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show whether a keychain is up to date with its team."
    ).examples("lanyard team status --keychain work")

    @OptionGroup var json: JSONFlag
    @OptionGroup var keychain: TeamKeychain

    func run() throws {
        let shared = try keychain.known()
        let role = shared.isRemoved ? nil : shared.roster.devices[shared.card.id]?.role
        let waiting = try shared.changes()
        let refused = try shared.refusedChanges()
        guard json.isOn else {
            var lines = [
                "team: \(shared.roster.name), "
                    + (shared.otherDevices.isEmpty
                        ? "no other device" : "other devices: \(shared.otherDevices.count)"),
                "server: \(shared.address)",
                "this device: \(shared.card.path), "
                    + (shared.isRemoved
                        ? shared.ending
                        : role?.name ?? "not approved yet, code \(shared.card.code)"),
            ]
            lines.append(
                shared.lastExchange.map {
                    "last exchange: \($0.age(at: currentTime())) ago"
                } ?? "last exchange: none")
            lines.append(
                shared.isReader
                    ? "changes that stay here, because this device only reads: \(refused)"
                    : "changes that wait: \(waiting)")
            let mixed = shared.cards.filter(\.hasMixedScripts).map(\.path.shellQuoted)
            if !mixed.isEmpty {
                lines.append(
                    "names with letters of several scripts: \(mixed.joined(separator: ", "))")
            }
            if role == .owner, shared.hasMoreRequests {
                lines.append(
                    "requests to join: more than \(shared.requests.count); approve or refuse some "
                        + "of those that lanyard team members\(shared.option) lists")
            }
            if shared.isRemoved {
                lines.append("next step: lanyard team leave\(shared.option)")
            }
            lines += try shared.setAside().map { wrongContents(of: $0.device, $0.records) }
            lines += shared.contradicting.map {
                "changes of '\($0.name)' of \($0.person) did not fit with others; if that goes on: "
                    + "lanyard team remove \($0.path.shellQuoted)\(shared.option)"
            }
            if try shared.conflicts() > 0 {
                let names = Set(try shared.conflictingItems().compactMap(\.shownName)).sorted()
                lines.append(
                    "items changed by two devices at once: \(names.joined(separator: ", "))")
            }
            return try writeAnswer(Secret(lines.map { "\($0)\n" }.joined()))
        }
        try writeAnswer(
            JSONWriter.writeObject { writer throws(KeychainError) in
                try writer.member("team", ByteString(shared.roster.name))
                try writer.member("address", ByteString(shared.address))
                try writer.member("person", ByteString(shared.card.person))
                try writer.member("device", ByteString(shared.card.name))
                try writer.member("code", ByteString(shared.card.code))
                try writer.member("role", role?.name)
                try writer.member("last_exchange", shared.lastExchange?.text)
                try writer.member("waiting", waiting)
                try writer.member("refused", refused)
                try writer.member("conflicts", try shared.conflicts())
                try writer.member("more_requests", shared.hasMoreRequests)
                let setAside = try shared.setAside().reduce(0) { $0 + $1.records.count }
                try writer.member("set_aside", setAside)
                try writer.member("contradicting", shared.contradicting.count)
            })
    }
}
