internal import LanyardCryptography
internal import KeychainServices
internal import LinuxSystem

/// The class keys that are unlocked for all programs of the user, in the kernel's keyring. Keys
/// that need an unlocked keychain have a time-out; keys that need a first unlock have none.
///
/// They are encrypted under a key made of the machine key, the keychain's ``UnlockEpochs``, the
/// machine's boot and the login token, if there is one. A container of the same user therefore
/// can't use them, nor can a process after the login has ended. After `lock` or a restart, a copy
/// of them opens nothing, even if an attacker puts it back.
final class KeyCache {
    /// Who finds the keys.
    enum Audience {
        /// Every program of the user.
        case programs
        /// The session that a login in progress is about to begin. The keys stay for a minute, and
        /// are not encrypted under the login token, which comes with the session.
        case comingSession
    }

    private let keychainID: [UInt8]
    private let machineKey: MachineKey
    private let audience: Audience
    /// Part of the key, as currently in the anchor; without them nothing can be read.
    var epochs: UnlockEpochs?
    private lazy var bootID = try? SystemCalls.bootID()

    init(keychainID: [UInt8], machineKey: MachineKey, audience: Audience = .programs) {
        self.keychainID = keychainID
        self.machineKey = machineKey
        self.audience = audience
    }

    /// The seconds that keys stay for a coming session.
    static let secondsUntilSession: UInt32 = 60

    /// Returns the cache of the same keychain for a coming session.
    func forComingSession() -> KeyCache {
        let cache = KeyCache(
            keychainID: keychainID, machineKey: machineKey, audience: .comingSession)
        cache.epochs = epochs
        return cache
    }

    /// Unlocks a keychain for all programs of the user.
    ///
    /// - Parameter timeout: The seconds until it locks; nil for never. For a coming session it is
    ///   always ``secondsUntilSession``.
    /// - Throws: ``Status/notAvailable`` if the kernel stores no keys.
    func publish(_ keys: UnlockedKeys, timeout: UInt32?) throws(KeychainError) {
        let token = try audience == .programs ? LoginToken.readOrMake() : nil
        do throws(KeychainError) {
            for kind in KeyCacheEntry.Kind.ofUnlocking {
                let seconds =
                    switch audience {
                    case .programs: kind == .unlocked ? timeout : nil
                    case .comingSession: Self.secondsUntilSession
                    }
                let locksAt = seconds.map { SystemCalls.secondsSinceBoot() + UInt64($0) }
                let content = try KeyCacheEntry.encode(
                    kind, keys, locksAt: locksAt ?? KeyCacheEntry.never)
                try KernelKeyring.publish(
                    try seal(content, kind, token), as: description(kind), timeout: seconds)
            }
        } catch {
            try? revoke(firstUnlock: true)
            throw error
        }
    }

    /// Lets every program of the user read the items that ask, after a touch.
    ///
    /// - Parameter seconds: For how long, from 1 on.
    /// - Throws: ``Status/notAvailable`` if the kernel stores no keys.
    func publishTouch(_ keys: UnlockedKeys, seconds: UInt32) throws(KeychainError) {
        let token = try LoginToken.readOrMake()
        let content = try KeyCacheEntry.encode(
            .presence, keys, locksAt: SystemCalls.secondsSinceBoot() + UInt64(seconds))
        try KernelKeyring.publish(
            try seal(content, .presence, token), as: description(.presence), timeout: seconds)
    }

    /// Locks the keychain with an id, given as 32 hexadecimal digits, for all programs of the user.
    ///
    /// - Parameter firstUnlock: Whether to lock secrets readable after the first unlock, too.
    static func revoke(keychainID: String, firstUnlock: Bool) throws(KeychainError) {
        let names = ["unlocked", "presence", "login-unlocked"]
        for name in firstUnlock ? names + ["first-unlock", "login-first-unlock"] : names {
            try KernelKeyring.revoke("lanyard:\(keychainID):\(name)")
        }
    }

    /// Locks a keychain for all programs of the user.
    ///
    /// - Parameter firstUnlock: Whether to lock secrets readable after the first unlock, too.
    func revoke(firstUnlock: Bool) throws(KeychainError) {
        try KernelKeyring.revoke(description(.unlocked))
        try KernelKeyring.revoke(description(.presence))
        if firstUnlock {
            try KernelKeyring.revoke(description(.firstUnlock))
        }
        if audience == .programs {
            try forComingSession().revoke(firstUnlock: firstUnlock)
        }
    }

