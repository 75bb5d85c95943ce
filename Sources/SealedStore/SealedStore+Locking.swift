public import KeychainServices
internal import LinuxSystem

extension SealedStore {
    /// Whether the keychain's secrets can be read by every program of the user.
    ///
    /// - Throws: What reading throws; a keychain that was brought here from another machine and not
    ///   unlocked yet is ``LockState/locked``.
    ///
    /// The corresponding function is SecKeychainGetStatus.
    public func lockState() throws(KeychainError) -> LockState {
        try withSession { session throws(KeychainError) in
            guard case .open(let state) = session else {
                _ = try session.isUnlocked()
                return .locked
            }
            guard state.keys.keybag.hasPassphrase else {
                return try state.keys.isUnlocked() ? .noPassphrase : .locked
            }
            return try state.keys.cache?.state(state.keys) ?? .locked
        }
    }

    /// Whether the keychain has a recovery key.
    ///
    /// - Throws: What reading throws.
    public func hasRecoveryKey() throws(KeychainError) -> Bool {
        try storedKeybag().source(.recoveryKey) != nil
    }

    /// Why the kernel keeps no keys here, nil if it does or that has not shown.
    public static func keyringRefusal() -> KeychainError? {
        do throws(KeychainError) {
            _ = try KernelKeyring.read("lanyard")
            return nil
        } catch {
            return error
        }
    }

    /// Unlocks the keychain for all programs of the user, with what the process was given or a person
    /// answers. A keychain that was brought from another machine is bound to this one, too.
    ///
    /// - Parameter timeout: In how many seconds it locks again, 1 to 2^31-1; nil for never.
    /// - Returns: Whether it was bound to this machine only now.
    /// - Throws: ``Status/authFailed`` for a wrong passphrase; ``Status/interactionNotAllowed`` if
    ///   there is none and nobody can be asked, ``Status/userCanceled``; ``Status/notAvailable``
    ///   where the kernel keeps no keys; ``Status/decode`` if the keychain's keys were tampered with.
    ///
    /// The corresponding function is SecKeychainUnlock.
    @discardableResult
    public func unlock(timeout: UInt32?) throws(KeychainError) -> Bool {
        threadLock.acquire()
        defer { threadLock.release() }
        guard try lockState() != .noPassphrase else {
            return try withoutAsking { () throws(KeychainError) in try bindToMachine() }
        }
        return try whileUnlocking { () throws(KeychainError) in
            try openWithProvider()
            let isNewHere = try bindToMachine()
            try publish(timeout: timeout)
            forgetGivenKeys()
            return isNewHere
        }
    }

    /// Whether nothing is left to be unlocked: also what stays on this machine, which a recovery key
    /// does not open.
    ///
    /// - Throws: What reading throws.
    public func isUnlockedCompletely() throws(KeychainError) -> Bool {
        guard try lockState() != .locked else {
            return false
        }
        return try withoutUnlocking { state throws(KeychainError) in
            try state.keys.isComplete()
        }
    }

    /// Whether the keychain has a passphrase.
    ///
    /// - Throws: What reading throws.
    public func hasPassphrase() throws(KeychainError) -> Bool {
        try storedKeybag().hasPassphrase
    }

    /// Locks every keychain that was ever used under the machine key in a folder, wherever its file is
    /// now, what stays readable after the first unlock included.
    ///
    /// - Throws: ``Status/notAvailable`` where the kernel keeps no keys; ``Status/io`` if the folder
    ///   can't be read, ``Status/readOnly`` if it can't be written.
    public static func lockAll(stateFolder: String) throws(KeychainError) {
        var failure: KeychainError?
        for anchor in try KeychainAnchor.all(stateFolder: stateFolder) {
            do throws(KeychainError) {
                guard let id = try anchor.read()?.keychainID else {
                    continue
                }
                try anchor.renewEpochs(firstUnlock: true) { () throws(KeychainError) in
                    try KeyCache.revoke(keychainID: Hexadecimal.encode(id))
                }
            } catch {
                failure = error
            }
        }
        if let failure {
            throw failure
        }
    }

    /// Unlocks the keychain for all programs of the user, as far as it is for this process.
    ///
    /// - Parameter timeout: As in ``unlock(timeout:)``.
    /// - Throws: ``Status/interactionNotAllowed`` if it is locked; ``Status/notAvailable`` where the
    ///   kernel keeps no keys.
    public func keepUnlocked(timeout: UInt32?) throws(KeychainError) {
        threadLock.acquire()
        defer { threadLock.release() }
        try publish(timeout: timeout)
        forgetGivenKeys()
    }

    /// Locks the keychain for all programs of the user, this one among them, at once.
    ///
    /// - Parameter firstUnlock: Also what stays readable after the first unlock.
    /// - Throws: ``Status/notAvailable`` where the kernel keeps no keys; ``Status/readOnly`` if the state
    ///   folder can't be written: then it is locked, but somebody who has copied the keys out of the
    ///   kernel can put them back.
    ///
    /// The corresponding function is SecKeychainLock.
    public func lock(firstUnlock: Bool = false) throws(KeychainError) {
        threadLock.acquire()
        defer { threadLock.release() }
        try lockForOthers(firstUnlock: firstUnlock)
        forgetGivenKeys()
    }

    /// Locks the keychain for all programs of the user but this one.
    func lockForOthers(firstUnlock: Bool) throws(KeychainError) {
        threadLock.acquire()
        defer { threadLock.release() }
        // It throws where nothing can be locked, as in a transaction: then the epochs stay.
        let id = try storedKeybag().keychainID
        try anchor.renewEpochs(firstUnlock: firstUnlock) { () throws(KeychainError) in
            try atHand.lookForMachineKey()
            try atHand.cache(of: id)?.revoke(firstUnlock: firstUnlock)
        }
    }

    func forgetGivenKeys() {
        atHand.forgetGiven()
        unlockError = nil
    }

    func publish(timeout: UInt32?) throws(KeychainError) {
        try withoutUnlocking { state throws(KeychainError) in
            guard try state.keys.isUnlocked() else {
                throw UnlockedKeys.locked
            }
            guard state.keys.keybag.hasPassphrase else {
                return
            }
            guard let cache = state.keys.cache else {
                throw atHand.machineKeyIsMissing
            }
            if cache.epochs == nil {
                try makeEpochs(state)
            }
            try cache.publish(state.keys, timeout: timeout)
        }
    }

    /// Where the keychain was never used under this machine key.
    private func makeEpochs(_ state: Records) throws(KeychainError) {
        let turn = try UnlockLock(.work, at: location)
        try anchor.advance(to: state.keys.keybag, change: state.rowSet.change)
        _ = consume turn
        _ = try checkAnchor(state.keys)
    }
}
