internal import LanyardConfiguration
internal import Keychains
internal import KeychainServices
internal import KeychainSync

/// How far a shared keychain is with its team, as far as known without an exchange.
enum SharingStatus {
    case known(
        lastExchange: Timestamp?, waiting: Int, refused: Int, conflicts: Int, setAside: Int,
        contradicting: Int)
    /// An owner has not approved this device yet.
    case notApproved
    /// This device was removed from the team.
    case removed
    /// This device's request to join was ended.
    case refused
    /// Why it is unknown, for example because the keychain is locked.
    case unknown(KeychainError)

    /// Looks at a keychain without asking the user; nil if it is not shared.
    init?(named name: String, _ configuration: Configuration) {
        let place = SharedKeychain.Place(
            name: name, stateFolder: configuration.places.state, keychainFile: nil)
        guard place.isShared else {
            return nil
        }
        do throws(KeychainError) {
            guard let store = try configuration.withoutAsking.openSealedKeychain(name) else {
                return nil
            }
            let shared = try SharedKeychain(lookingAt: place, store)
            if shared.isRemoved {
                self = shared.isMember ? .removed : .refused
            } else if shared.isMember {
                self = .known(
                    lastExchange: shared.lastExchange, waiting: try shared.changes(),
                    refused: try shared.refusedChanges(), conflicts: try shared.conflicts(),
                    setAside: try shared.setAside().count,
                    contradicting: shared.contradicting.count)
            } else {
                self = .notApproved
            }
        } catch {
            self = .unknown(error)
        }
    }

    /// Adds the status to a screen.
    ///
    /// - Parameter option: The option that names the keychain.
    func add(to screen: inout Screen, option: String, now: Timestamp) {
        switch self {
        case .known(
            let lastExchange, let waiting, let refused, let conflicts, let setAside,
            let contradicting):
            let last = lastExchange.map { "last exchange \($0.age(at: now)) ago" }
            screen.add("shared", last ?? "no exchange yet")
            if waiting > 0 {
                screen.add(
                    .warning, "\(waiting) \(waiting == 1 ? "change waits" : "changes wait") for it",
                    "fix: lanyard team sync\(option)")
            }
            if refused > 0 {
                screen.add(
                    .warning,
                    "\(refused) \(refused == 1 ? "change stays" : "changes stay") here: "
                        + "this device only reads", "see: lanyard team members\(option)")
            }
            if conflicts > 0 {
                screen.add(
                    .warning, "two devices changed an item at once: \(conflicts)",
                    "see: lanyard team status\(option)")
            }
            if setAside > 0 {
                screen.add(
                    .warning, "devices that stored what is no item: \(setAside)",
                    "see: lanyard team status\(option)")
            }
            if contradicting > 0 {
                screen.add(
                    .warning,
                    "devices whose changes did not fit with others: \(contradicting)",
                    "see: lanyard team status\(option)")
            }
        case .notApproved:
            screen.add("shared", "waits for an owner's approval")
        case .removed:
            screen.add(
                .warning, "this device is not in the keychain's team any more",
                "fix: lanyard team leave\(option)")
        case .refused:
            screen.add(
                .warning, "this device's request to join the team was ended",
                "fix: lanyard team leave\(option)")
        case .unknown(let error) where error.status == .interactionNotAllowed:
            screen.add("shared", "last exchange unknown while it is locked")
        case .unknown(let error):
            screen.add("shared", "unknown: \(error.reason)")
        }
    }
}