    /// Returns a class key, nil if it is locked.
    func find(
        _ wrapped: WrappedClassKey, in keys: UnlockedKeys
    ) throws(KeychainError) -> ClassKey? {
        guard let kind = KeyCacheEntry.Kind(wrapped.id.keyClass),
            let entry = try read(kind, keys)
        else {
            return nil
        }
        return try entry.key(wrapped, keychainID: keychainID)
    }

    /// Returns whether the keychain is unlocked for all programs of the user, and for how long.
    func state(_ keys: UnlockedKeys) throws(KeychainError) -> LockState {
        // Unlocking always leaves both entries.
        guard let entry = try read(.unlocked, keys), try read(.firstUnlock, keys) != nil else {
            return .locked
        }
        guard entry.locksAt != KeyCacheEntry.never else {
            return .unlocked(locksIn: nil)
        }
        // It may have expired since it was read.
        let now = SystemCalls.secondsSinceBoot()
        return now < entry.locksAt
            ? .unlocked(locksIn: Int(clamping: entry.locksAt - now)) : .locked
    }

    /// Records in the kernel's keyring, for a while, that the user refused to unlock a keychain:
    /// processes that waited for the answer then don't ask again.
    func markRefused() {
        var writer = ByteWriter()
        writer.number(UInt64(SystemCalls.monotonicMilliseconds()))
        try? KernelKeyring.publish(writer.bytes, as: description("refused"), timeout: 120)
    }

    /// Returns whether the user has refused to unlock the keychain since a moment of
    /// ``SystemCalls/monotonicMilliseconds()``.
    func wasRefused(since moment: Int64) -> Bool {
        guard let bytes = try? KernelKeyring.read(description("refused")) else {
            return false
        }
        var reader = ByteReader(bytes)
        guard let refused = try? reader.number(UInt64.self) else {
            return false
        }
        return refused >= UInt64(moment)
    }

    private func read(
        _ kind: KeyCacheEntry.Kind, _ keys: UnlockedKeys
    ) throws(KeychainError) -> KeyCacheEntry? {
        let blob: [UInt8]
        do throws(KeychainError) {
            guard let found = try KernelKeyring.read(description(kind)) else {
                return nil
            }
            blob = found
        } catch {
            // The keychain may be unlocked in other ways.
            return nil
        }
        guard let entry = entry(blob, kind),
            entry.keybagDigest == keys.keybagDigest,
            entry.locksAt > SystemCalls.secondsSinceBoot()
        else {
            return nil
        }
        return entry
    }

    private func entry(_ blob: [UInt8], _ kind: KeyCacheEntry.Kind) -> KeyCacheEntry? {
        // Without a token if it has no folder, as before the first login.
        guard
            let key = sealingKey(kind, audience == .programs ? try? LoginToken.read() : nil),
            let content = try? SealedBox.open(
                blob.span, under: key, associatedData: associatedData(kind))
        else {
            return nil
        }
        return try? KeyCacheEntry(content)
    }

    private func seal(
        _ content: borrowing Secret, _ kind: KeyCacheEntry.Kind, _ token: borrowing Secret?
    ) throws(KeychainError) -> [UInt8] {
        guard let key = sealingKey(kind, token) else {
            throw KeychainError(
                .notAvailable, "the keychain can't stay unlocked: nothing would lock it again")
        }
        return try content.withBytes { bytes throws(KeychainError) in
            try SealedBox.seal(bytes, under: key, associatedData: associatedData(kind))
        }
    }

    /// Returns the sealing key, nil if one of its parts is unknown.
    private func sealingKey(
        _ kind: KeyCacheEntry.Kind, _ token: borrowing Secret?
    ) -> Secret? {
        guard let epochs, let bootID else {
            return nil
        }
        var builder = SecretBuilder(capacity: 128)
        builder.append(epochs[kind].span)
        builder.append(bootID.span)
        switch token {
        case .some(let token): builder.append(token)
        case .none: break
        }
        return builder.finish().withBytes { context in
            KeyDerivation.derive(
                machineKey.key, label: "lanyard kernel keyring", context: context)
        }
    }

    private func associatedData(_ kind: KeyCacheEntry.Kind) -> [UInt8] {
        switch audience {
        case .programs: keychainID + [kind.rawValue]
        case .comingSession: keychainID + [kind.rawValue + 0x80]
        }
    }

    private func description(_ kind: KeyCacheEntry.Kind) -> String {
        let name =
            switch kind {
            case .unlocked: "unlocked"
            case .firstUnlock: "first-unlock"
            case .presence: "presence"
            }
        return description(audience == .programs ? name : "login-\(name)")
    }

    private func description(_ name: String) -> String {
        "lanyard:\(Hexadecimal.encode(keychainID)):\(name)"
    }
}
