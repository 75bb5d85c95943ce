package import KeychainServices
internal import LinuxSystem

// Unlocking at login, in two steps: the first has the login's password, the second the login token.
extension SealedStore {
    /// Opens the keychain with the passphrase that the process was given, for the session that begins
    /// within a minute and calls ``unlockForSession(timeout:)``. Programs don't look for these keys, but any
    /// of the user's can begin the session with lanyard-pam.
    ///
    /// - Returns: Whether there are any: not if the keychain has no passphrase, is unlocked already, or
    ///   was never used on this machine.
    /// - Throws: As ``unlock(timeout:)``.
    @discardableResult
    package func unlockForComingSession() throws(KeychainError) -> Bool {
        threadLock.acquire()
        defer { threadLock.release() }
        guard try hasPassphrase(), atHand.machineKey != nil, try lockState() == .locked else {
            return false
        }
        return try whileUnlocking { () throws(KeychainError) in
            try openWithProvider()
            defer { forgetGivenKeys() }
            return try withoutUnlocking { state throws(KeychainError) in
                guard let cache = state.keys.cache, cache.epochs != nil,
                    try state.keys.isUnlocked()
                else {
                    return false
                }
                try cache.forComingSession().publish(state.keys, timeout: nil)
                return true
            }
        }
    }

    /// Unlocks the keychain for all programs of the user if ``unlockForComingSession()`` opened it less
    /// than a minute ago.
    ///
    /// - Parameter timeout: As in ``unlock(timeout:)``.
    /// - Returns: Whether it did.
    /// - Throws: As ``keepUnlocked(timeout:)``.
    @discardableResult
    package func unlockForSession(timeout: UInt32?) throws(KeychainError) -> Bool {
        threadLock.acquire()
        defer { threadLock.release() }
        return try withoutUnlocking { state throws(KeychainError) in
            guard let cache = state.keys.cache else {
                return false
            }
            let given = cache.forComingSession()
            // Another program may have unlocked it meanwhile, for as long as the user wants.
            let isNew = try state.keys.lockState() == .locked
            if isNew {
                try state.keys.adopt(given)
            }
            let isUnlocked = try state.keys.isUnlocked()
            if isNew, isUnlocked {
                try cache.publish(state.keys, timeout: timeout)
                anchor.touch()
            }
            try given.revoke(firstUnlock: true)
            return isNew && isUnlocked
        }
    }
}
