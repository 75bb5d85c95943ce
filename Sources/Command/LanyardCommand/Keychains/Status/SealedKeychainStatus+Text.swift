internal import LanyardConfiguration
internal import Keychains
internal import KeychainServices
internal import SealedStore

extension SealedKeychainStatus {
    /// Adds its items and its file to a screen.
    func addContents(to screen: inout Screen) {
        if let tally {
            screen.add("items", itemsText(tally))
        }
        screen.add("file", path)
        sharing?.add(to: &screen, option: option, now: currentTime())
    }

    /// Adds to a screen what opens it, and what it protects against.
    func addProtection(to screen: inout Screen) {
        if let problem = machineKey?.problem {
            screen.add(.error, [problem.reason] + [problem.hint].compactMap(\.self))
        }
        guard let tally else {
            return
        }
        screen.add("readable", readableTexts(tally))
        screen.add("opens", elsewhere(tally))
        screen.add("safe", safeText)
        screen.add("not safe", unsafeTexts)
        if let machineKey {
            let theft = machineKey.theft(
                hasPassphrase: state != .noPassphrase, isPortable: tally.isPortable)
            screen.add(
                "theft",
                securityKeys.isEmpty || !theft.hasSuffix("opens everything")
                    ? theft : "\(theft) but the items that ask")
        }
        screen.add("touch", securityKeys.map { "'\($0.name)' opens the items that ask" })
        if !hasRecoveryKey {
            let loss = lossWithoutRecoveryKey(
                hasPassphrase: state != .noPassphrase, isPortable: tally.isPortable,
                isSealed: isSealed)
            screen.add(.note, loss, "fix: lanyard recovery-key create\(option)")
        } else if !hasCompleteRecoveryKey {
            screen.add(
                .note, "the recovery key does not open the items that ask",
                "fix: lanyard recovery-key create --replace\(option)")
        }
    }

    /// The items that need no unlocking.
    private func readableTexts(_ tally: ItemTally) -> [String] {
        guard state != .noPassphrase else {
            return []
        }
        var texts: [String] = []
        let always = tally.items(.always, .alwaysThisDeviceOnly)
        let first = tally.items(.afterFirstUnlock, .afterFirstUnlockThisDeviceOnly)
        if always > 0 {
            texts.append(
                "always: \(counted(always, "item")) (accessible dk or dku, as public keys are)")
        }
        if first > 0 {
            let until =
                tally.isFirstUnlocked
                ? "now and until lanyard lock --all" : "from the next unlock on"
            texts.append("\(until): \(counted(first, "item")) (accessible ck or cku)")
        }
        return texts
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
            return "on this machine only"
        }
        let rest = tally.itemsOfThisDevice
        return "on another machine with \(ways.joined(separator: " or "))"
            + (rest > 0 ? ", except \(counted(rest, "item"))" : "")
    }

    /// Whether its secrets can be read, and for how long.
    var stateText: String {
        switch state {
        case nil: "not created yet: the first login creates it"
        case .noPassphrase: "no passphrase, always unlocked"
        case .locked where machineKey?.problem != nil: "locked: the machine key can't be read"
        case .locked:
            reasonForRecoveryKey.map {
                "locked: \($0); with the recovery key: lanyard unlock --recovery-key\(option)"
            } ?? "locked: lanyard unlock\(option)"
        case .unlocked(nil): "unlocked until lanyard lock or a restart"
        case .unlocked(let seconds?): "unlocked, locks in \(SealedKeychainStatus.duration(seconds))"
        }
    }

    private var safeText: String {
        state == .noPassphrase
            ? isSealed ? "if your files leak" : "if the keychain file leaks alone"
            : "if your files leak, unless someone guesses the passphrase"
    }

    private var unsafeTexts: [String] {
        guard state != .noPassphrase else {
            guard !isSealed else {
                return ["from programs that run as you"]
            }
            let isMoved = machineKey?.isMoved == true
            return [
                "if '\(machineKeyFolder)' leaks too"
                    + (isMoved ? "" : ", as in a backup of your home folder"),
                "from programs that run as you",
            ]
        }
        let programs = "from programs that run as you, while it is unlocked"
        guard tally?.isPortable == false else {
            return [
                "from guesses that need the keychain file alone: lanyard passphrase change"
                    + " --no-portable\(option)", programs,
            ]
        }
        return [programs]
    }

    /// The folder of the machine key.
    private var machineKeyFolder: String { machineKey?.folder ?? stateFolder }

    private var isSealed: Bool { machineKey?.sealedTo != nil }

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
