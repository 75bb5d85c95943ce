internal import ArgumentParser
internal import LanyardConfiguration
internal import LanyardPrompting
internal import Keychains
internal import KeychainServices
internal import KeychainSync
internal import LinuxSystem
internal import SealedStore
internal import SyncEngine

/// `lanyard restore`: restores a sealed keychain from a copy.
struct RestoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Restore a copy that lanyard backup made.",
        discussion:
            "The current keychain moves to a folder beside it. Without --keychain the copy replaces the "
            + "keychain that it was made from, or else the first sealed one in the search list."
    ).examples(
        "lanyard restore /mnt/backup/login.keychain",
        "lanyard restore --keychain work work-2026-01-31.keychain")

    @Argument(
        help: ArgumentHelp("The copy, under any name.", valueName: "file"), completion: .file())
    var file: String
    @Flag(help: "Don't ask before replacing the current keychain.")
    var yes = false
    @OptionGroup var keychain: SealedKeychainOption

    func run() throws {
        let configuration = try Configuration()
        let path = try absolutePath(file)
        let bar = ProgressBar("checking")
        defer { bar.end() }
        var name = try configuration.sealedKeychain(flag: keychain.name)
        var restore = try prepare(path, name, configuration, bar)
        if keychain.name == nil, let owner = owner(of: restore, configuration), owner != name {
            name = owner
            restore = try prepare(path, name, configuration, bar)
        }
        let isFromElsewhere = restore.found == nil
        try restore.open(
            asking: KeychainUnlocker(
                name: path, configuration: configuration, hint: KeychainUnlocker.keyFileHint),
            progress: bar.show)
        bar.end()
        let location = try configuration.location(ofKeychain: name)
        let endsSharing = try endsSharing(restore, name, configuration)
        if endsSharing {
            warnOfEnd(ofSharing: name, configuration)
        }
        if try restore.hasPlaceTaken(), !yes {
            try askForConsent(
                question(restore, name, location), hint: "add --yes to go ahead")
        }
        let time = currentTime().text.filter { $0 != ":" }
        if let folder = try restore.apply(keepingPresentIn: "before-\(time)") {
            printNote("the previous keychain is now in '\(folder)'")
            if endsSharing {
                let file = "\(folder)/\(PrivatePlace.name(of: location.file))".shellQuoted
                printHint(
                    "the previous one is still shared: lanyard restore --keychain \(name) \(file)")
            }
        }
        defer { MachineKeychains.updateTag() }
        try restore.accept()
        let store = try configuration.openExistingSealedKeychain(name)
        try verify(store, name, location, bar)
        if isFromElsewhere {
            try reportOtherMachine(store)
        }
    }

    private func prepare(
        _ path: String, _ name: String, _ configuration: Configuration, _ bar: ProgressBar
    ) throws(KeychainError) -> KeychainRestore {
        guard try configuration.kind(ofKeychain: name) == .sealed else {
            throw KeychainError(.param, "the keychain '\(name)' is not a sealed file")
        }
        SQLiteMemory.limit(to: Configuration.memoryForSQLite)
        defer { bar.end() }
        return try KeychainRestore(
            of: path, to: configuration.location(ofKeychain: name), progress: bar.show)
    }

    /// Returns the keychain that the copy is from, nil if it is not here.
    private func owner(of restore: KeychainRestore, _ configuration: Configuration) -> String? {
        let names = (try? configuration.keychains()) ?? []
        return names.first { name in
            id(name, configuration) == restore.keychainID
        }
    }

    private func id(_ name: String, _ configuration: Configuration) -> [UInt8]? {
        guard (try? configuration.kind(ofKeychain: name)) == .sealed else {
            return nil
        }
        return try? configuration.openSealedKeychain(name)?.keychainID()
    }

    /// Whether a shared keychain's copy lacks this device's keys.
    private func endsSharing(
        _ restore: KeychainRestore, _ name: String, _ configuration: Configuration
    ) throws(KeychainError) -> Bool {
        guard try restore.hasPlaceTaken(),
            BackgroundExchange.isShared(name, configuration.places)
        else {
            return false
        }
        return try !SharedKeychain.hasDevice(restore.openCopy())
    }

    /// Says what a team loses with the present keychain.
    private func warnOfEnd(ofSharing name: String, _ configuration: Configuration) {
        let start = "the copy is from before the keychain '\(name)' was shared: it ends"
        guard let store = try? configuration.openSealedKeychain(name),
            let shared = try? TeamKeychain.Opened(name, configuration, store, isChosen: true)
                .known()
        else {
            return printWarning("\(start) the sharing on this device")
        }
        if shared.wouldLackOwner {
            printWarning("\(start) the sharing on this device, the team's only owner")
            if let hint = LeaveTeamCommand.onlyOwner(shared).hint {
                printHint(hint)
            }
        } else if shared.isLastOwner, !shared.isRemoved {
            printWarning("\(start) the team '\(shared.roster.name)', which has no other device")
        } else if !shared.isRemoved {
            printWarning("\(start) the sharing on this device")
        }
    }

    private func question(
        _ restore: KeychainRestore, _ name: String, _ location: KeychainLocation
    ) -> String {
        let present = try? SealedStore(at: location)
        let id = try? present?.keychainID()
        let count = try? present?.count()
        let damage = restore.found?.isSound == false ? ", which is damaged" : ""
        // A damaged keychain does not tell whether it is the copy's.
        let copy =
            id == nil
            ? ", which can't be read, with this copy"
            : " with "
                + (id == restore.keychainID ? "this copy of it" : "a copy of another keychain")
        return "replace the keychain '\(name)'\(RestoreCommand.items(count))\(copy)"
            + "\(RestoreCommand.items(restore.found?.items))\(damage)?"
    }

    private static func items(_ count: Int?) -> String {
        count.map { " of \(counted($0, "item"))" } ?? ""
    }

    private func verify(
        _ store: SealedStore, _ name: String, _ location: KeychainLocation, _ bar: ProgressBar
    ) throws(KeychainError) {
        let report = VerificationReport(
            keychain: name, path: location.file,
            found: try store.verification(progress: bar.show))
        bar.end()
        try writeAnswer(Secret(report.text))
        if let error = report.error {
            throw error
        }
    }
}
