public import KeychainServices
internal import LinuxSystem

extension SealedStore {
    /// Returns the enrollments of presence programs, in the order in which they were added.
    ///
    /// - Throws: What reading throws.
    public func enrollments() throws(KeychainError) -> [PresenceEnrollment] {
        try storedKeybag().enrollments
    }

    /// Lets a security key, or what else a presence program asks, open the items that ask at each use.
    ///
    /// It is never the only way in. A keychain with a passphrase asks for that first; one without takes its
    /// recovery key, or a security key that is enrolled, and gets a recovery key if it has neither.
    ///
    /// - Parameters:
    ///   - enroll: Runs the program, and returns the enrollment and its secret.
    ///   - show: Shows the new recovery key to write down, if the keychain had none and has no passphrase. It is
    ///     not stored anywhere, so nothing changes if this throws.
    /// - Throws: ``Status/param`` for a name that is taken, ``Status/unimplemented`` if an item takes the
    ///   passphrase itself; ``Status/authFailed``, ``Status/interactionNotAllowed``, ``Status/userCanceled``;
    ///   what the closures and writing throw.
    public func addPresence(
        _ enroll: () throws(KeychainError) -> EnrolledPresence,
        show: (borrowing Secret) throws(KeychainError) -> Void
    ) throws(KeychainError) {
        threadLock.acquire()
        defer { threadLock.release() }
        try unlockIfNeeded()
        guard try !withoutUnlocking({ state throws(KeychainError) in try state.hasPasscodeItems() })
        else {
            throw SealedStore.hasPasscodeItems
        }
        let before = atHand.sources
        defer { atHand.sources = before }
        let keybag = try storedKeybag()
        let needsRecoveryKey =
            !keybag.hasPassphrase && keybag.source(.recoveryKey) == nil
            && keybag.enrollments.isEmpty
        if !needsRecoveryKey {
            try openPresence(for: .addPresence)
        }
        let recoveryKey = needsRecoveryKey ? try RecoveryKey.make() : nil
        let enrolled = try enroll()
        var enrollment = enrolled.enrollment
        enrollment.added = now()
        let source = KeySource.presence(id: try RandomBytes.make(16), enrollment)
        try withoutAsking { () throws(KeychainError) in
            try changeKeepingUnlocked { draft throws(KeychainError) in
                switch recoveryKey {
                case .some(let key):
                    guard draft.recoverySource == nil else {
                        throw KeychainError(
                            .param, "another program has changed the keychain", hint: "try again")
                    }
                    draft.setRecoveryKey(key)
                    try draft.addPresence(source, enrolled.secret.copy(), enrollment)
                    try show(key.text)
                case .none: try draft.addPresence(source, enrolled.secret.copy(), enrollment)
                }
            }
        }
    }

    /// Removes an enrollment. The device then still opens older copies of the file, and an attacker who has
    /// extracted the keys with it can read what is stored later.
    ///
    /// - Throws: ``Status/itemNotFound``; ``Status/param`` if items that ask could not be read any more, or only
    ///   with one other device; ``Status/interactionNotAllowed`` if the keychain is locked; what writing throws.
    public func removePresence(named name: String) throws(KeychainError) {
        threadLock.acquire()
        defer { threadLock.release() }
        try unlockIfNeeded()
        let keybag = try storedKeybag()
        if !keybag.hasPassphrase, keybag.enrollments.map({ $0.name }) == [name] {
            let items = try withoutUnlocking { state throws(KeychainError) in
                try state.rowsWithPresence().count
            }
            guard items == 0 else {
                throw KeychainError(
                    .param,
                    "\(items == 1 ? "1 item that asks needs" : "\(items) items that ask need") the security key '\(name)'",
                    hint: "lanyard edit --no-ask, with their names, or lanyard passphrase set")
            }
        }
        try withoutAsking { () throws(KeychainError) in
            try changeKeepingUnlocked { draft throws(KeychainError) in
                try draft.removePresence(named: name)
            }
        }
    }

