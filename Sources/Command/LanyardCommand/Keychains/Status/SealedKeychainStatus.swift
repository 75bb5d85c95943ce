internal import Keychains
internal import LanyardConfiguration
internal import KeychainServices
internal import KeychainSync
internal import SealedStore

/// The status of a sealed keychain, locked or not.
struct SealedKeychainStatus {
    let name: String
    /// The option that names it in a command, empty for the one that commands use without it.
    let option: String
    let path: String
    let stateFolder: String
    /// Whether its secrets can be read; nil if it does not exist yet.
    let state: LockState?
    /// The number of items of each kind, without this device's keys in a team; nil without a file, or if it is unknown
    /// before unlocking.
    let tally: ItemTally?
    let hasRecoveryKey: Bool
    /// Why only the recovery key opens it here, nil if it is open or something else opens it.
    let reasonForRecoveryKey: String?
    /// Whether the recovery key opens items that ask at each use; true if none does.
    let hasCompleteRecoveryKey: Bool
    /// The security keys that open the items that ask.
    let securityKeys: [PresenceEnrollment]
    /// How the machine key is stored, nil without one.
    let machineKey: MachineKeyPlace.Storage?

    /// How far it is with its team; nil if it is not shared.
    let sharing: SharingStatus?

    /// - Throws: ``Status/noSuchKeychain`` if a keychain other than `login` is missing; what opening it
    ///   throws.
    init(named name: String, _ configuration: Configuration) throws(KeychainError) {
        self.name = name
        option = configuration.option(forKeychain: name)
        let location = try configuration.location(ofKeychain: name)
        path = location.file
        stateFolder = location.stateFolder
        machineKey = try? MachineKeyPlace(stateFolder: location.stateFolder).storage()
        guard let store = try configuration.openSealedKeychain(name) else {
            state = nil
            tally = nil
            hasRecoveryKey = false
            reasonForRecoveryKey = nil
            hasCompleteRecoveryKey = false
            securityKeys = []
            sharing = nil
            return
        }
        state = try store.lockState()
        tally = try SealedKeychainStatus.tally(of: store, named: name, configuration)
        hasRecoveryKey = try store.hasRecoveryKey()
        reasonForRecoveryKey = try store.reasonForRecoveryKey()
        hasCompleteRecoveryKey = try store.hasCompleteRecoveryKey()
        securityKeys = try store.enrollments()
        sharing = SharingStatus(named: name, configuration)
    }

    private static func tally(
        of store: SealedStore, named name: String, _ configuration: Configuration
    ) throws(KeychainError) -> ItemTally? {
        let tally = try store.tally()
        guard let silent = try configuration.withoutAsking.openSealedKeychain(name),
            (try? SharedKeychain.hasDevice(silent)) == true
        else {
            return tally
        }
        let item = SharedKeychain.deviceItem
        return tally?.without(itemOf: item.group, item.accessible)
    }
}
