internal import LanyardConfiguration
internal import Keychains
internal import KeychainServices
internal import LinuxSystem
internal import LanyardPrompting
internal import SealedStore

/// The machine key and the sealed keychains that it opens.
struct MachineKeychains {
    let configuration: Configuration
    let place: MachineKeyPlace

    init() throws(KeychainError) {
        self.init(try Configuration())
    }

    init(_ configuration: Configuration) {
        self.configuration = configuration
        place = MachineKeyPlace(stateFolder: configuration.places.state)
    }

    /// Returns the existing sealed keychains.
    ///
    /// - Parameter wantsRecoveryKey: Asks for the recovery key to open one.
    /// - Throws: What opening throws.
    func all(wantsRecoveryKey: Bool = false) throws(KeychainError) -> [OpenedKeychain] {
        var keychains: [OpenedKeychain] = []
        for name in try names() {
            let unlocker = KeychainUnlocker(
                name: name, configuration: configuration, wantsRecoveryKey: wantsRecoveryKey,
                hint: "set LANYARD_PASSPHRASE_FILE to a file with the recovery key")
            do throws(KeychainError) {
                if let store = try configuration.openSealedKeychain(name, unlocker: unlocker) {
                    keychains.append(
                        OpenedKeychain(name: name, configuration: configuration, store: store))
                }
            } catch  where error.status == .noSuchKeychain {
                // A keychain of a configuration may be on a disk that is not mounted.
            }
        }
        return keychains
    }

    private func names() throws(KeychainError) -> [String] {
        var names = try configuration.keychains()
        if !names.contains(Configuration.login) {
            names.append(Configuration.login)
        }
        var sealed: [String] = []
        for name in names where try configuration.kind(ofKeychain: name) == .sealed {
            sealed.append(name)
        }
        return sealed
    }

    /// Returns the name of a keychain that was here and whose file is missing, nil if there is none. It
    /// may be on a disk that is not mounted, and may need the machine key.
    func missing() throws(KeychainError) -> String? {
        for name in try names()
        where try SealedStore.isVanished(at: configuration.location(ofKeychain: name)) {
            return name
        }
        return nil
    }

    /// Throws if a keychain is missing: without its file no one knows whether it has another way in.
    func checkNoneIsMissing(before change: String) throws(KeychainError) {
        guard let name = try missing() else {
            return
        }
        throw KeychainError(
            .noSuchKeychain,
            "the keychain '\(name)' is missing, and may need a recovery key before its machine key "
                + change,
            hint: "mount its disk, or forget it: lanyard keychain delete \(name)")
    }

    /// Returns the keychains that open with the machine key alone.
    func openingWithKeyOnly() throws(KeychainError) -> [OpenedKeychain] {
        var keychains: [OpenedKeychain] = []
        for keychain in try all() where try !keychain.store.opensWithoutMachineKey() {
            keychains.append(keychain)
        }
        return keychains
    }

    /// Returns the keychains whose recovery key does not open the items that ask, so they need the machine key.
    func withIncompleteRecoveryKey() throws(KeychainError) -> [OpenedKeychain] {
        var keychains: [OpenedKeychain] = []
        for keychain in try all() where try keychain.store.opensWithoutMachineKey() {
            if try !keychain.store.losesNothingWithoutMachineKey() {
                keychains.append(keychain)
            }
        }
        return keychains
    }

    /// Says that of a keychain.
    static func incomplete(_ name: String) -> String {
        "the recovery key of the keychain '\(name)' does not open its items that ask"
    }

    /// Returns the keychains that the machine key does not open, as after a renewal that was killed.
    func closed() throws(KeychainError) -> [OpenedKeychain] {
        var keychains: [OpenedKeychain] = []
        for keychain in try all(wantsRecoveryKey: true) where try !keychain.store.isBoundToMachine()
        {
            keychains.append(keychain)
        }
        return keychains
    }

    /// Whether every keychain has a passphrase.
    func haveAllPassphrases() throws(KeychainError) -> Bool {
        for keychain in try all() where try !keychain.store.hasPassphrase() {
            return false
        }
        return true
    }

    /// Prints a new recovery key for each keychain without another way in. A sealed key must never be
    /// the only one: a new TPM or another user name makes it useless. Neither must one whose folder
    /// no backup has.
    ///
    /// - Parameter change: What is about to happen to the machine key.
    /// - Throws: ``Status/interactionNotAllowed`` without a terminal, where the user can write it down.
    func makeRecoveryKeys(before change: String = "is sealed") throws(KeychainError) {
        for keychain in try openingWithKeyOnly() {
            let command = "lanyard recovery-key create --keychain \(keychain.name)"
            guard canAskAtTerminal() else {
                throw KeychainError(
                    .interactionNotAllowed,
                    "the keychain '\(keychain.name)' needs a recovery key before its machine key \(change)",
                    hint: command)
            }
            printNote("the recovery key of the keychain '\(keychain.name)' is the way back:")
            try keychain.printNewRecoveryKey()
        }
    }

