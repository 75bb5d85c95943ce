internal import Configuration
internal import KeychainServices
internal import SealedStore

extension SealedKeychainStatus {
    /// The lines about the keychain itself, for users.
    var lines: [String] {
        var lines = ["file: \(path)"]
        if let tally {
            lines.append("items: \(itemsText(tally))")
        }
        lines.append("state: \(stateText)")
        return lines
    }

    /// The lines about how items are stored: those that need no unlocking, and those of another machine.
    var itemLines: [String] {
        guard let tally else {
            return []
        }
        var lines: [String] = []
        let always = tally.items(.always, .alwaysThisDeviceOnly)
        let first = tally.items(.afterFirstUnlock, .afterFirstUnlockThisDeviceOnly)
        if state != .noPassphrase {
            if always > 0 {
                lines.append("readable while it is locked: \(count(always)), accessible dk or dku")
            }
            if first > 0 {
                let until =
                    tally.isFirstUnlocked
                    ? "now, and until lanyard lock --all" : "from the next unlock on"
                lines.append("readable \(until): \(count(first)), accessible ck or cku")
            }
        }
        lines.append("opens on another machine: \(elsewhere(tally))")
        return lines
    }

    /// Returns the number of items, in total and for each group.
    private func itemsText(_ tally: ItemTally) -> String {
        var groups = tally.groups.prefix(SealedKeychainStatus.shownGroups).map {
            "\($0.name) \($0.items)"
        }
        let others =
            tally.groups.dropFirst(SealedKeychainStatus.shownGroups)
            .reduce(tally.itemsOfOtherGroups) { $0 + $1.items }
        if others > 0 {
            groups.append("others \(others)")
        }
        return groups.isEmpty
            ? "\(tally.items)" : "\(tally.items) (\(groups.joined(separator: ", ")))"
    }

    /// How many groups are named, the largest first.
    private static let shownGroups = 6

    private func elsewhere(_ tally: ItemTally) -> String {
        var ways = tally.isPortable ? ["the passphrase"] : []
        ways += hasRecoveryKey ? ["the recovery key"] : []
        guard !ways.isEmpty else {
            return "no"
        }
        let rest = tally.itemsOfThisDevice
        return "with \(ways.joined(separator: " or "))"
            + (rest > 0 ? ", but for \(count(rest)) of this machine only" : "")
    }

    private func count(_ items: Int) -> String { items == 1 ? "1 item" : "\(items) items" }

    /// The option that selects this keychain.
    private var option: String {
        name == Configuration.login ? "" : " --keychain \(name)"
    }

    private var stateText: String {
        switch state {
        case .absent: "not there yet; it is made when the first login is stored"
        case .noPassphrase: "no passphrase, always unlocked"
        case .locked: "locked; lanyard unlock\(option) unlocks it"
        case .unlocked(nil): "unlocked until lanyard lock or a restart"
        case .unlocked(let seconds?): "unlocked; locks in \(SealedKeychainStatus.duration(seconds))"
        }
    }

    /// The lines about its protection, for users.
    var protection: [String] {
        guard state != .absent else {
            return []
        }
        return protectionLines + (hasRecoveryKey ? [] : [recoveryLine])
    }

    private var protectionLines: [String] {
        guard state != .noPassphrase else {
            return [
                "protects against: a leaked copy of the folder '\(dataFolder)' alone",
                "does not protect against: somebody who has the folder '\(stateFolder)' too, as in "
                    + "a backup of the whole home or disk; a process of your user",
            ]
        }
        let process = "a process of your user while it is unlocked"
        guard tally?.isPortable == false else {
            return [
                "protects against: somebody who has your files, as from a backup or a stolen disk, "
                    + "and can't guess the passphrase",
                "does not protect against: somebody who guesses the passphrase, which takes only the "
                    + "folder '\(dataFolder)' (lanyard passphrase change --no-portable\(option)); "
                    + process,
            ]
        }
        return [
            "protects against: a leaked copy of the folder '\(dataFolder)' alone; somebody who has all "
                + "your files and can't guess the passphrase",
            "does not protect against: \(process)",
        ]
    }

    private var recoveryLine: String {
        let loss: String
        if state == .noPassphrase {
            loss = "if the folder '\(stateFolder)' is lost, so are all secrets"
        } else if tally?.isPortable == false {
            loss =
                "if the passphrase is forgotten or the folder '\(stateFolder)' lost, all secrets are "
                + "lost"
        } else {
            loss = "if the passphrase is forgotten, all secrets are lost"
        }
        return "\(loss): lanyard recovery-key create\(option) makes a key for that day"
    }

    /// Returns seconds for users: the two largest units.
    static func duration(_ seconds: Int) -> String {
        let units = [(86400, "d"), (3600, "h"), (60, "min"), (1, "s")]
        var rest = seconds
        var parts: [String] = []
        for (size, name) in units where rest >= size && parts.count < 2 {
            parts.append("\(rest / size) \(name)")
            rest %= size
        }
        return parts.isEmpty ? "0 s" : parts.joined(separator: " ")
    }
}
