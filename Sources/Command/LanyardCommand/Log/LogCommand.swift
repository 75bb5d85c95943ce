internal import ArgumentParser
internal import LanyardConfiguration
internal import KeychainServices
internal import Keychains
internal import LinuxSystem
internal import LanyardPrompting
internal import SealedStore

/// `lanyard log`: prints the logged uses of secrets, and never a secret.
struct LogCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "log", abstract: "Print which programs used which secrets.",
        discussion:
            "The log is off by default: lanyard config set log true switches it on. The latest use comes "
            + "last. It asks for no passphrase."
    ).examples(
        "lanyard log --since 2h",
        "lanyard log --json")

    @Option(
        help: ArgumentHelp(
            "Only uses since this date, or this long ago: 2h, 7d, 2027-01-31.", valueName: "time"))
    var since: String?
    @OptionGroup var json: JSONFlag
    @OptionGroup var keychain: KeychainOption

    func run() throws {
        let earliest = try since.map { text throws(KeychainError) in
            try Timestamp(since: text, now: SystemCalls.now())
        }
        let configuration = try Configuration()
        var uses: [ListedUse] = []
        var failure: KeychainError?
        for name in try names(configuration) {
            guard let content = try configuration.openSealedKeychain(name)?.usesSoFar() else {
                continue
            }
            uses += content.uses.map { ListedUse(use: $0, keychain: name) }
            if content.endsInTheMiddle {
                printWarning("the last entry in '\(content.path)' is incomplete and was skipped")
            }
            failure = failure ?? content.failure
        }
        // Stable within a keychain, whose order is certain; a clock may have been wrong.
        let listing = UseListing(
            uses: UseListing.merged(uses).filter { earliest == nil || $0.use.time >= earliest! })
        try json.isOn ? listing.writeJSON() : listing.write(for: .current)
        if let failure {
            throw failure
        }
        if listing.uses.isEmpty, try !isOn(configuration) {
            printHint("lanyard config set log true switches the log on")
        }
    }

    /// Returns the names of the sealed keychains in use, or the named one.
    private func names(_ configuration: Configuration) throws(KeychainError) -> [String] {
        if let name = keychain.name {
            return [name]
        }
        var names: [String] = []
        for name in try configuration.searchList(flag: nil).names
        where try configuration.kind(ofKeychain: name) == .sealed {
            names.append(name)
        }
        return names
    }

    private func isOn(_ configuration: Configuration) throws(KeychainError) -> Bool {
        for name in try names(configuration)
        where try configuration.logsUses(ofKeychain: name) {
            return true
        }
        return false
    }
}

extension UseLogContent {
    /// Why not all uses are there, nil if they are as far as that can be known.
    fileprivate var failure: KeychainError? {
        guard !isWhole else {
            return nil
        }
        var parts: [String] = []
        if damaged > 0 {
            parts.append(damaged == 1 ? "1 entry is damaged" : "\(damaged) entries are damaged")
        }
        if gaps > 0 {
            parts.append(
                gaps == 1
                    ? "entries are missing or were moved"
                    : "entries are missing or were moved in \(gaps) places")
        }
        return KeychainError(
            .decode, "the log '\(path)' was changed: \(parts.joined(separator: ", and "))",
            hint: "to begin a new one: rm \(path.shellQuoted)")
    }
}
