internal import LanyardCryptography
internal import KeychainServices
internal import LinuxSystem

/// Opens a keychain with what the process was given or the user enters.
struct KeychainOpening {
    let store: SealedStore
    /// The reason to show to the user, nil for none.
    var reason: String?
    /// What the user's answer is used for.
    var purpose = UnlockQuestion.Purpose.unlock

    /// The origin of the passphrase or recovery key that opened the keychain.
    enum Giver {
        case process
        case person
    }

    /// Opens the keychain with what the process was given or the user enters.
    ///
    /// - Parameter start: Doesn't ask if the user has refused since then, in milliseconds of
    ///   ``SystemCalls/monotonicMilliseconds()``, and needs no answer if another program unlocks the
    ///   keychain. nil if this question takes an answer of its own.
    @discardableResult
    func open(unlessRefusedSince start: Int64? = nil) throws(KeychainError) -> Giver {
        try checkOpenable()
        let keybag = try store.storedKeybag()
        guard let provider = store.provider else {
            throw UnlockedKeys.locked
        }
        guard keybag.hasPassphrase || keybag.source(.recoveryKey) != nil else {
            if try needsNoAnswer(keybag) {
                return .process
            }
            throw KeychainError(
                .authFailed, "the keychain opens only on another machine",
                hint: "make a recovery key for it there")
        }
        if let given = try provider.givenPassphrase() {
            guard try openStored(with: given.secret) else {
                throw KeychainError(
                    .authFailed, "the secret from \(given.origin) does not unlock the keychain",
                    hint: hint(given.secret, keybag))
            }
            return .process
        }
        if let start, store.atHand.cache(of: keybag.keychainID)?.wasRefused(since: start) == true {
            throw KeychainError(
                .userCanceled, "another program asked for the passphrase and got none")
        }
        do throws(KeychainError) {
            try openByAsking(provider, keybag)
        } catch {
            if start != nil, error.isUnanswered, (try? store.isUnlocked()) == true {
                return .process
            }
            if error.status == .userCanceled || error.status == .authFailed {
                store.atHand.cache(of: keybag.keychainID)?.markRefused()
            }
            throw error
        }
        return .person
    }

    /// Says what is wrong with a secret that does not open the keychain.
    private func hint(_ given: borrowing Secret, _ keybag: Keybag) -> String {
        given.withBytes { bytes in
            if bytes.count > 0, bytes[bytes.count - 1] == UInt8(ascii: "\r") {
                "it ends with a carriage return, as lines on Windows do: remove it"
            } else if bytes.count > 2, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF {
                "it begins with a byte order mark, as files on Windows may: remove it"
            } else if store.atHand.takesPassphrase(keybag) {
                "give the keychain's passphrase or its recovery key"
            } else {
                "give the keychain's recovery key"
            }
        }
    }

    /// Throws if no passphrase would help, before the user types one. Also keeps a tampered keybag
    /// from choosing how it is stretched.
    private func checkOpenable() throws(KeychainError) {
        try store.withSession { session throws(KeychainError) in
            guard try !session.isUnlocked(), case .open(let state) = session,
                !store.atHand.takesPassphrase(state.keys.keybag),
                let error = store.atHand.refusal(of: state.keys.keybag)
            else {
                return
            }
            throw error
        }
    }

    private func openByAsking(
        _ provider: any PassphraseProvider, _ keybag: Keybag
    ) throws(KeychainError) {
        let isForPassphrase = store.atHand.takesPassphrase(keybag)
        var mistake: String?
        for _ in 1...3 {
            let answer = try provider.askForPassphrase(
                UnlockQuestion(
                    isForPassphrase: isForPassphrase, mistake: mistake, reason: reason,
                    purpose: purpose))
            do throws(KeychainError) {
                if try openStored(with: answer) {
                    return
                }
                mistake =
                    isForPassphrase
                    ? "wrong passphrase" : "wrong recovery key"
            } catch  where error.status == .authFailed {
                mistake = error.reason
            }
        }
        throw KeychainError(.authFailed, mistake, hint: try hint(isForPassphrase, keybag))
    }