    /// Makes the key of items that ask available to this process: with the passphrase if there is one, else by a
    /// security key or the recovery key.
    func openPresence(for purpose: UnlockQuestion.Purpose) throws(KeychainError) {
        threadLock.acquire()
        defer { threadLock.release() }
        guard try !storedKeybag().hasPassphrase else {
            return try openForChange(purpose)
        }
        switch try askForTouch(for: purpose, reason: nil) {
        case .key: return
        case .none: break
        case .notHere(let failure): try askWithout(failure)
        }
        try whileUnlocking { () throws(KeychainError) in
            _ = try openWithProvider(purpose: purpose)
        }
    }

    /// Reports why no security key was asked, before the passphrase or the recovery key is.
    ///
    /// - Throws: That reason if the user can't be asked for those either.
    func askWithout(_ failure: KeychainError) throws(KeychainError) {
        do throws(KeychainError) {
            try provider?.checkCanPrompt()
        } catch {
            // The status of the failure would mean that the keychain or the item is missing.
            throw error.status == .interactionNotAllowed
                ? KeychainError(.interactionNotAllowed, failure.reason, hint: failure.hint) : error
        }
        provider?.presenceFailed(failure)
    }

    /// Asks each security key that is here for a touch: only its secret lets it open new keys, too.
    ///
    /// - Throws: ``Status/userCanceled`` and other errors of the program.
    func openEnrollments() throws(KeychainError) {
        while true {
            do throws(KeychainError) {
                guard case .key = try askForTouch(for: .renewKeys, reason: nil) else {
                    return
                }
            } catch  where error.status == .interactionNotAllowed {
                return
            }
        }
    }

    /// Returns the key that an earlier touch has left for a while, nil if there is none.
    func touchedKey() throws(KeychainError) -> ClassKey? {
        guard try !storedKeybag().enrollments.isEmpty else {
            return nil
        }
        return try withoutUnlocking { state throws(KeychainError) in try state.keys.touchedKey() }
    }

    /// What came of asking for a touch.
    enum Touch {
        case key(ClassKey)
        /// No device or no program was there that is enrolled.
        case notHere(KeychainError)
        /// Nothing is enrolled, or the passphrase is needed anyway.
        case none
    }

    /// Asks for a touch while no other program does, and keeps the key for the enrollment's time. The touched
    /// enrollment is one of this process's sources then.
    ///
    /// - Throws: ``Status/userCanceled`` and other errors of the program, after which the passphrase must not be
    ///   asked for.
    func askForTouch(
        for purpose: UnlockQuestion.Purpose, reason: String?
    ) throws(KeychainError) -> Touch {
        guard let provider, !provider.hasGivenPassphrase,
            try !storedKeybag().enrollments.isEmpty, try isUnlocked()
        else {
            return .none
        }
        let start = SystemCalls.monotonicMilliseconds()
        try checkNoTransaction()
        try provider.checkCanTouch()
        let turn = try UnlockLock(
            .question, at: location,
            waits: { provider.waitsForAnotherProgram($0?.forUser, endsWhenUnlocked: false) })
        let result = try withoutAsking { () throws(KeychainError) -> Touch in
            let keybag = try storedKeybag()
            if case .use = purpose {
                if let key = try touchedKey() {
                    return .key(key)
                }
                if atHand.cache(of: keybag.keychainID)?.wasRefused(since: start) == true {
                    throw KeychainError(
                        .userCanceled, "another program asked for a touch and got none")
                }
            }
            do throws(KeychainError) {
                return try touch(keybag, provider, purpose, reason)
            } catch {
                if error.status == .userCanceled {
                    atHand.cache(of: keybag.keychainID)?.markRefused()
                }
                throw error
            }
        }
        _ = consume turn
        return result
    }

