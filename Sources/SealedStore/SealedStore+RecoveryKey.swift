public import KeychainServices
internal import LinuxSystem

extension SealedStore {
    /// Makes a recovery key: with it, the keychain opens on any machine and without its passphrase.
    ///
    /// - Returns: The key as it is to be written down: nine groups of four letters and digits. It is
    ///   stored nowhere.
    /// - Throws: ``Status/param`` if there is one already; ``Status/interactionNotAllowed`` if the
    ///   keychain is locked; what writing throws.
    public func makeRecoveryKey() throws(KeychainError) -> Secret {
        threadLock.acquire()
        defer { threadLock.release() }
        try unlockIfNeeded()
        let recoveryKey = try RecoveryKey.make()
        try withoutAsking { () throws(KeychainError) in
            try changeKeepingUnlocked { draft throws(KeychainError) in
                guard draft.recoverySource == nil else {
                    throw KeychainError(
                        .param, "the keychain has a recovery key already",
                        hint: "lanyard recovery-key remove")
                }
                draft.setRecoveryKey(recoveryKey)
            }
        }
        return recoveryKey.text
    }

    /// Takes the recovery key's way to the keychain away. An older copy of the file can still be
    /// opened with it, and so can what is stored later, if somebody kept the keys.
    ///
    /// - Throws: ``Status/itemNotFound`` if there is none; ``Status/interactionNotAllowed`` if the
    ///   keychain is locked; what writing throws.
    public func removeRecoveryKey() throws(KeychainError) {
        threadLock.acquire()
        defer { threadLock.release() }
        try unlockIfNeeded()
        try withoutAsking { () throws(KeychainError) in
            try changeKeepingUnlocked { draft throws(KeychainError) in
                guard draft.recoverySource != nil else {
                    throw SealedStore.noRecoveryKey
                }
                draft.remove(.recoveryKey)
            }
        }
    }

    static var noRecoveryKey: KeychainError {
        KeychainError(.itemNotFound, "the keychain has no recovery key")
    }

    /// Unlocks the keychain for this process, if it is locked.
    func unlockIfNeeded() throws(KeychainError) {
        if try !isUnlocked() {
            try unlockForThisProcess()
        }
    }

    /// Changes the keybag and lets the keychain be unlocked for all programs as long as it was.
    private func changeKeepingUnlocked(
        _ edit: (inout KeybagDraft) throws(KeychainError) -> Void
    ) throws(KeychainError) {
        let state = try lockState()
        let keep = try reading { state throws(KeychainError) in
            // Before what they were cached with changes.
            for wrapped in state.keys.keybag.classKeys {
                _ = try state.keys.find(wrapped)
            }
            return state.keys
        }
        let given = atHand.sources
        try changeKeybag(edit)
        // A new recovery key is for the person, not for this process.
        atHand.sources = given
        if case .unlocked(let seconds) = state {
            try? republish(keep, seconds: seconds)
        }
    }

    private func republish(_ before: UnlockedKeys, seconds: Int?) throws(KeychainError) {
        try reading { state throws(KeychainError) in
            try state.keys.adopt(before)
            try state.keys.cache?.publish(
                state.keys, timeout: seconds.map { UInt32(clamping: max(1, $0)) })
        }
        // Out of the kernel's keyring again, which a lock empties.
        atHand.forgetOpened()
    }

    /// Opens the keychain for this process with its passphrase or recovery key itself, also while it
    /// is unlocked.
    func openForChange() throws(KeychainError) {
        threadLock.acquire()
        defer { threadLock.release() }
        guard try storedKeybag().hasPassphrase else {
            throw KeychainError(
                .authFailed, "the keychain has no passphrase", hint: "lanyard passphrase set")
        }
        try whileUnlocking { () throws(KeychainError) in
            try openWithProvider()
            try bindToMachine()
        }
    }

    /// Opens the keychain for this process with its recovery key, if the process was given that.
    func openWithGivenRecoveryKey() throws(KeychainError) {
        threadLock.acquire()
        defer { threadLock.release() }
        guard try storedKeybag().source(.recoveryKey) != nil,
            try provider?.givenPassphrase() != nil
        else {
            return
        }
        // What is given may be another keychain's.
        try? withoutAsking { () throws(KeychainError) in _ = try openWithProvider() }
    }
}
