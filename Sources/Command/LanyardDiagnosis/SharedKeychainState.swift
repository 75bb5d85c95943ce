internal import KeychainServices
internal import KeychainSync
internal import SealedStore
internal import SyncEngine

/// What is wrong between a shared keychain and its team.
struct SharedKeychainState {
    private let keychain: SealedKeychain
    /// Or why what is stored of the team can't be read.
    private let shared: Result<SharedKeychain, KeychainError>
    private var waiting = 0
    private var conflicts = 0
    private var setAside: [(device: DeviceCard, records: [Identifier])] = []

    /// After how many seconds without an exchange the keychain counts as out of date: a week.
    private static let patience: Int64 = 7 * 86400

    /// Looks at a keychain that opens; nil if it is not shared, or if that can't be known while it is locked.
    init?(_ keychain: SealedKeychain, stateFolder: String) {
        let place = SharedKeychain.Place(
            name: keychain.name, stateFolder: stateFolder, keychainFile: nil)
        guard place.isShared, let store = try? SealedStore(at: keychain.location) else {
            return nil
        }
        self.keychain = keychain
        do throws(KeychainError) {
            let shared = try SharedKeychain(lookingAt: place, store)
            conflicts = try shared.conflicts()
            setAside = try shared.setAside()
            waiting = (try? shared.changes()) ?? shared.waiting
            self.shared = .success(shared)
        } catch {
            switch error.status {
            // Locked; another keychain of a shared one's name; another check reports permissions.
            case .interactionNotAllowed, .noSuchKeychain, .writePermissions: return nil
            default: shared = .failure(error)
            }
        }
    }

    func findings(now: Timestamp) -> [Finding] {
        switch shared {
        case .success(let shared): findings(shared, now)
        case .failure(let error): [finding(of: error)]
        }
    }

    private func finding(of error: KeychainError) -> Finding {
        let name = keychain.name
        switch error.status {
        case .decode:
            return Finding(
                .teamDamaged,
                "the file beside the keychain '\(name: name)' with its team is damaged",
                advice:
                    "lanyard team leave --offline\(keychain.option), then join again with another --device name"
            )
        case .databaseLocked:
            return Finding(
                .teamBusy,
                "the items of the keychain '\(name: name)' are being exchanged with its team",
                advice: "try again in a minute")
        default:
            return Finding(
                .teamUnreadable, "the team of the keychain '\(name: name)': \(said: error.reason)",
                advice: "\(said: error.hint ?? "restore the file from a backup")")
        }
    }

    private func findings(_ shared: SharedKeychain, _ now: Timestamp) -> [Finding] {
        let name = keychain.name
        guard !shared.isRemoved else {
            return [
                Finding(
                    .teamRemoved,
                    shared.isMember
                        ? "this device is not in the team of the keychain '\(name: name)' any more"
                        : "this device's request to join the team of '\(name: name)' was ended",
                    command: "lanyard team leave\(keychain.option)")
            ]
        }
        var findings: [Finding] = []
        let isOld = shared.lastExchange.map {
            now.secondsSinceEpoch - $0.secondsSinceEpoch > SharedKeychainState.patience
        }
        if shared.isMember, waiting > 0 || isOld ?? true {
            let last: FindingText =
                shared.lastExchange.map { " since \(plain: $0.text)" } ?? ""
            findings.append(
                Finding(
                    .teamWaiting,
                    "the keychain '\(name: name)' had no exchange\(last); changes that wait: \(waiting)",
                    command: "lanyard team sync\(keychain.option)"))
        }
        if conflicts > 0 {
            findings.append(
                Finding(
                    .teamConflicts,
                    "items of the keychain '\(name: name)' that two devices changed at once: \(conflicts)",
                    advice:
                        "lanyard team status\(keychain.option) names them, and lanyard history shows both changes"
                ))
        }
        return findings + setAside.map { finding(of: $0.device, $0.records) }
    }

    private func finding(of device: DeviceCard, _ records: [Identifier]) -> Finding {
        let more: FindingText = records.count > 1 ? " and \(records.count - 1) more" : ""
        let first = records.first?.text ?? ""
        return Finding(
            .teamSetAside,
            "'\(name: device.name)' of \(name: device.person) stored in the team of '\(name: keychain.name)'"
                + " what is no item: \(plain: first)\(more)",
            advice:
                "ask for it to be stored again; an owner can remove the device: lanyard team remove"
        )
    }
}
