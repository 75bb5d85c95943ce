public import KeychainServices
internal import LinuxSystem

/// A keychain in an encrypted file: the store for machines without a Secret Service.
///
/// Any number of processes can use the file at the same time; each change is on the disk when the
/// call returns, or has not happened. The format is described in lanyard-keychain(5).
///
/// Several threads can use one store: each waits while another one reads, is in a transaction or unlocks.
/// A walk over items lets the others in while its closure runs. It is Sendable, as what changes is read
/// and changed by the thread alone that has its lock.
public final class SealedStore: KeychainStore, @unchecked Sendable {
    /// Where the keychain lies.
    public let location: KeychainLocation

    let provider: (any PassphraseProvider)?
    let now: @Sendable () -> Timestamp
    let file: SealedFile
    /// What was last seen of the keychain.
    let anchor: KeychainAnchor
    /// Of the thread that uses what follows.
    let threadLock = RecursiveLock()
    var atHand: KeysAtHand
    /// Why the keychain could not be unlocked; then it is not tried again.
    var unlockError: KeychainError?
    /// Whether it is being unlocked right now, so that what is locked fails.
    var isUnlocking = false
    /// Whether an older keybag is taken as well.
    let acceptsRestored: Bool
    /// The threads that walk over items, each as often as it has walks under way, one inside the other.
    private var openWalks: [UInt] = []
    /// What the open transaction changes; nil while none is open.
    var changing: Records?
    /// What ``readTogether(_:)`` reads from; nil outside.
    var held: Records?
    private var deadline: Int64?

    /// Opens a keychain.
    ///
    /// Nothing is written; the file is opened for writing with the first change.
    ///
    /// - Parameter provider: Asked for the passphrase when something takes an unlocked keychain, and
    ///   it is locked. Without one that is ``Status/interactionNotAllowed``.
    /// - Throws: ``Status/noSuchKeychain`` if there is none; ``Status/writePermissions`` if a file
    ///   or folder is a link, another user's or open to others; ``Status/invalidKeychain`` if it
    ///   is something else.
    ///
    /// The corresponding function is SecKeychainOpen.
    public convenience init(
        at location: KeychainLocation, provider: (any PassphraseProvider)? = nil
    ) throws(KeychainError) {
        try self.init(at: location, provider: provider, now: SystemCalls.now)
    }

    init(
        at location: KeychainLocation, provider: (any PassphraseProvider)? = nil,
        now: @escaping @Sendable () -> Timestamp, busyTimeout: Int64 = 10_000,
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

    /// When a walk over items ends, whether or not it is done, in milliseconds of
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

    /// Whether this thread walks over items.
    var isWalking: Bool { openWalks.contains(RecursiveLock.thread) }

    func beginWalk() {
        threadLock.acquire()
        defer { threadLock.release() }
        openWalks.append(RecursiveLock.thread)
    }

    /// Ends what ``beginWalk()`` began.
    func endWalk() {
        threadLock.acquire()
        defer { threadLock.release() }
        if let index = openWalks.lastIndex(of: RecursiveLock.thread) {
            openWalks.remove(at: index)
        }
    }

    /// Opens a keychain, and makes it first where there is none.
    ///
    /// - Throws: What ``init(at:provider:)`` and ``make(at:)`` throw; ``Status/noSuchKeychain`` if there
    ///   was one that has disappeared.
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

    /// Makes an empty keychain, and a machine key if there is none yet.
    ///
    /// - Throws: ``Status/duplicateKeychain`` if there is something at its place;
    ///   ``Status/noSuchKeychain`` if there was a keychain of this name that has disappeared;
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
        let turn = try UnlockLock(.work, at: location)
        let isMade = try makeFile(at: location, machineKey)
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
        guard try PrivatePlace.createFile(location.file, image.span) else {
            // Another program was faster, where the file system has no locks.
            try anchor.announce(
                SealedStore(at: location, now: SystemCalls.now, acceptsRestored: true)
                    .storedKeybag())
            return false
        }
        return true
    }

    /// Whether there was a keychain at a location whose file is missing now.
    ///
    /// - Throws: ``Status/decode`` if what is known of it is damaged, ``Status/writePermissions``.
    public static func isVanished(at location: KeychainLocation) throws(KeychainError) -> Bool {
        guard try !PrivatePlace.exists(location.file) else {
            return false
        }
        return try KeychainAnchor(location).read()?.isNew == false
    }

    /// Throws if there was a keychain whose file is missing now: an empty one in its place would look
    /// like it.
    ///
    /// - Throws: ``Status/noSuchKeychain``; what ``isVanished(at:)`` throws.
    public static func checkNotVanished(at location: KeychainLocation) throws(KeychainError) {
        guard try isVanished(at: location) else {
            return
        }
        throw KeychainError(
            .noSuchKeychain,
            "the keychain file '\(location.file)' has disappeared",
            hint:
                "put it back from a backup, or give it up: lanyard keychain delete \(location.name)"
        )
    }
}
