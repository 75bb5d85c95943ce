public import Keychain

/// A keychain in an encrypted file: the store for machines without a Secret Service.
///
/// Any number of processes can use the file at the same time; each change is on the disk when the
/// call returns, or has not happened. The format is described in lanyard-keychain(5).
public final class SealedStore: KeychainStore {
    /// Where the keychain lies.
    public let location: KeychainLocation

    let machineKey: MachineKey
    let now: () -> Timestamp
    let busyTimeout: Int64
    let formats: [FormatVersion]
    var database: Database
    /// The keys that fit the keybag last seen.
    var keys: UnlockedKeys?
    /// How many walks over items are under way, one inside the other.
    var openWalks = 0
    /// The rows as the open transaction leaves them; nil while none is open.
    var openRowSet: RowSet?

    /// Opens a keychain.
    ///
    /// Nothing is written; the file is opened for writing with the first change.
    ///
    /// - Throws: ``Status/noSuchKeychain`` if there is none; ``Status/writePermissions`` if a file
    ///   or folder is a link, another user's or open to others; ``Status/invalidKeychain`` if it
    ///   is something else; ``Status/authFailed`` if the machine key is missing.
    ///
    /// The corresponding function is SecKeychainOpen.
    public convenience init(at location: KeychainLocation) throws(KeychainError) {
        try self.init(at: location, now: SystemCalls.now)
    }

    init(
        at location: KeychainLocation, now: @escaping () -> Timestamp,
        busyTimeout: Int64 = 10_000, formats: [FormatVersion] = FormatVersion.all
    ) throws(KeychainError) {
        try PrivatePlace.checkFolder(location.dataFolder)
        try PrivatePlace.checkFile(location.file)
        guard let machineKey = try MachineKey.read(stateFolder: location.stateFolder) else {
            throw KeychainError(
                .authFailed,
                "the machine key '\(MachineKey.path(in: location.stateFolder))' is missing",
                hint: "put it back from a backup: without it the keychain can't be opened")
        }
        self.location = location
        self.machineKey = machineKey
        self.now = now
        self.busyTimeout = busyTimeout
        self.formats = formats
        database = try Database(
            path: location.file, access: .reading, busyTimeout: busyTimeout)
        try FormatVersion.checkHeader(database)
    }

    /// Opens a keychain, and makes it first where there is none.
    ///
    /// - Throws: What ``init(at:)`` and ``make(at:)`` throw.
    public static func openOrMake(
        at location: KeychainLocation
    ) throws(KeychainError) -> SealedStore {
        do throws(KeychainError) {
            return try SealedStore(at: location)
        } catch  where error.status == .noSuchKeychain {
            _ = try makeFile(at: location)
            return try SealedStore(at: location)
        }
    }

    /// Makes an empty keychain, and a machine key if there is none yet.
    ///
    /// - Throws: ``Status/duplicateKeychain`` if there is something at its place;
    ///   ``Status/writePermissions`` if a folder is a link, another user's or open to others;
    ///   ``Status/diskFull``, ``Status/io``.
    ///
    /// The corresponding function is SecKeychainCreate.
    public static func make(at location: KeychainLocation) throws(KeychainError) {
        guard try makeFile(at: location) else {
            throw KeychainError(
                .duplicateKeychain, "there is something at '\(location.file)' already")
        }
    }

    /// - Returns: Whether it was made; not if there is something already.
    private static func makeFile(at location: KeychainLocation) throws(KeychainError) -> Bool {
        try PrivatePlace.makeFolder(location.dataFolder)
        let machineKey = try MachineKey.readOrMake(stateFolder: location.stateFolder)
        let new = try Keybag.make(machineKey: machineKey)
        let keys = try UnlockedKeys(encodedKeybag: new.keybag.encoded, machineKey: machineKey)
        let image = try Database.image(
            of: FormatVersion.current, keybag: keys.encodedKeybag,
            rowSet: try RowSet().seal(keys))
        let made = try PrivatePlace.createFile(location.file, image.span)
        if made {
            try GenerationAnchor(
                stateFolder: location.stateFolder, keychainID: new.keybag.keychainID
            ).advance(to: new.keybag)
        }
        return made
    }
}
