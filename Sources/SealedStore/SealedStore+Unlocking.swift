internal import KeychainServices
internal import LinuxSystem

extension SealedStore {
    /// Runs a closure, and once more with the keychain unlocked if it needs that. Its errors name the file.
    func unlockingIfNeeded<Result>(
        _ body: () throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        try file.naming { () throws(KeychainError) in try unlocking(body) }
    }

    private func unlocking<Result>(
        _ body: () throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        do throws(KeychainError) {
            return try body()
        } catch {
            guard error.status == .interactionNotAllowed, provider != nil, !isUnlocking else {
                throw error
            }
            if let unlockError {
                throw unlockError
            }
            do throws(KeychainError) {
                try unlockForThisProcess()
            } catch {
                // Another time, the file is no longer busy.
                if [.userCanceled, .authFailed, .interactionNotAllowed].contains(error.status) {
                    unlockError = error
                }
                throw error
            }
        }
        return try body()
    }

    /// Reads without unlocking what is locked.
    func withoutUnlocking<Result>(
        _ body: (OpenState) throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        threadLock.acquire()
        defer { threadLock.release() }
        let before = isUnlocking
        isUnlocking = true
        defer { isUnlocking = before }
        return try reading(body)
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

    private func unlockForThisProcess() throws(KeychainError) {
        let start = SystemCalls.monotonicMilliseconds()
        try whileUnlocking { () throws(KeychainError) in
            guard try !isUnlockedMeanwhile() else {
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
        let given = sourceKeys
        forgetGivenKeys()
        if try !isUnlockedMeanwhile() {
            sourceKeys = given
            keys = nil
        }
    }

    private func isUnlockedMeanwhile() throws(KeychainError) -> Bool {
        try lookForMachineKey()
        do throws(KeychainError) {
            return try reading { state throws(KeychainError) in try state.keys.isUnlocked() }
        } catch {
            guard error.status == .interactionNotAllowed else {
                throw error
            }
            return false
        }
    }
}