    /// Asks the programs one after the other.
    private func touch(
        _ keybag: Keybag, _ provider: any PassphraseProvider, _ purpose: UnlockQuestion.Purpose,
        _ reason: String?
    ) throws(KeychainError) -> Touch {
        var failure: KeychainError?
        // Those that were not touched yet.
        let untouched = keybag.sources.compactMap { source in
            if case .presence(_, let enrollment) = source, !atHand.sources.contains(source) {
                enrollment
            } else {
                nil
            }
        }
        var programs: [String] = []
        for enrollment in untouched where !programs.contains(enrollment.program) {
            programs.append(enrollment.program)
        }
        for program in programs {
            let enrollments = untouched.filter { $0.program == program }
            do throws(KeychainError) {
                let answer = try provider.askForPresence(
                    PresenceQuestion(
                        program: program, enrollments: enrollments, purpose: purpose,
                        reason: reason))
                guard enrollments.indices.contains(answer.index) else {
                    throw KeychainError(.notAvailable, "a presence program gave no valid answer")
                }
                return .key(try key(answer.secret, of: enrollments[answer.index]))
            } catch  where [.notAvailable, .itemNotFound].contains(error.status) {
                // Another device than the enrolled one says more than none.
                failure = failure?.status == .itemNotFound ? failure : error
            }
        }
        return failure.map { .notHere($0) } ?? .none
    }

    /// Opens the key of items that ask with a program's secret, and keeps it for the enrollment's time.
    private func key(
        _ secret: borrowing Secret, of enrollment: PresenceEnrollment
    ) throws(KeychainError) -> ClassKey {
        // Read again: another program may have changed it while the user was looking for the device.
        let keybag = try storedKeybag()
        let source = keybag.sources.first { source in
            if case .presence(_, enrollment) = source { true } else { false }
        }
        guard let source, PresenceEnrollment.secretLengths.contains(secret.count) else {
            throw KeychainError(
                .authFailed, "the security key '\(enrollment.name)' is not enrolled any more")
        }
        var sources = atHand.sources
        sources.add(secret.copy(), of: source)
        guard try keybag.opensAny(with: sources, source) else {
            throw KeychainError(
                .authFailed,
                "the security key '\(enrollment.name)' gave another secret than at its enrollment",
                hint: "lanyard presence remove '\(enrollment.name)', then lanyard presence add")
        }
        let before = atHand.sources
        atHand.sources = sources
        do throws(KeychainError) {
            return try withoutUnlocking { state throws(KeychainError) in
                guard let key = try state.keys.find(.presence) else {
                    throw UnlockedKeys.damaged(location.file)
                }
                if enrollment.seconds > 0, let cache = state.keys.cache {
                    if cache.epochs == nil {
                        try? makeEpochs(state)
                    }
                    // Without it the next use takes a touch again.
                    try? cache.publishTouch(state.keys, seconds: enrollment.seconds)
                }
                return key
            }
        } catch {
            // A process that runs for days must not keep the secret.
            atHand.sources = before
            throw error
        }
    }

    static var hasPasscodeItems: KeychainError {
        KeychainError(
            .unimplemented,
            "an item of the keychain requires the passphrase itself, so it can't have a security key",
            hint: "store it without the flag devicePasscode first")
    }
}

/// What a presence program enrolled: what it needs to know again, and the secret.
public struct EnrolledPresence: ~Copyable {
    /// The enrollment.
    public let enrollment: PresenceEnrollment
    /// Its secret.
    public let secret: Secret

    /// Creates one.
    ///
    /// - Throws: ``Status/param`` for a secret that is not 16 to 64 bytes long.
    public init(
        _ enrollment: PresenceEnrollment, secret: consuming Secret
    ) throws(KeychainError) {
        guard PresenceEnrollment.secretLengths.contains(secret.count) else {
            throw KeychainError(.param, "a presence program's secret has 16 to 64 bytes")
        }
        self.enrollment = enrollment
        self.secret = secret
    }
}
