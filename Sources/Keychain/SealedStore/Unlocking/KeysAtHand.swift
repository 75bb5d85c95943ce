internal import KeychainServices
internal import LinuxSystem

/// This process's keys for a keychain: the machine's, those given by the user or the environment,
/// and those of the keybag opened last.
struct KeysAtHand {
    private let location: KeychainLocation
    /// The key of this machine, nil if it has none because the keychain comes from elsewhere.
    private(set) var machineKey: MachineKey?
    /// Why the machine key can't be read, nil if it can or there is none.
    private(set) var unreadable: KeychainError?
    /// When it was tried last.
    private var triedAt: Int64 = 0
    /// The machine key, and the keys that were given.
    var sources = SourceKeys() {
        didSet { opened = nil }
    }
    private(set) var opened: UnlockedKeys?

    init(_ location: KeychainLocation) throws(KeychainError) {
        self.location = location
        try lookForMachineKey()
    }

    /// Reads the machine key if it was missing before: another program may have created it. One that
    /// can't be unsealed is not tried again at once.
    mutating func lookForMachineKey() throws(KeychainError) {
        let now = SystemCalls.monotonicMilliseconds()
        guard machineKey == nil, unreadable == nil || now - triedAt > 10_000 else {
            return
        }
        unreadable = nil
        switch try MachineKey.find(stateFolder: location.stateFolder) {
        case .missing: break
        case .key(let key):
            machineKey = key
            sources.add(key)
        case .unreadable(let error):
            unreadable = error
            triedAt = SystemCalls.monotonicMilliseconds()
        }
    }

    /// Whether the machine key is damaged. That is as if it were missing: one that can't be unsealed may be
    /// later.
    var hasDamagedKey: Bool { unreadable?.status == .decode }

    /// Makes the next look read the machine key that has replaced an unreadable one.
    mutating func forgetUnreadable() { unreadable = nil }

    /// Opens a keybag, or returns the one that is open.
    ///
    /// - Returns: nil if these keys don't open it.
    mutating func open(_ encodedKeybag: [UInt8]) throws(KeychainError) -> UnlockedKeys? {
        if let opened, opened.encodedKeybag == encodedKeybag {
            opened.begin()
            return opened
        }
        let keybag = try UnlockedKeys.decode(encodedKeybag, location.file)
        opened = try UnlockedKeys.metadataKey(of: keybag, sources, location.file).map {
            UnlockedKeys(location.file, keybag, encodedKeybag, $0, sources, machineKey)
        }
        return opened
    }

    /// Makes the next use open the keybag again, including the kernel's keyring.
    mutating func forgetOpened() {
        opened = nil
    }

    /// Forgets the keys that were given: with them, the keychain would never lock for this process,
    /// which may run for days.
    mutating func forgetGiven() {
        sources = SourceKeys()
        if let machineKey {
            sources.add(machineKey)
        }
    }

    /// Returns whether a passphrase opens the keychain here. One that is not portable also needs
    /// the key of a machine that it was set on or entered on.
    func takesPassphrase(_ keybag: Keybag) -> Bool {
        keybag.hasPassphrase && keybag.opens(with: [.passphrase], on: sources)
    }

    /// Returns the cache of keys unlocked for all programs; nil without a machine key.
    func cache(of keychainID: [UInt8]) -> KeyCache? {
        machineKey.map { KeyCache(keychainID: keychainID, machineKey: $0) }
    }

    /// Returns the error for a keychain that these keys don't open, nil if it can be unlocked.
    func refusal(of keybag: Keybag) -> KeychainError? {
        guard let foreign = UnlockedKeys.foreign(keybag) else {
            return nil
        }
        guard machineKey == nil else {
            return foreign.withoutMachineKey(location)
        }
        let error = machineKeyIsMissing
        return unreadable == nil || hasDamagedKey ? error.withoutMachineKey(location) : error
    }

    var machineKeyIsMissing: KeychainError {
        unreadable
            ?? KeychainError(
                .authFailed,
                "the machine key '\(MachineKey.path(in: location.stateFolder))' is missing",
                hint: "restore it from a backup of its folder")
    }
}
