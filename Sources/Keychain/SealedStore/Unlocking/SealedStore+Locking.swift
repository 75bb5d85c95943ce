public import KeychainServices
internal import LinuxSystem

extension SealedStore {
    /// Returns whether every program of the user can read the keychain's secrets.
    ///
    /// - Throws: What reading throws. A keychain from another machine that has not been unlocked
    ///   here yet is ``LockState/locked``.
    ///
    /// The corresponding function is SecKeychainGetStatus.
    public func lockState() throws(KeychainError) -> LockState {
        try withSession { session throws(KeychainError) in
            guard case .open(let state) = session else {
                _ = try session.isUnlocked()
                return .locked
            }
            return try state.keys.lockState()
        }
    }

    /// Returns whether the keychain has a recovery key.
    ///
    /// - Throws: What reading throws.
    public func hasRecoveryKey() throws(KeychainError) -> Bool {
        try storedKeybag().source(.recoveryKey) != nil
    }

    /// Returns why the kernel stores no keys here, nil if it does or has not refused yet.
    public static func keyringRefusal() -> KeychainError? {
        do throws(KeychainError) {
            _ = try KernelKeyring.read("lanyard")
            return nil
        } catch {
            return error
        }
    }

    /// Unlocks the keychain for all programs of the user, with what the process was given or the
    /// user enters. A keychain from another machine is also bound to this one.
    ///
    /// - Parameter timeout: The seconds until it locks again, 1 to 2^31-1; nil for never.
    /// - Returns: Whether this call bound it to this machine.
    /// - Throws: ``Status/authFailed`` for a wrong passphrase; ``Status/interactionNotAllowed`` if
    ///   there is none and no user can be asked, ``Status/userCanceled``; ``Status/notAvailable``
    ///   if the kernel stores no keys; ``Status/decode`` if the keychain's keys were tampered with.
    ///
    /// The corresponding function is SecKeychainUnlock.
    @discardableResult
    public func unlock(timeout: UInt32?) throws(KeychainError) -> Bool {
        try unlock(timeout: timeout, onlyIfLocked: false)
    }

    /// Does the same, unless another program has unlocked it, perhaps while this one waited to ask.
    package func unlockIfLocked(timeout: UInt32?) throws(KeychainError) {
        _ = try unlock(timeout: timeout, onlyIfLocked: true)
    }

    private func unlock(timeout: UInt32?, onlyIfLocked: Bool) throws(KeychainError) -> Bool {
        threadLock.acquire()
        defer { threadLock.release() }
        guard try lockState() != .noPassphrase else {
            return try withoutAsking { () throws(KeychainError) in try bindToMachine() }
        }
        if let unreadable = atHand.unreadable, !atHand.hasDamagedKey {
            throw unreadable
        }
        return try whileUnlocking(waitingUntil: onlyIfLocked ? .unlocking : .impatience) {
            () throws(KeychainError) in
            if onlyIfLocked, try isUnlockedCompletely() {
                return false
            }
            try openWithProvider()
            let isNewHere = try bindToMachine()
            try publish(timeout: timeout)
            forgetGivenKeys()
            return isNewHere
        }
    }

    /// Returns whether everything is unlocked, including items bound to this machine, which a
    /// recovery key does not open.
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

    /// Returns whether the keychain has a passphrase.
    ///
    /// - Throws: What reading throws.
    public func hasPassphrase() throws(KeychainError) -> Bool {
        try storedKeybag().hasPassphrase
    }

    /// Locks the keychain that was last used at a location, for all programs of the user, even if its file is
    /// missing, damaged or in use.
    ///
    /// - Returns: Whether one was used there on this machine.
    /// - Throws: As ``lock(firstUnlock:)``.
    public static func lock(
        at location: KeychainLocation, firstUnlock: Bool = false
    ) throws(KeychainError) -> Bool {
        try lock(KeychainAnchor(location), firstUnlock: firstUnlock)
    }

    private static func lock(
        _ anchor: KeychainAnchor, firstUnlock: Bool
    ) throws(KeychainError) -> Bool {
        guard let id = try anchor.read()?.keychainID else {
            return false
        }
        try anchor.renewEpochs(firstUnlock: firstUnlock) { () throws(KeychainError) in
            try KeyCache.revoke(
                keychainID: Hexadecimal.encode(id), firstUnlock: firstUnlock)
        }
        return true
    }

    /// Locks every keychain ever used with a folder's machine key, wherever its file is now. This
    /// includes secrets readable after the first unlock.
    ///
    /// - Throws: ``Status/notAvailable`` if the kernel stores no keys; ``Status/io`` if the folder
    ///   can't be read, ``Status/readOnly`` if it can't be written.
    public static func lockAll(stateFolder: String) throws(KeychainError) {
        var failure: KeychainError?
        for anchor in try KeychainAnchor.all(stateFolder: stateFolder) {
            do throws(KeychainError) {
                _ = try lock(anchor, firstUnlock: true)
            } catch {
                failure = error
            }
        }
        if let failure {
            throw failure
        }
    }

    /// Unlocks the keychain for all programs of the user, to the extent that it is unlocked for
    /// this process.
    ///
    /// - Parameter timeout: As in ``unlock(timeout:)``.
    /// - Throws: ``Status/interactionNotAllowed`` if it is locked; ``Status/notAvailable`` if the
    ///   kernel stores no keys.
    public func keepUnlocked(timeout: UInt32?) throws(KeychainError) {
        threadLock.acquire()
        defer { threadLock.release() }
        try publish(timeout: timeout)
        forgetGivenKeys()
    }

    /// Locks the keychain at once for all programs of the user, including this one.
    ///
    /// - Parameter firstUnlock: Whether to lock secrets readable after the first unlock, too.
    /// - Throws: ``Status/notAvailable`` if the kernel stores no keys; ``Status/readOnly`` if the
    ///   state folder can't be written. The keychain is locked then, but an attacker who has copied
    ///   the keys out of the kernel can put them back.
    ///
    /// The corresponding function is SecKeychainLock.
    public func lock(firstUnlock: Bool = false) throws(KeychainError) {
        threadLock.acquire()
        defer { threadLock.release() }
        try lockForOthers(firstUnlock: firstUnlock)
        forgetGivenKeys()
    }

    /// Locks the keychain for all other programs of the user.
    func lockForOthers(firstUnlock: Bool) throws(KeychainError) {
        threadLock.acquire()
        defer { threadLock.release() }
        // Throws if nothing can be locked, as in a transaction; the epochs then stay.
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
            anchor.touch()
        }
    }

    /// Creates the epochs of a keychain that was never used under this machine key.
    func makeEpochs(_ state: Records) throws(KeychainError) {
        let turn = try UnlockLock(.work, at: location)
        try anchor.advance(to: state.keys.keybag, change: state.rowSet.change)
        _ = consume turn
        _ = try checkAnchor(state.keys)
    }
}
