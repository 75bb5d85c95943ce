internal import ArgumentParser
internal import LanyardConfiguration
internal import LanyardPrompting
internal import Keychains
internal import KeychainServices
internal import KeychainSync
internal import LinuxSystem
internal import SealedStore

/// `lanyard verify`: authenticates a whole sealed keychain, and reports any damage.
struct VerifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Check that a keychain is whole and undamaged.",
        discussion:
            "It asks for no passphrase: it counts what is locked, and skips it."
    ).examples(
        "lanyard verify",
        "lanyard verify --file /mnt/backup/login.keychain")

    @OptionGroup var json: JSONFlag
    @Option(
        help: ArgumentHelp(
            "Check this file, for example a copy that lanyard backup made.", valueName: "path"),
        completion: .file())
    var file: String?
    @Flag(help: "Move damaged items aside, into a file beside the keychain.")
    var quarantine = false
    @Flag(
        name: .customLong("accept-missing"),
        help: "With --quarantine: give up items that are missing.")
    var acceptMissing = false
    @Flag(help: "With --quarantine: don't ask.")
    var yes = false
    @OptionGroup var keychain: SealedKeychainOption

    func validate() throws {
        guard file == nil || keychain.name == nil && !quarantine else {
            throw ValidationError(
                "--file and --\(quarantine ? "quarantine" : "keychain") can't be combined")
        }
        guard quarantine || !acceptMissing && !yes else {
            throw ValidationError("--accept-missing and --yes need --quarantine")
        }
    }

    func run() throws {
        let configuration = try Configuration()
        let name = file == nil ? try configuration.sealedKeychain(flag: keychain.name) : nil
        let location = try location(name, configuration)
        var report: VerificationReport
        let store: SealedStore
        do throws(KeychainError) {
            store = try open(name, location, configuration)
            let progress = ProgressBar("checking")
            defer { progress.end() }
            let found = try store.verification { done, total in progress.show(done, of: total) }
            progress.end()
            report = VerificationReport(keychain: name, path: location.file, found: found)
        } catch {
            // The keychain as a whole is damaged: that is an answer, too.
            if json.isOn, [.decode, .invalidKeychain, .dataTooLarge].contains(error.status) {
                try writeAnswer(
                    VerificationReport(keychain: name, path: location.file, failure: error).json())
            }
            throw error
        }
        if !json.isOn {
            try writeAnswer(Secret(report.text))
        }
        if quarantine, let found = report.found, !found.isSound {
            let consent = QuarantineConsent(found, acceptsMissing: acceptMissing, yes: yes)
            try consent.ask()
            // The oversized part of a row moves with it.
            SQLiteMemory.limit(to: 0)
            report.quarantine = try store.quarantine(found, acceptsItemSet: consent.isNeeded)
            if !json.isOn {
                try writeAnswer(Secret(report.quarantineText))
            }
        }
        if json.isOn {
            try writeAnswer(report.json())
        }
        if let name {
            for path in try store.leftovers() {
                printHint(
                    "an interrupted program left a file behind: rm \(path.shellQuoted)")
            }
            try checkReplica(name, store, configuration)
        }
        if !quarantine, let error = report.error {
            throw error
        }
        if let hint = report.unlockingHint(configuration) {
            printHint(hint)
        }
    }

    /// Checks what is stored beside a shared keychain, unless it is locked.
    private func checkReplica(
        _ name: String, _ store: SealedStore, _ configuration: Configuration
    ) throws(KeychainError) {
        let opened = TeamKeychain.Opened(name, configuration, store, isChosen: true)
        guard opened.place.isShared else {
            return
        }
        do throws(KeychainError) {
            try opened.known().check()
        } catch {
            // Another keychain may have the place of a shared one.
            guard [.interactionNotAllowed, .noSuchKeychain].contains(error.status) else {
                throw error
            }
        }
    }

    private func location(
        _ name: String?, _ configuration: Configuration
    ) throws(KeychainError) -> KeychainLocation {
        guard let name else {
            return KeychainLocation(
                file: try absolutePath(file ?? ""), stateFolder: configuration.places.state)
        }
        return try configuration.location(ofKeychain: name)
    }

    private func open(
        _ name: String?, _ location: KeychainLocation, _ configuration: Configuration
    ) throws(KeychainError) -> SealedStore {
        guard let name else {
            guard try PrivatePlace.exists(location.file) else {
                throw LinkedFile.notFound(location.file)
            }
            SQLiteMemory.limit(to: Configuration.memoryForSQLite)
            return try SealedStore.openBackup(
                location.file, stateFolder: location.stateFolder,
                provider: KeychainUnlocker(name: location.file, configuration: configuration))
        }
        return try configuration.openExistingSealedKeychain(name)
    }
}

extension Configuration {
    /// Opens an existing sealed keychain; even the default one must exist.
    func openExistingSealedKeychain(_ name: String) throws(KeychainError) -> SealedStore {
        guard let store = try openSealedKeychain(name) else {
            throw KeychainError(
                .noSuchKeychain,
                "the keychain '\(name)' does not exist yet: nothing was stored in it")
        }
        return store
    }
}
