package import KeychainServices
internal import LinuxSystem

extension SealedStore {
    /// Asks for what a call lacked to use a secret with an access control. The answer serves this call
    /// alone.
    ///
    /// - Parameters:
    ///   - conditions: The keys of the call.
    ///   - match: Says whether the user may be asked, and what to show then.
    ///   - readsOthers: Whether the call may read the secrets of other items, too.
    /// - Throws: ``Status/interactionNotAllowed`` if the user can't be asked, also inside a
    ///   transaction, which must end first; ``Status/userCanceled``; ``Status/authFailed`` for a
    ///   wrong passphrase.
    func meet(
        _ missing: ConditionKeys.Missing, _ conditions: ConditionKeys, for match: MatchOptions,
        readsOthers: Bool
    ) throws(KeychainError) {
        if let reference = missing.distrusting {
            return try askForTrust(of: reference, missing, conditions, match)
        }
        guard isOutsideTransactions else {
            throw locked(missing)
        }
        if let context = missing.context {
            try conditions.addPassword(of: context, keychainID: storedKeybag().keychainID)
        }
        guard missing.takesPassphrase else {
            return
        }
        if let key = try touchedKey() {
            conditions.presence = key
            return
        }
        guard
            mayUnlock
                && (match.mayAsk && Keychain.isUserInteractionAllowed
                    || provider?.hasGivenPassphrase == true)
        else {
            throw locked(missing)
        }
        do throws(KeychainError) {
            conditions.presence = try askForPresence(
                for: .use(item: missing.item, others: readsOthers), reason: match.prompt)
        } catch {
            throw error.status == .interactionNotAllowed && storedEnrollments.isEmpty
                ? locked(missing) : error
        }
    }

    private func locked(_ missing: ConditionKeys.Missing) -> KeychainError {
        ConditionKeys.locked(missing.item, takesTouch: !storedEnrollments.isEmpty)
    }

    private var storedEnrollments: [PresenceEnrollment] {
        (try? storedKeybag().enrollments) ?? []
    }

    /// Asks the user whether the program may read the secret of an item that does not trust it, and
    /// remembers the answer if the user says so.
    private func askForTrust(
        of reference: ItemReference, _ missing: ConditionKeys.Missing, _ conditions: ConditionKeys,
        _ match: MatchOptions
    ) throws(KeychainError) {
        guard mayUnlock, match.mayAsk, Keychain.isUserInteractionAllowed, let provider,
            let program = missing.program
        else {
            throw conditions.distrusted(missing)
        }
        let answer: TrustAnswer
        do throws(KeychainError) {
            answer = try provider.askForTrust(
                TrustQuestion(program: program, item: missing.item, reason: match.prompt))
        } catch {
            throw error.status == .interactionNotAllowed
                ? conditions.distrusted(missing) : error
        }
        switch answer {
        case .once: break
        case .always:
            // A walk may be waiting for the answer.
            try outermostTransaction(conditions) { () throws(KeychainError) in
                try changing?.addTrust(in: program, of: reference, now: now())
            }
        case .never:
            throw conditions.refused(missing)
        }
        conditions.allow(reference, for: program)
    }

    /// Asks for a touch if a security key is enrolled, else or without it for the passphrase, even while the
    /// keychain is unlocked. If it is locked, the passphrase unlocks it, too.
    private func askForPresence(
        for purpose: UnlockQuestion.Purpose, reason: String?
    ) throws(KeychainError) -> ClassKey {
        let before = atHand.sources
        switch try askForTouch(for: purpose, reason: reason) {
        case .key(let key):
            atHand.sources = before
            return key
        case .none: return try askForPassphrase(for: purpose, reason: reason)
        case .notHere(let failure): try askWithout(failure)
        }
        return try askForPassphrase(for: purpose, reason: reason)
    }

    /// Throws if the keychain has nothing to ask for at each use of an item.
    ///
    /// - Throws: ``Status/authFailed`` without a passphrase and a security key; what reading throws.
    package func checkAsking() throws(KeychainError) {
        let keybag = try storedKeybag()
        guard keybag.hasPassphrase || !keybag.enrollments.isEmpty else {
            throw UnlockedKeys.noPassphrase
        }
    }

    /// The error where a keychain has nothing to ask for.
    package static var noPassphrase: KeychainError { UnlockedKeys.noPassphrase }

    private func askForPassphrase(
        for purpose: UnlockQuestion.Purpose, reason: String?
    ) throws(KeychainError) -> ClassKey {
        try whileUnlocking { () throws(KeychainError) in
            try checkAsking()
            let before = atHand.sources
            let wasUnlocked = try isUnlocked()
            let giver = try openWithProvider(reason: reason, purpose: purpose)
            defer {
                if wasUnlocked {
                    atHand.sources = before
                }
            }
            let key = try presenceKey()
            if !wasUnlocked, giver == .person {
                keepAnswer()
            }
            return key
        }
    }

    /// Returns the key that the answer opens, and makes it for the first such item.
    private func presenceKey() throws(KeychainError) -> ClassKey {
        if try storedKeybag().classKey(.presence) == nil, try storedKeybag().hasPassphrase {
            let needsMachineKey = try !isPortable()
            // The present recovery key won't open it. Again afterwards: another program may have looked before.
            if needsMachineKey {
                MachineKeyPlace.untag(location)
            }
            try changeKeepingUnlocked { draft throws(KeychainError) in
                try draft.makePresenceKey()
            }
            if needsMachineKey {
                MachineKeyPlace.untag(location)
            }
            if try hasRecoveryKey(), try !hasCompleteRecoveryKey() {
                provider?.recoveryKeyBecameIncomplete()
            }
        }
        let key = try withoutUnlocking { records throws(KeychainError) in
            try records.keys.find(.presence)
        }
        guard let key else {
            throw try storedKeybag().hasPassphrase
                ? KeychainError(
                    .authFailed,
                    "only the passphrase opens this secret: the recovery key is not enough")
                : UnlockedKeys.takesTouch
        }
        return key
    }
}
