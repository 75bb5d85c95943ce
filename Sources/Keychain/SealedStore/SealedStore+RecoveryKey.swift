public import KeychainServices
internal import LinuxSystem

extension SealedStore {
    /// Creates a recovery key, which opens the keychain on any machine and without its passphrase.
    ///
    /// If items take the passphrase at each use, it asks for the passphrase. If it can't ask, the new key
    /// does not open these items, see ``hasCompleteRecoveryKey()``. A key that does is not replaced then.
    ///
    /// - Parameters:
    ///   - replaces: Whether it takes the place of the present recovery key, in one step: without any,
    ///     one security key could be the only way to some items.
    ///   - show: Shows the key to write down: nine groups of four letters and digits. It is not stored
    ///     anywhere, so nothing changes if this throws.
    /// - Throws: ``Status/duplicateItem`` if there is one already; ``Status/interactionNotAllowed`` if the
    ///   keychain is locked; ``Status/authFailed`` for a wrong passphrase; ``Status/userCanceled``; what the closure and writing throw.
    public func makeRecoveryKey(
        replaces: Bool = false, show: (borrowing Secret) throws(KeychainError) -> Void
    ) throws(KeychainError) {
        threadLock.acquire()
        defer { threadLock.release() }
        // Before the user is asked in vain.
        if !replaces, try hasRecoveryKey() {
            throw SealedStore.hasRecoveryKeyAlready
        }
        let given = try isUnlocked() ? atHand.sources : nil
        defer {
            if let given {
                atHand.sources = given
            }
        }
        if replaces, try hasCompleteRecoveryKey() {
            try openPresenceIfNeeded()
        } else {
            try openPresenceIfPossible()
        }
        try unlockIfNeeded()
        let recoveryKey = try RecoveryKey.make()
        try withoutAsking { () throws(KeychainError) in
            try changeKeepingUnlocked { draft throws(KeychainError) in
                guard replaces || draft.recoverySource == nil else {
                    throw SealedStore.hasRecoveryKeyAlready
                }
                draft.setRecoveryKey(recoveryKey)
                try show(recoveryKey.text)
            }
        }
    }

    /// Whether the keychain has a recovery key that opens everything but items bound to one machine.
    ///
    /// One that was made without the passphrase, or before the first item that takes the passphrase
    /// at each use, does not open such items.
    ///
    /// - Throws: What reading throws.
    public func hasCompleteRecoveryKey() throws(KeychainError) -> Bool {
        let keybag = try storedKeybag()
        guard let position = keybag.sources.firstIndex(where: { $0.kind == .recoveryKey }) else {
            return false
        }
        return keybag.classKey(.presence)?.wrappings.contains { $0.sources == [UInt16(position)] }
            ?? true
    }

    /// Returns why only the recovery key opens the keychain, nil if it is open or something else opens it.
    ///
    /// - Throws: What reading throws.
    public func reasonForRecoveryKey() throws(KeychainError) -> String? {
        threadLock.acquire()
        defer { threadLock.release() }
        guard try !isUnlocked() else {
            return nil
        }
        let keybag = try storedKeybag()
        guard keybag.source(.recoveryKey) != nil, !atHand.takesPassphrase(keybag) else {
            return nil
        }
        return atHand.machineKey == nil
            ? atHand.machineKeyIsMissing.reason
            : keybag.hasPassphrase
                ? "the passphrase opens it only on the machine it was set on"
                : "it was sealed under another machine key"
    }

    /// Asks for the passphrase or a touch if the keychain has items that ask at each use: only with their key
    /// does a new recovery key open them.
    private func openPresenceIfNeeded() throws(KeychainError) {
        if try storedKeybag().classKey(.presence) != nil {
            try openPresence(for: .createRecoveryKey)
        }
    }

    /// Does the same if it can: a user who has forgotten the passphrase needs a recovery key all the more,
    /// and forbids the question. A wrong answer ends it, as cancelling does: that user wants a key that opens everything.
    private func openPresenceIfPossible() throws(KeychainError) {
        do throws(KeychainError) {
            try openPresenceIfNeeded()
        } catch {
            switch error.status {
            case .interactionNotAllowed, .notAvailable, .itemNotFound: return
            case .authFailed where try !storedKeybag().hasAnswer: return
            default: throw error
            }
        }
    }

