internal import LanyardCryptography
internal import KeychainServices

/// The keys of an open keychain: those derived from the metadata key, and the class keys used so
/// far.
final class UnlockedKeys {
    /// The keychain's file, for errors.
    private let file: String
    let keybag: Keybag
    /// The keybag's stored form, which shows whether another process has changed it.
    let encodedKeybag: [UInt8]
    private(set) lazy var keybagDigest = { [encodedKeybag] in
        KeyedDigest.plain(encodedKeybag.span)
    }()
    let metadata: ClassKey
    /// Encrypts attributes.
    let attributesKey: Secret
    /// Computes the tags by which items are found.
    let indexKey: Secret
    /// Computes the digest of each row.
    let rowSetKey: Secret
    /// Authenticates the sum of these digests.
    let rowSetSumKey: Secret
    /// The tags computed last with the index key.
    var lastTags = TagCache()
    private let sourceKeys: SourceKeys
    /// The cache of class keys unlocked earlier; nil without machine key, and without both passphrase and
    /// enrollments of presence programs.
    let cache: KeyCache?
    private var found: [ClassKey] = []
    /// Those from the kernel's keyring, which a lock removes.
    private var cached: [ClassKey] = []

    /// Opens a keybag.
    ///
    /// - Parameters:
    ///   - file: The keychain's file, for errors.
    ///   - sourceKeys: The machine key, if there is one, and what the user or the environment gave.
    ///   - machineKey: The machine key itself.
    /// - Throws: ``Status/interactionNotAllowed`` if these don't open it and others might,
    ///   ``Status/authFailed`` if it is wrapped under other machines' keys only, ``Status/decode``
    ///   if it does not authenticate.
    convenience init(
        file: String, encodedKeybag: [UInt8], sourceKeys: SourceKeys,
        machineKey: MachineKey? = nil
    ) throws(KeychainError) {
        let keybag = try Self.decode(encodedKeybag, file)
        guard let metadata = try Self.metadataKey(of: keybag, sourceKeys, file) else {
            throw Self.foreign(keybag) ?? Self.locked
        }
        self.init(file, keybag, encodedKeybag, metadata, sourceKeys, machineKey)
    }

    /// Decodes a keybag's stored form, without authenticating it.
    static func decode(_ encodedKeybag: [UInt8], _ file: String) throws(KeychainError) -> Keybag {
        do throws(KeychainError) {
            return try Keybag(decoding: encodedKeybag)
        } catch {
            throw error.status == .decode ? damaged(file) : error
        }
    }

    /// Returns the key that authenticates a keybag, nil if no available source opens it.
    ///
    /// - Throws: ``Status/decode`` if the keybag does not authenticate.
    static func metadataKey(
        of keybag: Keybag, _ sourceKeys: SourceKeys, _ file: String
    ) throws(KeychainError) -> ClassKey? {
        let opened: ClassKey?
        do throws(KeychainError) {
            opened = try keybag.classKey(.metadata)?.unwrap(with: sourceKeys, of: keybag)
        } catch {
            throw damaged(file)
        }
        guard opened.map({ keybag.isAuthentic(metadataKey: $0.key) }) ?? true else {
            throw damaged(file)
        }
        return opened
    }

    /// - Parameter metadata: The key that ``metadataKey(of:_:_:)`` returned.
    init(
        _ file: String, _ keybag: Keybag, _ encodedKeybag: [UInt8], _ metadata: ClassKey,
        _ sourceKeys: SourceKeys, _ machineKey: MachineKey?
    ) {
        self.file = file
        self.keybag = keybag
        self.encodedKeybag = encodedKeybag
        self.sourceKeys = sourceKeys
        cache =
            keybag.hasPassphrase || !keybag.enrollments.isEmpty
            ? machineKey.map { KeyCache(keychainID: keybag.keychainID, machineKey: $0) } : nil
        self.metadata = metadata
        func key(_ label: StaticString) -> Secret {
            KeyDerivation.derive(metadata.key, label: label, context: keybag.keychainID.span)
        }
        attributesKey = key("lanyard attributes")
        indexKey = key("lanyard blind index")
        rowSetKey = key("lanyard row set")
        rowSetSumKey = key("lanyard row set sum")
    }

