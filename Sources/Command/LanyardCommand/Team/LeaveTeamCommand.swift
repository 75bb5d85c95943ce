internal import ArgumentParser
internal import KeychainServices
internal import KeychainSync
internal import LinuxSystem
internal import LanyardPrompting
internal import SyncEngine

/// `lanyard team leave`.
struct LeaveTeamCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "leave", abstract: "Take this device out of its team.",
        discussion:
            "The keychain stays as it is, and is not shared any more. The last owner names another "
            + "one first. Before an owner approved this device, it takes back the request to join."
    ).examples(
        "lanyard team leave --keychain work",
        "lanyard team leave --offline --yes --keychain work")

    @Flag(help: "Don't tell the team, for example because its server is gone.")
    var offline = false
    @Flag(help: "Don't ask.")
    var yes = false
    @OptionGroup var keychain: TeamKeychain

    func run() throws {
        let opened = try keychain.open()
        guard let shared = try shared(opened) else {
            if !yes {
                try askForConsent(
                    "share the keychain '\(opened.name)' no more?", hint: "add --yes")
            }
            try SharedKeychain.forget(opened.place, opened.store)
            return printNote(
                "the keychain is not shared any more; ask an owner of the team to remove this device"
            )
        }
        // Others may have come with the recovery key.
        try exchange(shared)
        let isEnding = try isEnding(shared)
        if !yes {
            let team = shared.roster.name
            let question =
                isEnding
                ? "no one else is in the team '\(team)': end it?"
                : shared.isMember
                    ? "leave the team '\(team)'?"
                    : "take back the request to join the team '\(team)'?"
            try askForConsent("\(question)", hint: "add --yes")
        }
        guard !offline, shared.hasOtherOwner || !isEnding else {
            try shared.forget()
            return printNote(
                isEnding
                    ? "the keychain is not shared any more"
                    : "the keychain is not shared any more; ask an owner of the team to run: "
                        + "lanyard team \(shared.isMember ? "remove" : "refuse") "
                        + shared.card.path.shellQuoted)
        }
        try shared.leave()
        printNote("the keychain is not shared any more")
    }

    /// - Returns: nil if what is stored of the team can't be read, and need not be.
    private func shared(_ opened: TeamKeychain.Opened) throws(KeychainError) -> SharedKeychain? {
        do throws(KeychainError) {
            return try opened.shared()
        } catch  where offline && (error.status == .decode || error.status == .wrongVersion) {
            return nil
        }
    }

    private func exchange(_ shared: SharedKeychain) throws(KeychainError) {
        guard !offline else {
            return
        }
        do throws(KeychainError) {
            report(try shared.exchange(), isQuiet: true)
        } catch {
            switch error.status {
            case .missingEntitlement:
                // It was removed, which ends the sharing as well, or is not approved yet.
                return
            case .notAvailable, .itemNotFound:
                throw KeychainError(
                    error.status, error.reason,
                    hint: "without the server: lanyard team leave --offline\(shared.option)")
            default: throw error
            }
        }
    }

    /// Whether the team ends with this device.
    ///
    /// - Throws: ``Status/param`` if it can't go on without this device, and has others.
    private func isEnding(_ shared: SharedKeychain) throws(KeychainError) -> Bool {
        guard shared.isLastOwner, !shared.isRemoved else {
            return false
        }
        guard !shared.otherDevices.isEmpty else {
            return true
        }
        guard offline else {
            throw LeaveTeamCommand.onlyOwner(shared)
        }
        return false
    }

    /// Without an owner, the team could approve and remove no device any more.
    static func onlyOwner(_ shared: SharedKeychain) -> KeychainError {
        KeychainError(
            .param, "this device is the team's only owner",
            hint: "name another owner first: lanyard team role DEVICE owner\(shared.option)")
    }
}
