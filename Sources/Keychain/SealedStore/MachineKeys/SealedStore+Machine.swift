public import KeychainServices
internal import LinuxSystem

extension SealedStore {
    /// Adds this machine's key to those that open the keychain, and creates the keys for items
    /// bound to this machine. It creates a machine key only if there is none, or a damaged one, which is
    /// kept beside it.
    ///
    /// - Returns: Whether the machine key could not open the keychain before.
    /// - Throws: ``Status/readOnly`` if the keychain can't be written.
    @discardableResult
    func bindToMachine() throws(KeychainError) -> Bool {
        let known = try storedKeybag().sources
        if atHand.hasDamagedKey {
            let place = MachineKeyPlace(stateFolder: location.stateFolder)
            if let kept = try place.replaceUnreadable() {
                provider?.machineKeyWasReplaced(keeping: kept)
            }
            atHand.forgetUnreadable()
        }
        let machineKey = try MachineKey.readOrMake(stateFolder: location.stateFolder)
        try atHand.lookForMachineKey()
        let isBound = try reading { state throws(KeychainError) in
            try KeybagChange(of: state, atHand.sources, location) { $0.addMachine(machineKey) }
                == nil
        }
        if !isBound {
            try changeKeybag { $0.addMachine(machineKey) }
        }
        return !known.contains(machineKey.source)
    }

    /// Whether the keychain opens without this machine's key: with a recovery key, or a passphrase
    /// that needs no key.
    ///
    /// - Throws: What reading throws.
    package func opensWithoutMachineKey() throws(KeychainError) -> Bool {
        guard try !isPortable() else {
            return true
        }
        return try storedKeybag().source(.recoveryKey) != nil
    }

    /// Whether a passphrase opens the keychain on any machine.
    ///
    /// - Throws: What reading throws.
    package func isPortable() throws(KeychainError) -> Bool {
        let keybag = try storedKeybag()
        return keybag.hasPassphrase && keybag.isPortable
    }

    /// Whether all its items do, except those bound to this machine: a recovery key from before the first
    /// item that asks at each use does not open such items.
    ///
    /// - Throws: What reading throws.
    package func losesNothingWithoutMachineKey() throws(KeychainError) -> Bool {
        guard try opensWithoutMachineKey() else {
            return false
        }
        let keybag = try storedKeybag()
        return keybag.classKey(.presence)?.wrappings.contains { wrapping in
            !wrapping.sources.contains { keybag.sources[Int($0)].kind == .machineKey }
        } ?? true
    }

    /// Whether this machine's key is one of those that open the keychain.
    ///
    /// - Throws: What reading throws.
    package func isBoundToMachine() throws(KeychainError) -> Bool {
        try atHand.lookForMachineKey()
        return try atHand.machineKey.map { key throws(KeychainError) in
            try storedKeybag().sources.contains(key.source)
        } ?? false
    }

    /// Opens the keychain for this process with its recovery key or passphrase, because the machine
    /// key can't be read.
    ///
    /// - Throws: What ``unlock(timeout:)`` throws.
    package func openWithoutMachineKey() throws(KeychainError) {
        _ = try whileUnlocking { () throws(KeychainError) in try openWithProvider() }
    }

    /// Makes a new machine key open the keychain, which ``openWithoutMachineKey()`` has opened.
    ///
    /// - Throws: What writing throws.
    package func bindToNewMachineKey() throws(KeychainError) {
        try withoutAsking { () throws(KeychainError) in
            atHand.forgetUnreadable()
            try bindToMachine()
            forgetGivenKeys()
        }
    }

    /// Returns the number of items that are bound to another machine and can't be read here.
    ///
    /// - Throws: What reading throws.
    public func itemsLeftBehind() throws(KeychainError) -> Int { try boundItems().elsewhere }

    /// Returns the number of items that are bound to this machine.
    ///
    /// - Throws: What reading throws.
    package func itemsBoundHere() throws(KeychainError) -> Int { try boundItems().here }

    private func boundItems() throws(KeychainError) -> (here: Int, elsewhere: Int) {
        try withoutUnlocking { state throws(KeychainError) in
            let source = atHand.machineKey?.source
            let position = state.keys.keybag.sources.firstIndex { $0 == source }
            let here = state.keys.keybag.classKeys.filter { key in
                !key.id.keyClass.isThisDeviceOnly
                    || key.wrappings.contains { wrapping in
                        wrapping.sources.contains { Int($0) == position }
                    }
            }.map { $0.id }
            var count = (here: 0, elsewhere: 0)
            for (id, items) in try state.countByClassKey() {
                if !here.contains(id) {
                    count.elsewhere += items
                } else if id.keyClass.isThisDeviceOnly {
                    count.here += items
                }
            }
            return count
        }
    }

    /// Accepts a keychain that was replaced by an older copy, for example from a backup.
    ///
    /// - Throws: What opening it throws.
    public static func acceptRestored(
        at location: KeychainLocation, provider: (any PassphraseProvider)? = nil
    ) throws(KeychainError) {
        // The copy may need the machine key, unlike what was there before.
        MachineKeyPlace.untag(location)
        let store = try SealedStore(
            at: location, provider: provider, now: SystemCalls.now, acceptsRestored: true)
        guard try !store.acceptIfOpen() else {
            return
        }
        try store.whileUnlocking { () throws(KeychainError) in
            try store.openWithProvider()
            try store.acceptOpened()
        }
    }

    /// Does the same with the keys that opened the copy before.
    static func acceptRestored(
        at location: KeychainLocation, keys: SourceKeys, provider: (any PassphraseProvider)?
    ) throws(KeychainError) {
        let store = try SealedStore(
            at: location, provider: provider, now: SystemCalls.now, acceptsRestored: true)
        store.atHand.sources = keys
        try store.withoutAsking { () throws(KeychainError) in try store.acceptOpened() }
    }

    /// - Returns: Whether the keys at hand open the keychain.
    private func acceptIfOpen() throws(KeychainError) -> Bool {
        let turn = try UnlockLock(.work, at: location)
        let isOpen = try withSession { session throws(KeychainError) in
            if case .locked = session {
                return false
            }
            try accept(session.state)
            return true
        }
        _ = consume turn
        return isOpen
    }

    private func acceptOpened() throws(KeychainError) {
        try bindToMachine()
        // A program that has read the record for a change of it would otherwise bring it back.
        let turn = try UnlockLock(.work, at: location)
        try reading { state throws(KeychainError) in try accept(state) }
        _ = consume turn
    }

    private func accept(_ state: Records) throws(KeychainError) {
        try anchor.accept(state.keys.keybag, change: state.rowSet.change)
    }
}
