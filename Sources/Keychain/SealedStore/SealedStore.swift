public import KeychainServices
internal import LinuxSystem
internal import SQLiteFile

/// A keychain in an encrypted file: the store for machines without a Secret Service.
///
/// Any number of processes can use the file at the same time. Each change is on the disk when the
/// call returns, or has not happened. The man page lanyard-keychain(5) describes the format.
///
/// Several threads can use one store: each waits while another one reads, is in a transaction or
/// unlocks. During a walk over items, other threads can work while its closure runs. The store is
/// Sendable because only the thread with its lock reads or changes its mutable state.
public final class SealedStore: KeychainStore, @unchecked Sendable {
    /// The keychain's place.
    public let location: KeychainLocation

    let provider: (any PassphraseProvider)?
    let now: @Sendable () -> Timestamp
    let file: SealedFile
    /// The record of what was last seen of the keychain.
    let anchor: KeychainAnchor
    /// Protects the properties that follow; the thread that uses them has it.
    let threadLock = RecursiveLock()
    var atHand: KeysAtHand
    /// The error of a failed unlock, which is not tried again.
    var unlockError: KeychainError?
    /// Whether it is being unlocked right now; reading what is locked then fails.
    var isUnlocking = false
    /// Whether an older keybag is accepted, too.
    let acceptsRestored: Bool
    /// The threads that walk over items, each once for every nested walk.
    private var openWalks: [UInt] = []
    /// The records that the open transaction changes; nil while none is open.
    var changing: Records?
    /// The records from which ``readTogether(_:)`` reads; nil outside it.
    var held: Records?
    private var deadline: Int64?
    /// Whether it was reported that the anchor can't be written.
    var hasReportedAnchor = false
    /// What it takes to log uses; nil while that is off.
    var useLogging: UseLogging?

    /// For how long an operation waits while another program changes the keychain, in milliseconds.
    package static let usualBusyTimeout: Int64 = 10_000

    /// Opens a keychain.
    ///
    /// Nothing is written; the first change opens the file for writing.
    ///
    /// - Parameter provider: Asked for the passphrase when an operation needs an unlocked keychain
    ///   and it is locked. Without a provider that is ``Status/interactionNotAllowed``.
    /// - Throws: ``Status/noSuchKeychain`` if it does not exist; ``Status/writePermissions`` if a
    ///   file or folder is a link, another user's or accessible to other users;
    ///   ``Status/invalidKeychain`` if it is something else.
    ///
    /// The corresponding function is SecKeychainOpen.
    public convenience init(
        at location: KeychainLocation, provider: (any PassphraseProvider)? = nil
    ) throws(KeychainError) {
        try self.init(at: location, provider: provider, now: SystemCalls.now)
    }

    /// Opens a keychain for a program that must answer in time.
    ///
    /// - Parameter busyTimeout: For how long an operation waits while another program changes the
    ///   keychain, in milliseconds.
    /// - Throws: What ``init(at:provider:)`` throws. Later an operation throws
    ///   ``Status/databaseLocked`` when that time is over.
    package convenience init(
        at location: KeychainLocation, provider: (any PassphraseProvider)? = nil,
        busyTimeout: Int64
    ) throws(KeychainError) {
        try self.init(
            at: location, provider: provider, now: SystemCalls.now, busyTimeout: busyTimeout)
    }

    init(
        at location: KeychainLocation, provider: (any PassphraseProvider)? = nil,
        now: @escaping @Sendable () -> Timestamp, busyTimeout: Int64 = usualBusyTimeout,
        formats: [FormatVersion] = FormatVersion.all, acceptsRestored: Bool = false,
        folderRule: PinnedFolder.Rule = .isPrivate
    ) throws(KeychainError) {
        file = try SealedFile(
            location, folderRule, busyTimeout: busyTimeout, formats: formats)
        self.location = location
        anchor = KeychainAnchor(location)
        self.provider = provider
        self.acceptsRestored = acceptsRestored
        atHand = try KeysAtHand(location)
        self.now = now
    }

    /// The time at which a walk over items ends, complete or not, in milliseconds of
    /// ``SystemCalls/monotonicMilliseconds()``; nil for never.
    package var walkDeadline: Int64? {
        get {
            threadLock.acquire()
            defer { threadLock.release() }
            return deadline
        }
        set {
            threadLock.acquire()
            defer { threadLock.release() }
            deadline = newValue
        }
    }

    /// For how long an operation waits while another program changes the keychain, in milliseconds.
    package var busyTimeout: Int64 {
        get {
            threadLock.acquire()
            defer { threadLock.release() }
            return file.busyTimeout
        }
        set {
            threadLock.acquire()
            defer { threadLock.release() }
            file.busyTimeout = newValue
        }
    }

    /// Whether this thread is walking over items.
    var isWalking: Bool { openWalks.contains(RecursiveLock.thread) }

    func beginWalk() {
        threadLock.acquire()
        defer { threadLock.release() }
        openWalks.append(RecursiveLock.thread)
    }

    /// Ends the walk that ``beginWalk()`` began.
    func endWalk() {
        threadLock.acquire()
        defer { threadLock.release() }
        if let index = openWalks.lastIndex(of: RecursiveLock.thread) {
            openWalks.remove(at: index)
        }
    }