    /// Returns whether the key that encrypts new secrets of an accessibility is available.
    ///
    /// - Throws: ``Status/decode`` if it can't be unwrapped.
    func classKey(_ accessible: Accessibility) throws(KeychainError) -> ClassKeyState {
        if let key = try find(.secrets(accessible)) {
            return .atHand(key)
        }
        if accessible == .whenPasscodeSetThisDeviceOnly, !keybag.hasPassphrase {
            return .elsewhere(Self.noPassphrase)
        }
        guard case .elsewhere = try lacking() else {
            return .locked
        }
        return .elsewhere(
            KeychainError(
                .authFailed, "the keychain has no key yet for items bound to this machine",
                hint: "unlock it once with its passphrase"))
    }

    /// Returns whether the key of an encrypted secret is available.
    ///
    /// - Throws: ``Status/decode`` if there is none or it can't be unwrapped.
    func classKey(_ id: ClassKeyID) throws(KeychainError) -> ClassKeyState {
        guard let wrapped = keybag.classKeys.first(where: { $0.id == id }) else {
            throw KeychainError(.decode, hint: "restore the keychain file from a backup")
        }
        guard let key = try find(wrapped) else {
            return try lacking()
        }
        return .atHand(key)
    }

    /// Returns any available key of a class, nil if there is none.
    func find(_ keyClass: ProtectionClass) throws(KeychainError) -> ClassKey? {
        for wrapped in keybag.classKeys where wrapped.id.keyClass == keyClass {
            if let key = try find(wrapped) {
                return key
            }
        }
        return nil
    }

    /// Returns a class key if it is available from the sources or the kernel's keyring.
    ///
    /// - Throws: ``Status/decode`` if the keybag was changed without this key.
    func find(_ wrapped: WrappedClassKey) throws(KeychainError) -> ClassKey? {
        if let key = atHand(wrapped.id) {
            return key
        }
        do throws(KeychainError) {
            if let key = try wrapped.unwrap(with: sourceKeys, of: keybag) {
                try checkUnlocking(key)
                // Each use takes the passphrase again.
                if key.id.keyClass != .presence {
                    found.append(key)
                }
                return key
            }
            // A key cached with this very keybag was checked before.
            if let key = try cache?.find(wrapped, in: self) {
                cached.append(key)
                return key
            }
        } catch {
            throw error.status == .decode ? Self.damaged(file) : error
        }
        return nil
    }

    /// Returns the key of ``ProtectionClass/presence`` that a touch has left in the kernel's keyring, nil if there
    /// is none.
    func touchedKey() throws(KeychainError) -> ClassKey? {
        try keybag.classKey(.presence).flatMap { wrapped throws(KeychainError) in
            try cache?.find(wrapped, in: self)
        }
    }

    /// Takes over the class keys from another instance for the same keychain.
    func adopt(_ other: UnlockedKeys) throws(KeychainError) {
        for wrapped in keybag.classKeys {
            if let key = other.atHand(wrapped.id) {
                let checked = try wrapped.checked(key.key.copy(), keychainID: keybag.keychainID)
                found.removeAll { $0.id == checked.id }
                found.append(checked)
            }
        }
    }

    /// Takes over the class keys that a cache has for this keybag.
    func adopt(_ cache: KeyCache) throws(KeychainError) {
        for wrapped in keybag.classKeys {
            if try find(wrapped) == nil, let key = try cache.find(wrapped, in: self) {
                found.append(key)
            }
        }
    }

    /// Begins another transaction, which looks in the kernel's keyring again.
    func begin() {
        cached = []
    }

    /// Returns a class key that was used before.
    private func atHand(_ id: ClassKeyID) -> ClassKey? {
        found.first { $0.id == id } ?? cached.first { $0.id == id }
    }