    /// Throws if a recovery key is not enough without the machine key. None is replaced unasked: the user has
    /// written it down.
    func checkRecoveryKeys() throws(KeychainError) {
        guard let name = try withIncompleteRecoveryKey().first?.name else {
            return
        }
        throw KeychainError(
            .interactionNotAllowed, MachineKeychains.incomplete(name),
            hint: "lanyard recovery-key create --replace --keychain \(name)")
    }

    /// Throws unless a folder can have the machine key: with it a copy of the keychains' folder would open them,
    /// and backups leave out what else is there.
    func check(folder: String) throws(KeychainError) {
        let data = configuration.places.data
        guard !MachineKeychains.leads(folder, through: data) else {
            throw KeychainError(
                .param, "a copy of '\(data)' would open the keychains with the machine key in it",
                hint: "choose a folder elsewhere")
        }
        guard try !isNeededInBackups(folder) else {
            throw KeychainError(
                .param, "the folder '\(folder)' has files that backups need",
                hint: "name a folder for the key alone")
        }
    }

    /// Whether a folder is, or has below it, a home folder or one with keychains or settings.
    private func isNeededInBackups(_ folder: String) throws(KeychainError) -> Bool {
        var needed = [configuration.places.data, configuration.places.configuration]
        if let home = try Environment.value("HOME") {
            needed.append(home)
        }
        for name in try names() {
            needed.append(
                PrivatePlace.folder(of: try configuration.location(ofKeychain: name).file))
        }
        return needed.contains { MachineKeychains.leads($0, through: folder) }
    }

    /// Whether a folder is the other one or below it.
    private static func leads(_ path: String, through folder: String) -> Bool {
        var part = SystemCalls.realPath(path) ?? path
        while !PrivatePlace.areSame(part, folder) {
            guard part != "/" else {
                return false
            }
            part = PrivatePlace.folder(of: part)
        }
        return true
    }

    /// Marks the folder of a plain key for backup programs, if no keychain needs it.
    func updateTag() throws(KeychainError) {
        guard try isKeyUnneeded() else {
            return try place.tag(false)
        }
        try place.tag(true)
        // A keychain that was made meanwhile may have removed the tag before it was there.
        if try !isKeyUnneeded() {
            try place.tag(false)
        }
    }

    private func isKeyUnneeded() throws(KeychainError) -> Bool {
        guard try missing() == nil, let folder = try place.folder(),
            try !isNeededInBackups(folder)
        else {
            return false
        }
        for keychain in try all() {
            guard try keychain.store.losesNothingWithoutMachineKey(),
                // One that can't be opened may have some.
                (try? keychain.store.itemsBoundHere()) == 0
            else {
                return false
            }
        }
        return true
    }

    /// Does the same after a change of what opens a keychain, which succeeds in any case.
    static func updateTag() {
        guard let keychains = try? MachineKeychains() else {
            return
        }
        do throws(KeychainError) {
            try keychains.updateTag()
        } catch {
            // A keychain that can't be looked at may need the key.
            try? keychains.place.tag(false)
        }
    }

    /// Removes the mark before such a change: a program that is killed leaves none then.
    static func removeTag() {
        try? MachineKeychains().place.tag(false)
    }

    /// Seals the key after making recovery keys, and says so.
    func seal() throws(KeychainError) {
        guard place.canSeal else {
            throw KeychainError(
                .notAvailable, "systemd can't seal the machine key here: that takes systemd 256",
                hint: "lanyard passphrase set protects copies of your home folder")
        }
        try checkNoneIsMissing(before: "is sealed")
        try checkRecoveryKeys()
        try makeRecoveryKeys()
        try place.seal()
        try updateTag()
        try report()
    }

    /// Says how the key is stored, and what that protects against.
    func report() throws(KeychainError) {
        guard let storage = try place.storage() else {
            return
        }
        let thefts = try thefts(storage).joined(separator: "; ")
        printNote("the machine key is \(storage.text): \(thefts)")
    }

    /// Says what a thief can read of each keychain.
    func thefts(_ storage: MachineKeyPlace.Storage) throws(KeychainError) -> [String] {
        var keychains: [(name: String, hasPassphrase: Bool, isPortable: Bool)] = []
        for keychain in try all() {
            keychains.append(
                (
                    keychain.name, try keychain.store.hasPassphrase(),
                    try keychain.store.isPortable()
                ))
        }
        return storage.thefts(keychains)
    }
}
