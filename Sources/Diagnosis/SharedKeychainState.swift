internal import KeychainServices
internal import KeychainSync
internal import SealedStore

/// What is wrong between a shared keychain and its team.
struct SharedKeychainState {
    private let keychain: SealedKeychain
    /// Nil if what is stored of the team is damaged.
    private let shared: SharedKeychain?
    private let waiting: Int
    private let conflicts: Int

    /// After how many seconds without an exchange the keychain counts as out of date: a week.
    private static let patience: Int64 = 7 * 86400

    /// Looks at a keychain; nil if it is not shared, or if that can't be known while it is locked.
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
            waiting = (try? shared.changes()) ?? shared.waiting
            self.shared = shared
        } catch {
            guard error.status == .decode else {
                return nil
            }
            (shared, waiting, conflicts) = (nil, 0, 0)
        }
    }

    func findings(now: Timestamp) -> [Finding] {
        let name = keychain.name
        guard let shared else {
            return [
                Finding(
                    .teamDamaged,
                    "the file beside the keychain '\(name: name)' with its team is damaged",
                    advice:
                        "lanyard team leave --offline\(keychain.option), then join again with another --device name"
                )
            ]
        }
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
        return findings
    }
}