    /// Returns whether there is an available key for every accessibility that the keychain
    /// supports.
    func isComplete() throws(KeychainError) -> Bool {
        for keyClass in ProtectionClass.all(hasPassphrase: keybag.hasPassphrase)
        where try find(keyClass) == nil {
            return false
        }
        return true
    }

    /// Returns whether every class key that is not bound to machines is available.
    func isUnlocked() throws(KeychainError) -> Bool {
        for keyClass in ProtectionClass.all(hasPassphrase: keybag.hasPassphrase)
        where !keyClass.isThisDeviceOnly {
            guard let wrapped = keybag.classKey(keyClass) else {
                throw Self.damaged(file)
            }
            guard try find(wrapped) != nil else {
                return false
            }
        }
        return true
    }

    /// Returns whether every program of the user can read the keychain's secrets.
    func lockState() throws(KeychainError) -> LockState {
        guard keybag.hasPassphrase else {
            return try isUnlocked() ? .noPassphrase : .locked
        }
        return try cache?.state(self) ?? .locked
    }

    /// Throws unless every class key opens that is not bound to other machines.
    ///
    /// - Throws: ``Status/decode``.
    func checkUnlocked() throws(KeychainError) {
        guard try isUnlocked() else {
            throw Self.damaged(file)
        }
        for wrapped in keybag.classKeys {
            _ = try find(wrapped)
        }
    }

    /// Checks the keybag with the key of whenUnlocked, which vouches for all of it; the machine key
    /// alone can't. No other key that can be locked is used before this check.
    private func checkUnlocking(_ key: ClassKey) throws(KeychainError) {
        let keyClass = key.id.keyClass
        guard keybag.hasPassphrase, KeyCacheEntry.Kind(keyClass) != nil else {
            return
        }
        if keyClass == .secrets(.whenUnlocked) {
            guard keybag.isAuthentic(unlockedKey: key.key) else {
                throw KeychainError(.decode)
            }
        } else {
            guard let vouching = keybag.classKey(.secrets(.whenUnlocked)),
                try find(vouching) != nil
            else {
                throw KeychainError(.decode)
            }
        }
    }

    private func lacking() throws(KeychainError) -> ClassKeyState {
        guard try isUnlocked() else {
            guard !keybag.canBeUnlocked, let error = Self.foreign(keybag) else {
                return .locked
            }
            return .elsewhere(error)
        }
        return .elsewhere(
            KeychainError(
                .authFailed, "the secret can only be read on the machine that it was stored on"))
    }

    static var locked: KeychainError {
        KeychainError(
            .interactionNotAllowed, "the keychain is locked", hint: "lanyard unlock")
    }

    static var noPassphrase: KeychainError {
        KeychainError(
            .authFailed, "the keychain has no passphrase", hint: "lanyard passphrase set")
    }

    /// The recovery key is older than the items that ask, and there is no passphrase.
    static var takesTouch: KeychainError {
        KeychainError(
            .authFailed, "the recovery key does not open the items that ask",
            hint: "plug in a security key that lanyard presence list shows")
    }

    static func damaged(_ file: String) -> KeychainError {
        KeychainError(
            .decode, "the keys of the keychain '\(file)' are damaged or were tampered with",
            hint: "restore the keychain file from a backup")
    }

    /// Returns the error for a keybag that this machine's key does not open, nil if it can be
    /// unlocked.
    static func foreign(_ keybag: Keybag) -> KeychainError? {
        guard keybag.source(.recoveryKey) == nil,
            !keybag.hasPassphrase || !keybag.isPortable
        else {
            return nil
        }
        guard !keybag.hasPassphrase else {
            return KeychainError(
                .authFailed, "the passphrase opens the keychain only on the machine it was set on",
                hint: "there, lanyard recovery-key create or lanyard passphrase change --portable, "
                    + "then copy the keychain again")
        }
        return KeychainError(
            .authFailed, "the keychain was sealed under another machine key",
            hint: "restore the machine key that belongs to this keychain")
    }
}
