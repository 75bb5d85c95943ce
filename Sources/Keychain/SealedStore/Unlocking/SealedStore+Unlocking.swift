internal import KeychainServices
internal import LinuxSystem
internal import SQLiteFile

extension SealedStore {
    /// Runs a closure in a transaction. If it lacks what is locked, unlocks the keychain or meets an
    /// access control, and starts the closure again. Its errors name the file.
    ///
    /// - Parameters:
    ///   - conditions: The keys of the call.
    ///   - match: Says whether the user may be asked, and what to show then.
    ///   - readsOthers: Whether the closure is known to read several items.
    func unlockingIfWanted<Result>(
        _ conditions: ConditionKeys = ConditionKeys(), for match: MatchOptions = MatchOptions(),
        readsOthers: Bool = false, _ body: () throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        try file.naming { () throws(KeychainError) in
            var isUnlocked = false
            while true {
                conditions.begin()
                do throws(KeychainError) {
                    return try body()
                } catch {
                    switch conditions.lack {
                    case .condition(let missing) where error.status == .interactionNotAllowed:
                        // What is met is not missing again.
                        try meet(missing, conditions, for: match, readsOthers: readsOthers)
                    case .unlocking where !isUnlocked:
                        try unlockForThisProcess(for: match)
                        isUnlocked = true
                    default: throw error
                    }
                }
            }
        }
    }

    /// Whether the keychain can be unlocked now: not in the middle of a transaction.
    var mayUnlock: Bool { provider != nil && isOutsideTransactions }

    /// Whether there can be a question now.
    var isOutsideTransactions: Bool { !isUnlocking && changing == nil && held == nil }

    /// Unlocks what a transaction found locked.
    ///
    /// - Parameter match: Says whether the user may be asked, and what to show then.
    /// - Throws: ``Status/interactionNotAllowed`` also inside another transaction, which must end
    ///   first.
    func unlockForThisProcess(for match: MatchOptions = MatchOptions()) throws(KeychainError) {
        threadLock.acquire()
        defer { threadLock.release() }
        if let unreadable = atHand.unreadable, !atHand.hasDamagedKey,
            provider?.hasGivenPassphrase != true
        {
            throw unreadable
        }
        guard
            match.mayAsk && Keychain.isUserInteractionAllowed
                || provider?.hasGivenPassphrase == true
        else {
            throw provider?.lockedError ?? UnlockedKeys.locked
        }
        guard mayUnlock else {
            throw (changing ?? held)?.conditions.lacksUnlocking() ?? UnlockedKeys.locked
        }
        if let unlockError {
            throw unlockError
        }
        do throws(KeychainError) {
            try unlock(reason: match.prompt)
        } catch {
            // A busy file is worth another attempt; these errors are not.
            if [.userCanceled, .authFailed, .interactionNotAllowed].contains(error.status) {
                unlockError = error
            }
            throw error
        }
    }

    /// Runs a closure on what the available keys open, without unlocking anything.
    func withSession<Result>(
        _ body: (KeybagSession) throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        threadLock.acquire()
        defer { threadLock.release() }
        if let records = try presentRecords() {
            return try body(.open(records))
        }
        return try file.naming { () throws(KeychainError) in
            let session = try begin(.reading)
            defer { file.end() }
            return try body(session)
        }
    }

    /// Reads without unlocking anything.
    func withoutUnlocking<Result>(
        _ body: (Records) throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        try withSession { session throws(KeychainError) in try body(session.state) }
    }

    @discardableResult
    func openWithProvider(
        unlessRefusedSince start: Int64? = nil, reason: String? = nil,
        purpose: UnlockQuestion.Purpose = .unlock
    ) throws(KeychainError) -> KeychainOpening.Giver {
        try KeychainOpening(store: self, reason: reason, purpose: purpose).open(
            unlessRefusedSince: start)
    }

    /// What ends a program's wait for another one's question, besides its end.
    enum EndOfWait {
        case nothing
        /// The keychain is unlocked, perhaps by a third program.
        case unlocking
        /// Half a second: the user has started this program to be asked.
        case impatience
    }

    /// Runs a closure that may ask for a passphrase, while no other process does, unless the wait ended
    /// before. A process that was given its passphrase, or can't ask, does not wait for its turn.
    func whileUnlocking<Result>(
        waitingUntil end: EndOfWait = .nothing, _ body: () throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        threadLock.acquire()
        defer { threadLock.release() }
        try checkNoTransaction()
        guard let provider, !provider.hasGivenPassphrase else {
            return try withoutAsking(body)
        }
        guard Keychain.isUserInteractionAllowed else {
            throw provider.lockedError
        }
        try checkCanPrompt(provider)
        let isNeedless = {
            switch end {
            case .nothing: false
            case .unlocking: (try? self.isUnlocked()) == true
            case .impatience: true
            }
        }
        let turn = try UnlockLock(.question, at: location, unless: isNeedless) { process in
            provider.waitsForAnotherProgram(
                process?.forUser, endsWhenUnlocked: end == .unlocking)
        }
        let result = try withoutAsking(body)
        _ = consume turn
        return result
    }

    /// Throws if no user can be asked, and says if only the recovery key would be an answer.
    private func checkCanPrompt(_ provider: any PassphraseProvider) throws(KeychainError) {
        do throws(KeychainError) {
            try provider.checkCanPrompt()
        } catch {
            guard error.status == .interactionNotAllowed else {
                throw error
            }
            // As to unlock it for another time.
            if try isUnlocked() {
                throw SealedStore.wantsPassphrase(hint: error.hint)
            }
            // A copy is restored with its recovery key anyway.
            guard !acceptsRestored, let reason = try reasonForRecoveryKey()
            else {
                throw error
            }
            throw KeychainError(
                .interactionNotAllowed,
                "the keychain '\(location.name)' is locked: \(reason), and lanyard can't prompt here for "
                    + "the recovery key",
                hint: error.hint)
        }
    }

    /// Runs a closure that leaves everything locked unless it unlocks it explicitly.
    func withoutAsking<Result>(
        _ body: () throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        threadLock.acquire()
        defer { threadLock.release() }
        try checkNoTransaction()
        let before = isUnlocking
        isUnlocking = true
        defer { isUnlocking = before }
        return try body()
    }

    private func unlock(reason: String?) throws(KeychainError) {
        let start = SystemCalls.monotonicMilliseconds()
        try whileUnlocking(waitingUntil: .unlocking) { () throws(KeychainError) in
            guard try !isUnlocked() else {
                return
            }
            // What a process was given is for it alone, whether or not the kernel stores keys.
            if try openWithProvider(unlessRefusedSince: start, reason: reason) == .person {
                keepAnswer()
            }
        }
    }

    /// Unlocks the keychain for all programs with the user's answer. A failure that only affects
    /// later programs must not fail this one.
    func keepAnswer() {
        do throws(KeychainError) {
            try bindToMachine()
            try publish(timeout: try provider?.timeout())
            try forgetAnswer()
        } catch {
            provider?.keychainStaysLocked(error)
        }
    }

    /// Forgets the answer if the keys can be read from the kernel's keyring, which then decides how
    /// long they last.
    private func forgetAnswer() throws(KeychainError) {
        let given = atHand.sources
        forgetGivenKeys()
        if try !isUnlocked() {
            atHand.sources = given
        }
    }

    /// Returns whether every secret that is not bound to another machine can be read.
    func isUnlocked() throws(KeychainError) -> Bool {
        threadLock.acquire()
        defer { threadLock.release() }
        try atHand.lookForMachineKey()
        return try withSession { session throws(KeychainError) in try session.isUnlocked() }
    }
}
