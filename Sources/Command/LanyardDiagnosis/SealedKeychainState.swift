internal import LanyardConfiguration
internal import KeychainServices
internal import Keychains
internal import SealedStore
internal import Synchronization

/// The state that a sealed keychain reports.
struct SealedKeychainState: Sendable {
    let keychain: SealedKeychain
    /// Whether it is locked, nil if unknown.
    private(set) var lockState: LockState?
    private(set) var hasPassphrase = false
    private(set) var hasRecoveryKey = false
    /// Whether the recovery key opens items that ask at each use; true if none does.
    private(set) var hasCompleteRecoveryKey = false
    /// Why only the recovery key opens it here, nil if it is open or something else opens it.
    private(set) var reasonForRecoveryKey: String?
    /// Whether the passphrase opens it without the machine key.
    private(set) var isPortable = false
    /// Whether a touch of a FIDO2 security key opens its items that ask.
    private(set) var hasSecurityKey = false
    /// Whether it opens, but `lanyard verify` finds damage in it.
    private(set) var isDamaged = false
    /// Why the state is unknown, nil if it is known or the file is missing.
    private(set) var failure: KeychainError?

    /// Asks a keychain, and waits up to ten seconds for a busy one.
    init(_ keychain: SealedKeychain) {
        self.keychain = keychain
        guard keychain.exists else {
            return
        }
        do throws(KeychainError) {
            let store = try SealedStore(at: keychain.location)
            hasPassphrase = try store.hasPassphrase()
            hasRecoveryKey = try store.hasRecoveryKey()
            hasCompleteRecoveryKey = try store.hasCompleteRecoveryKey()
            reasonForRecoveryKey = try store.reasonForRecoveryKey()
            isPortable = try store.isPortable()
            hasSecurityKey = try store.enrollments().contains { $0.program == "fido2" }
            let state = try store.lockState()
            // A keychain that opens is damaged in parts, even if its items can't be counted.
            try KeychainError.ignoring(.invalidKeychain) { () throws(KeychainError) in
                _ = try store.tally()
            }
            lockState = state
            isDamaged = SealedKeychainState.isDamaged(store)
        } catch {
            failure = error
        }
    }

    /// Whether a check of all items finds damage. What is locked is not checked.
    private static func isDamaged(_ store: SealedStore) -> Bool {
        do throws(KeychainError) {
            // The other check makes a copy beside the keychain.
            _ = try store.verify()
            return false
        } catch {
            return [.decode, .invalidKeychain].contains(error.status)
        }
    }
}

/// The states of the sealed keychains, requested once: waiting for a busy one takes time.
final class SealedKeychainStates: Sendable {
    private let states = Mutex<[SealedKeychainState]?>(nil)

    /// Returns the states.
    ///
    /// - Parameter keychains: The keychains, the same each time.
    func of(_ keychains: [SealedKeychain]) -> [SealedKeychainState] {
        states.withLock { states in
            if let states {
                return states
            }
            let asked = keychains.map(SealedKeychainState.init)
            states = asked
            return asked
        }
    }
}

extension DiagnosisContext {
    /// What a thief of the home folder can read, none without a keychain.
    var thefts: [String] {
        let states = keychainStates.filter { $0.keychain.exists && $0.failure == nil }
        guard let folder = states.first?.keychain.location.stateFolder,
            let storage = (try? MachineKeyPlace(stateFolder: folder).storage()) ?? nil
        else {
            return []
        }
        return storage.thefts(
            states.map { ($0.keychain.name, $0.hasPassphrase, $0.isPortable) })
    }

    /// The states of the sealed keychains.
    var keychainStates: [SealedKeychainState] { states.of(sealedKeychains) }

    /// The sealed keychains: those in the search list, and those with a section or a file.
    private var sealedKeychains: [SealedKeychain] {
        guard let configuration else {
            return []
        }
        let list = (try? configuration.searchList())?.names ?? [Configuration.login]
        var names = list
        for name in (try? configuration.keychains()) ?? [] where !names.contains(name) {
            names.append(name)
        }
        return names.compactMap { name in
            guard (try? configuration.kind(ofKeychain: name)) == .sealed,
                let location = try? configuration.location(ofKeychain: name)
            else {
                return nil
            }
            return SealedKeychain(
                name: name, location: location, isInUse: list.contains(name),
                isFirst: configuration.option(forKeychain: name).isEmpty)
        }
    }
}
