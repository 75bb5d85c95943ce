internal import Keychains
internal import ArgumentParser
internal import LanyardConfiguration
internal import KeychainServices
internal import LanyardPrompting
internal import SealedStore

/// `lanyard lock`: ends the effect of `lanyard unlock`.
struct LockCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lock", abstract: "Lock a keychain at once."
    ).examples(
        "lanyard lock",
        "lanyard lock --all",
        "lanyard lock --on sleep")

    @Flag(help: "Lock every keychain, and also what stays readable after the first unlock.")
    var all = false
    @Option(
        name: .customLong("on"),
        help: ArgumentHelp(
            "Lock the keychains whose settings say so: sleep or screen-lock.", valueName: "event"))
    var event: Event?
    @OptionGroup var keychain: SealedKeychainOption

    enum Event: String, ExpressibleByArgument, CaseIterable {
        case sleep
        case screenLock = "screen-lock"
    }

    func validate() throws {
        if all, keychain.name != nil {
            throw ValidationError("--all is for every keychain: leave --keychain out")
        }
        if event != nil, all || keychain.name != nil {
            throw ValidationError("--on chooses the keychains: leave --all and --keychain out")
        }
    }

    func run() throws {
        guard !all else {
            return try UserKeychains.lockAll { printWarning($0.reason) }
        }
        let keychains = try UserKeychains()
        if let event = event.flatMap({ LockEvent(rawValue: $0.rawValue) }) {
            return try keychains.lock(on: event)
        }
        let configuration = keychains.configuration
        let name = try configuration.sealedKeychain(flag: keychain.name)
        try lock(name, keychains)
        guard try configuration.kind(ofKeychain: name) == .sealed else {
            return
        }
        if neverLocks(name, configuration) {
            printNeverLocked(name)
        }
        if keychain.name == nil {
            try hintAtOpenDefault(configuration, lock: true)
        }
    }

    /// Locks a keychain. Where the state folder can't be written, it is locked, too, but not for a thief of its keys.
    private func lock(_ name: String, _ keychains: UserKeychains) throws(KeychainError) {
        do throws(KeychainError) {
            try keychains.lock(name)
        } catch {
            guard error.status == .readOnly else {
                throw error
            }
            guard !neverLocks(name, keychains.configuration) else {
                return
            }
            throw KeychainError(
                .readOnly,
                "the keychain '\(name)' is locked, but copies of its keys still open it: \(error.reason)"
            )
        }
    }

    /// Whether nothing can lock a keychain; also false if its file can't be read just now.
    private func neverLocks(_ name: String, _ configuration: Configuration) -> Bool {
        guard let store = try? configuration.openSealedKeychain(name) else {
            return false
        }
        store.busyTimeout = 0
        // With a security key it ends a touch.
        return (try? store.lockState() == .noPassphrase && store.enrollments().isEmpty) ?? false
    }
}