    /// Says after wrong answers what else opens the keychain, or what the question was for.
    private func hint(_ isForPassphrase: Bool, _ keybag: Keybag) throws(KeychainError) -> String? {
        guard isForPassphrase else {
            return keybag.hasPassphrase
                ? "this takes the recovery key: the passphrase is for the machine it was set on, unless lanyard "
                    + "passphrase change --portable there says otherwise" : nil
        }
        guard keybag.source(.recoveryKey) != nil else {
            return "this keychain has no recovery key: only the passphrase opens it"
        }
        switch purpose {
        case .unlock: return "the recovery key opens it, too: lanyard unlock --recovery-key"
        case .renewKeys, .addPresence:
            return "this takes the passphrase: the recovery key is not enough"
        case .use, .createRecoveryKey, .changePassphrase, .removePassphrase:
            return try store.hasCompleteRecoveryKey()
                ? "the recovery key is an answer, too"
                : "the recovery key does not open the items that ask: only the passphrase does"
        }
    }

    /// Opens the keychain as it is stored now: another program may have changed it while the user was
    /// typing, and may do so while the passphrase is stretched.
    private func openStored(with answer: borrowing Secret) throws(KeychainError) -> Bool {
        var keybag = try store.storedKeybag()
        var attempts = 0
        while true {
            let result: Result<Bool, KeychainError>
            do throws(KeychainError) {
                result = .success(try open(with: answer, keybag))
            } catch {
                result = .failure(error)
            }
            let present = try store.storedKeybag()
            attempts += 1
            guard present.sources != keybag.sources, attempts < 3 else {
                if try needsNoAnswer(present) {
                    return true
                }
                return try result.get()
            }
            keybag = present
        }
    }

    /// Returns whether the keychain is open, because another program has removed its passphrase
    /// meanwhile.
    private func needsNoAnswer(_ keybag: Keybag) throws(KeychainError) -> Bool {
        guard case .unlock = purpose, !keybag.hasPassphrase else {
            return false
        }
        return try store.isUnlocked()
    }

    /// Opens the keychain for this process with a passphrase or a recovery key.
    ///
    /// - Returns: Whether it is the right one.
    /// - Throws: ``Status/authFailed`` for a recovery key with a typing error, ``Status/decode`` if
    ///   the keybag was tampered with.
    private func open(
        with answer: borrowing Secret, _ keybag: Keybag
    ) throws(KeychainError) -> Bool {
        SystemCalls.lockInMemory(answer)
        var typingError: KeychainError?
        var isRecoveryKey = false
        if let source = keybag.source(.recoveryKey) {
            do throws(KeychainError) {
                if let recoveryKey = try RecoveryKey.read(answer) {
                    if try open(keybag, source, recoveryKey.key.copy()) {
                        return true
                    }
                    isRecoveryKey = true
                }
            } catch {
                typingError = error
            }
        }
        if keybag.hasPassphrase, !store.atHand.takesPassphrase(keybag) {
            guard !isRecoveryKey else {
                return false
            }
            throw typingError
                ?? KeychainError(
                    .authFailed,
                    "the passphrase opens the keychain only on the machine it was set on",
                    hint: "unlock it with its recovery key")
        }
        if let source = keybag.source(.passphrase), case .passphrase(_, let stretching) = source {
            let key = try key(stretching, answer)
            if try open(keybag, source, key) {
                return true
            }
        }
        if let typingError {
            throw typingError
        }
        return false
    }

    /// Stretches a passphrase, which takes much memory, while no other process does.
    private func key(
        _ stretching: PassphraseStretching, _ answer: borrowing Secret
    ) throws(KeychainError) -> Secret {
        let turn = try UnlockLock(.work, at: store.location)
        do throws(KeychainError) {
            let key = try stretching.key(answer)
            _ = consume turn
            return key
        } catch {
            guard error.status == .allocate else {
                throw error
            }
            throw KeychainError(
                .allocate, error.reason,
                hint: "a passphrase takes \(stretching.memory >> 10) MiB, a recovery key hardly any"
            )
        }
    }

    private func open(
        _ keybag: Keybag, _ source: KeySource, _ key: consuming Secret
    ) throws(KeychainError) -> Bool {
        let before = store.atHand.sources
        var sources = before
        sources.add(key, of: source)
        guard try keybag.opensAny(with: sources, source) else {
            return false
        }
        store.atHand.sources = sources
        do throws(KeychainError) {
            try store.withSession { session throws(KeychainError) in
                if case .locked = session {
                    throw UnlockedKeys.damaged(store.location.file)
                }
                try session.state.keys.checkUnlocked()
            }
        } catch {
            store.atHand.sources = before
            throw error
        }
        return true
    }
}