    /// Revokes the recovery key. It still opens older copies of the file. An attacker who has
    /// extracted the keys can also read what is stored later.
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

    /// Changes the keybag, then unlocks the keychain again for all programs if it was unlocked, for
    /// the same time.
    func changeKeepingUnlocked(
        _ edit: (inout KeybagDraft) throws(KeychainError) -> Void
    ) throws(KeychainError) {
        let (keep, epochs) = try reading { state throws(KeychainError) in
            // Read before the keybag under which they are cached changes.
            for wrapped in state.keys.keybag.classKeys {
                _ = try state.keys.find(wrapped)
            }
            return (state.keys, state.keys.cache?.epochs)
        }
        // After the epochs: what locks the keychain renews them.
        let state = try lockState()
        let given = atHand.sources
        try changeKeybag(edit)
        // A new recovery key is for the user, not for this process.
        atHand.sources = given
        if case .unlocked(let seconds) = state {
            try? republish(keep, unlessLockedSince: epochs, seconds: seconds)
        }
    }

    private func republish(
        _ before: UnlockedKeys, unlessLockedSince epochs: UnlockEpochs?, seconds: Int?
    ) throws(KeychainError) {
        try reading { state throws(KeychainError) in
            guard state.keys.cache?.epochs == epochs else {
                return
            }
            try state.keys.adopt(before)
            try state.keys.cache?.publish(
                state.keys, timeout: seconds.map { UInt32(clamping: max(1, $0)) })
        }
        // Reads the kernel's keyring again, which a lock empties.
        atHand.forgetOpened()
    }

    /// Opens the keychain for this process with its passphrase or recovery key, even if it is
    /// unlocked.
    func openForChange(_ purpose: UnlockQuestion.Purpose) throws(KeychainError) {
        threadLock.acquire()
        defer { threadLock.release() }
        guard try storedKeybag().hasPassphrase else {
            throw UnlockedKeys.noPassphrase
        }
        try checkCanPrompt()
        try whileUnlocking { () throws(KeychainError) in
            try openWithProvider(purpose: purpose)
            try bindToMachine()
        }
    }

    /// Throws if the passphrase was not given and the user can't be asked. The provider's own error calls
    /// the keychain locked, which it may not be, and unlocking would not help.
    private func checkCanPrompt() throws(KeychainError) {
        guard let provider, !provider.hasGivenPassphrase else {
            return
        }
        do throws(KeychainError) {
            try provider.checkCanPrompt()
        } catch {
            guard error.status == .interactionNotAllowed else {
                throw error
            }
            throw SealedStore.wantsPassphrase(
                hint: "set LANYARD_PASSPHRASE_FILE to a file with the passphrase")
        }
    }

    /// The error for a question about an open keychain that can't be asked.
    static func wantsPassphrase(hint: String?) -> KeychainError {
        KeychainError(
            .interactionNotAllowed, "this takes the passphrase, and lanyard can't prompt here",
            hint: hint)
    }

    /// Opens the keychain for this process with its recovery key, if the process was given one.
    func openWithGivenRecoveryKey() throws(KeychainError) {
        threadLock.acquire()
        defer { threadLock.release() }
        guard try storedKeybag().source(.recoveryKey) != nil,
            try provider?.givenPassphrase() != nil
        else {
            return
        }
        // The given key may belong to another keychain.
        try? withoutAsking { () throws(KeychainError) in _ = try openWithProvider() }
    }
}

extension SealedStore {
    private static var hasRecoveryKeyAlready: KeychainError {
        KeychainError(
            .duplicateItem, "the keychain already has a recovery key",
            hint: "lanyard recovery-key create --replace")
    }
}

extension Keybag {
    /// Whether there is a passphrase or recovery key that could be wrong.
    fileprivate var hasAnswer: Bool { hasPassphrase || source(.recoveryKey) != nil }
}
