#if SecretService
internal import LanyardConfiguration
internal import KeychainServices
internal import Keychains
internal import LinuxSystem
internal import LanyardPrompting
internal import SealedStore

/// A sealed keychain as a collection.
///
/// It is opened for each call, as every helper does: between two calls the process has none of its keys. Only with a
/// given passphrase, which takes long to stretch, it stays open.
final class SealedSource: CollectionSource {
    private let name: String
    private var configuration: Configuration
    private var location: KeychainLocation
    private var unlocker: KeychainUnlocker
    private var snapshot: KeychainSnapshot
    private var seen: FileVersion?
    private var hasPassphrase = false
    private var isLockedForAll = false
    private var open: SealedStore?
    private var failure: Status?
    private var isExchangePlanned = false
    private var busyUntil: Deadline?

    /// How long to wait for further changes before a shared keychain's exchange, in milliseconds.
    private static let exchangeDelay: UInt32 = 500

    /// How long to wait for a program that changes the keychain, in milliseconds: a client waits two seconds.
    private static let busyTimeouts: (first: Int64, next: Int64) = (1_500, 20)

    /// For how long the next calls hardly wait, in milliseconds: those that were sent meanwhile are answered by then.
    private static let busyTime: Int64 = 2_000

    init(_ name: String, _ configuration: Configuration) throws(KeychainError) {
        self.name = name
        self.configuration = configuration.withoutAsking
        location = try configuration.location(ofKeychain: name)
        unlocker = KeychainUnlocker(
            name: name, configuration: configuration.withoutAsking, isSilent: true)
        snapshot = KeychainSnapshot(of: location)
    }

    func changes() -> [KeychainSnapshot.Change] {
        let version = try? FileVersion(at: location.file)
        guard version != seen || hasPassphrase || failure != nil else {
            return []
        }
        // An open keychain stays that of the file that was replaced.
        if let version, let seen, version.isSameFile(as: seen) {
        } else {
            open = nil
        }
        seen = version
        let difference = snapshot.update()
        report(difference.failure)
        // While it can't be read, for example because another program writes, it is what it was.
        if difference.failure == nil {
            hasPassphrase = difference.hasPassphrase ?? false
            isLockedForAll = difference.isLocked ?? false
        }
        return difference.changes
    }

    /// Reports a failure once, but not that another program writes just now.
    private func report(_ error: KeychainError?) {
        if let error, error.status != failure, error.status != .databaseLocked {
            printWarning("the keychain '\(name)': \(error.reason)")
        }
        failure = error?.status
    }

    let limits: (items: Int, secret: Int)? = nil

    var folders: Set<FolderWatch.Folder> {
        var folders: Set = [
            // Unlocking sets the times of a file there.
            FolderWatch.Folder(location.stateFolder, includesAttributes: true)
        ]
        if let folder = PrivatePlace.parent(of: location.file) {
            folders.insert(FolderWatch.Folder(folder))
        }
        return folders
    }

    var logsUses: Bool { (try? configuration.logsUses(ofKeychain: name)) ?? false }

    var isLocked: Bool { isLockedForAll && !unlocker.hasGivenPassphrase }

    var isBusy: Bool {
        get { busyUntil.map { !$0.hasPassed } ?? false }
        set { busyUntil = newValue ? Deadline(milliseconds: SealedSource.busyTime) : nil }
    }

    func keychain() throws(KeychainError) -> Keychain {
        let store: SealedStore
        if let open { store = open } else { store = try openStore() }
        open = store
        store.busyTimeout =
            isBusy ? SealedSource.busyTimeouts.next : SealedSource.busyTimeouts.first
        return Keychain(
            store, accessGroups: .all(addingTo: OtherItem.group),
            accessible: try configuration.accessible())
    }

    func close() {
        if !unlocker.hasGivenPassphrase {
            open = nil
        }
    }

    private func openStore() throws(KeychainError) -> SealedStore {
        do throws(KeychainError) {
            return try opened()
        } catch  where error.status == .noSuchKeychain && name == Configuration.login {
            do throws(KeychainError) {
                try SealedStore.make(at: location)
            } catch  where error.status == .duplicateKeychain {
                // Another program was first.
            }
            return try opened()
        }
    }

    private func opened() throws(KeychainError) -> SealedStore {
        try configuration.logging(
            name,
            SealedStore(
                at: location, provider: unlocker,
                busyTimeout: SealedSource.busyTimeouts.first))
    }

    func follow(_ configuration: Configuration) {
        self.configuration = configuration.withoutAsking
        unlocker = KeychainUnlocker(name: name, configuration: self.configuration, isSilent: true)
        open = nil
        if let location = try? configuration.location(ofKeychain: name) {
            self.location = location
            snapshot.location = location
        }
    }

    func hasChanged() {
        BackgroundExchange.note(name, configuration.places)
        guard !isExchangePlanned else {
            return
        }
        isExchangePlanned = true
        MainLoop.after(milliseconds: SealedSource.exchangeDelay) { [weak self] in
            self?.isExchangePlanned = false
            if let process = BackgroundExchange.start() {
                // So the kernel forgets it.
                MainLoop.whenEnded(process) { _ in }
            }
        }
    }

    func lock() throws(KeychainError) {
        guard seen != nil else {
            return
        }
        let store = try openStore()
        // Without a passphrase it ends the touch of a security key.
        if !hasPassphrase, try store.enrollments().isEmpty {
            return
        }
        try store.lock()
        open = nil
    }
}
#endif