    /// Opens a keychain, and creates it first if it does not exist.
    ///
    /// - Throws: What ``init(at:provider:)`` and ``make(at:)`` throw; ``Status/noSuchKeychain`` if
    ///   it existed and has disappeared.
    public static func openOrMake(
        at location: KeychainLocation, provider: (any PassphraseProvider)? = nil
    ) throws(KeychainError) -> SealedStore {
        do throws(KeychainError) {
            return try SealedStore(at: location, provider: provider)
        } catch  where error.status == .noSuchKeychain {
            _ = try makeFile(at: location)
            return try SealedStore(at: location, provider: provider)
        }
    }

    /// Creates an empty keychain, and a machine key if there is none yet.
    ///
    /// - Throws: ``Status/duplicateKeychain`` if its place is taken; ``Status/noSuchKeychain`` if a
    ///   keychain of this name existed and has disappeared; ``Status/writePermissions`` if a folder
    ///   is a link, another user's or accessible to other users; ``Status/diskFull``,
    ///   ``Status/io``.
    ///
    /// The corresponding function is SecKeychainCreate.
    public static func make(at location: KeychainLocation) throws(KeychainError) {
        guard try makeFile(at: location) else {
            throw isTaken(location)
        }
    }

    /// Does the same while no other program makes a keychain.
    ///
    /// - Parameters:
    ///   - check: Called before, while the lock is held; throws if the name is taken.
    ///   - register: Called afterwards, while the lock is held. The keychain exists also if this throws.
    package static func make(
        at location: KeychainLocation, after check: () throws(KeychainError) -> Void,
        registering register: () throws(KeychainError) -> Void
    ) throws(KeychainError) {
        guard try makeFile(at: location, after: check, registering: register) else {
            throw isTaken(location)
        }
    }

    private static func isTaken(_ location: KeychainLocation) -> KeychainError {
        KeychainError(.duplicateKeychain, "'\(location.file)' already exists")
    }

    /// - Returns: Whether it was created; false if the place is taken.
    private static func makeFile(
        at location: KeychainLocation,
        after check: () throws(KeychainError) -> Void = { () throws(KeychainError) in },
        registering register: () throws(KeychainError) -> Void = { () throws(KeychainError) in }
    ) throws(KeychainError) -> Bool {
        try PrivatePlace.makeFolder(location.dataFolder)
        let machineKey = try MachineKey.readOrMake(stateFolder: location.stateFolder)
        let turn = try UnlockLock(.work, at: location, timeout: usualBusyTimeout)
        try check()
        let isMade = try makeFile(at: location, machineKey)
        if isMade {
            try register()
        }
        _ = consume turn
        return isMade
    }

    private static func makeFile(
        at location: KeychainLocation, _ machineKey: MachineKey
    ) throws(KeychainError) -> Bool {
        guard try !PrivatePlace.exists(location.file) else {
            return false
        }
        try checkNotVanished(at: location)
        var draft = try KeybagDraft(newUnder: machineKey)
        try draft.complete()
        guard let keybag = try draft.finish() else {
            throw UnlockedKeys.damaged(location.file)
        }
        let keys = try UnlockedKeys(
            file: location.file, encodedKeybag: keybag.encoded, sourceKeys: draft.sourceKeys)
        let image = try Database.image(
            of: FormatVersion.current, keybag: keys.encodedKeybag,
            rowSet: try RowSet().seal(keys))
        let anchor = KeychainAnchor(location)
        try anchor.announce(keybag)
        // Only the machine key opens the new one: backups need it.
        MachineKeyPlace.untag(location)
        // SQLite would play the journal of an earlier keychain back into this one.
        try? SystemCalls.unlink("\(location.file)-journal")
        guard try PrivatePlace.createFile(location.file, image.span) else {
            // On a file system without locks, another program was faster.
            try anchor.announce(
                SealedStore(at: location, now: SystemCalls.now, acceptsRestored: true)
                    .storedKeybag())
            return false
        }
        // Again: another program may have looked before the file was there, and set the tag then.
        MachineKeyPlace.untag(location)
        return true
    }

    /// Returns whether a keychain existed at a location whose file is now missing.
    ///
    /// - Throws: ``Status/decode`` if the record of it is damaged, ``Status/writePermissions``.
    public static func isVanished(at location: KeychainLocation) throws(KeychainError) -> Bool {
        // The record is read first: another program that makes the keychain has written the file before
        // the record says that there was one.
        guard try KeychainAnchor(location).read()?.isNew == false else {
            return false
        }
        return try !PrivatePlace.exists(location.file)
    }

    /// Throws if a keychain existed whose file is now missing: an empty one would look like it.
    ///
    /// - Throws: ``Status/noSuchKeychain``; what ``isVanished(at:)`` throws.
    public static func checkNotVanished(at location: KeychainLocation) throws(KeychainError) {
        guard try isVanished(at: location) else {
            return
        }
        throw KeychainError(
            .noSuchKeychain,
            "the keychain file '\(location.file)' has disappeared",
            hint: KeychainError.restoring(location.name))
    }
}
