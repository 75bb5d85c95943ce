internal import KeychainServices
internal import LinuxSystem

/// The keys that this process has for a keychain: the machine's, what a person or the process gave, and those
/// of the keybag that they opened last.
struct KeysAtHand {
    private let location: KeychainLocation
    /// The key of this machine, nil if it has none: the keychain was brought here.
    private(set) var machineKey: MachineKey?
    /// The machine key, and what was given.
    var sources = SourceKeys() {
        didSet { opened = nil }
    }
    private(set) var opened: UnlockedKeys?

    init(_ location: KeychainLocation) throws(KeychainError) {
        self.location = location
        try lookForMachineKey()
    }

    /// Reads the machine key if there was none before: another program may have made it.
    mutating func lookForMachineKey() throws(KeychainError) {
        if machineKey == nil {
            machineKey = try MachineKey.read(stateFolder: location.stateFolder)
            if let machineKey {
                sources.add(machineKey)
            }
        }
    }

    /// Opens a keybag, or comes back to the one that is open.
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

    /// Opens the keybag anew the next time, out of the kernel's keyring as well.
    mutating func forgetOpened() {
        opened = nil
    }

    /// Keeps nothing of what a person or the process gave: with it, the keychain would never lock for
    /// this process, which may run for days.
    mutating func forgetGiven() {
        sources = SourceKeys()
        if let machineKey {
            sources.add(machineKey)
        }
    }

    /// Whether a passphrase opens the keychain here: one that is not portable does so only together with
    /// the key of a machine that it was used on.
    func takesPassphrase(_ keybag: Keybag) -> Bool {
        keybag.hasPassphrase
            && (keybag.isPortable || machineKey.map { keybag.sources.contains($0.source) } ?? false)
    }

    /// Where keys may be that were unlocked for all programs; nil without a machine key.
    func cache(of keychainID: [UInt8]) -> KeyCache? {
        machineKey.map { KeyCache(keychainID: keychainID, machineKey: $0) }
    }

    /// What to say of a keychain that these keys don't open, nil if it can be unlocked.
    func refusal(of keybag: Keybag) -> KeychainError? {
        UnlockedKeys.foreign(keybag).map { machineKey == nil ? machineKeyIsMissing : $0 }
    }

    var machineKeyIsMissing: KeychainError {
        KeychainError(
            .authFailed,
            "the machine key '\(MachineKey.path(in: location.stateFolder))' is missing",
            hint: "put it back from a backup: without it the keychain can't be opened")
    }
}
