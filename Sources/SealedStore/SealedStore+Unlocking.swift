internal import KeychainServices
internal import LinuxSystem

extension SealedStore {
    /// Runs a closure of the caller's in a transaction, and once more from its start with the keychain unlocked
    /// if it took what is locked. Its errors name the file.
    func unlockingIfWanted<Result>(
        _ body: () throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        atHand.opened?.areWanted = false
        return try file.naming { () throws(KeychainError) in
            do throws(KeychainError) {
                return try body()
            } catch {
                guard atHand.opened?.areWanted == true, mayUnlock else {
                    throw error
                }
            }
            try unlockForThisProcess()
            return try body()
        }
    }

    /// Whether what is locked can be unlocked now: not in the middle of a transaction.
    private var mayUnlock: Bool {
        provider != nil && !isUnlocking && changing == nil && held == nil
    }

    /// Unlocks what a transaction found to be locked.
    ///
    /// - Throws: ``Status/interactionNotAllowed`` inside another transaction as well, which is to end first.
    func unlockForThisProcess() throws(KeychainError) {
        threadLock.acquire()
        defer { threadLock.release() }
        guard mayUnlock else {
            atHand.opened?.areWanted = true
            throw UnlockedKeys.locked
        }
        if let unlockError {
            throw unlockError
        }
        do throws(KeychainError) {
            try unlock()
        } catch {
            // Another time, the file is no longer busy.
            if [.userCanceled, .authFailed, .interactionNotAllowed].contains(error.status) {
                unlockError = error
            }
            throw error
        }
    }

    /// Runs a closure on what the keys at hand open, without unlocking anything.
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

    /// Reads without unlocking what is locked.
    func withoutUnlocking<Result>(
        _ body: (Records) throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        try withSession { session throws(KeychainError) in try body(session.state) }
    }

    @discardableResult
    func openWithProvider(
        unlessRefusedSince start: Int64? = nil
    ) throws(KeychainError) -> KeychainOpening.Giver {
        try KeychainOpening(store: self).open(unlessRefusedSince: start)
    }

    /// Runs a closure that may ask for a passphrase, when no other process does. One that was given its
    /// passphrase, or has nobody to ask, does not wait for that.
    func whileUnlocking<Result>(
        _ body: () throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        threadLock.acquire()
        defer { threadLock.release() }
        try checkNoTransaction()
        guard let provider, !provider.hasGivenPassphrase else {
            return try withoutAsking(body)
        }
        try provider.checkSomebodyCanBeAsked()
        let turn = try UnlockLock(
            .question, at: location, waits: provider.waitsForAnotherProgram)
        let result = try withoutAsking(body)
        _ = consume turn
        return result
    }

    /// Runs a closure in which what is locked stays so, unless it unlocks it itself.
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

    private func unlock() throws(KeychainError) {
        let start = SystemCalls.monotonicMilliseconds()
        try whileUnlocking { () throws(KeychainError) in
            guard try !isUnlocked() else {
                return
            }
            switch try openWithProvider(unlessRefusedSince: start) {
            case .process:
                if let refusal = SealedStore.keyringRefusal() {
                    provider?.keychainStaysLocked(refusal)
                }
            case .person:
                // What is done for the programs after this one must not fail this one.
                do throws(KeychainError) {
                    try bindToMachine()
                    try publish(timeout: try provider?.timeout())
                    try forgetAnswer()
                } catch {
                    provider?.keychainStaysLocked(error)
                }
            }
        }
    }

    /// Leaves the unlocking to the kernel's keyring, if it is there that the keys can be read.
    private func forgetAnswer() throws(KeychainError) {
        let given = atHand.sources
        forgetGivenKeys()
        if try !isUnlocked() {
            atHand.sources = given
        }
    }

    /// Whether every secret can be read that is not bound to another machine.
    func isUnlocked() throws(KeychainError) -> Bool {
        threadLock.acquire()
        defer { threadLock.release() }
        try atHand.lookForMachineKey()
        return try withSession { session throws(KeychainError) in try session.isUnlocked() }
    }
}
