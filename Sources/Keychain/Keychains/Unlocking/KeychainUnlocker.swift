public import LanyardConfiguration
internal import KeychainPlugin
internal import LanyardPrompting
public import KeychainServices
public import SealedStore
internal import Synchronization

/// Gets what unlocks a keychain for the executables: from the environment, else by asking the user.
public final class KeychainUnlocker: PassphraseProvider {
    private let name: String
    private let configuration: Configuration
    private let wantsRecoveryKey: Bool
    private let isSilent: Bool
    private let readsStandardInput: Bool
    private let ownHint: String?
    /// What came out of a pipe, which is empty from then on. The next keychain takes it, too, as it would read the
    /// same file.
    private static let kept = Mutex<GivenPassphrase?>(nil)

    /// - Parameters:
    ///   - name: The keychain's name.
    ///   - wantsRecoveryKey: Asks the user for the recovery key even if the keychain has a passphrase.
    ///   - isSilent: Prints no remarks about recovery keys and security keys.
    ///   - readsStandardInput: Takes the passphrase from standard input and asks no one.
    ///   - hint: What to do if the user can't be asked; nil for `lanyard unlock`.
    public init(
        name: String, configuration: Configuration, wantsRecoveryKey: Bool = false,
        isSilent: Bool = false, readsStandardInput: Bool = false, hint: String? = nil
    ) {
        self.readsStandardInput = readsStandardInput
        ownHint = hint
        self.name = name
        self.configuration = configuration
        self.wantsRecoveryKey = wantsRecoveryKey
        self.isSilent = isSilent
    }

    private var hint: String {
        ownHint ?? "lanyard unlock\(configuration.option(forKeychain: name))"
    }

    /// Whether one of the passphrases that ``givenPassphrase()`` reads is available.
    public var hasGivenPassphrase: Bool { readsStandardInput || GivenPassphrase.isThere }

    /// Throws without a pinentry, an askpass program or a terminal to ask with.
    ///
    /// - Throws: ``Status/interactionNotAllowed``.
    public func checkCanPrompt() throws(KeychainError) {
        guard configuration.mayAsk else {
            throw lockedError
        }
        do throws(KeychainError) {
            try PassphrasePrompt.checkCanPrompt(hint: hint)
        } catch {
            throw error.status == .interactionNotAllowed ? lockedError : error
        }
    }

    /// Reports that another program's question has to be answered first.
    public func waitsForAnotherProgram(_ program: String?, endsWhenUnlocked: Bool) {
        let unlock =
            endsWhenUnlocked
            ? ", or run lanyard unlock\(configuration.option(forKeychain: name))" : ""
        printHint(
            "\(program ?? "another program") is asking for the passphrase: answer it there\(unlock)"
        )
    }

    /// Reads the passphrase from standard input if the caller wants that; else from
    /// $CREDENTIALS_DIRECTORY/lanyard.passphrase, or from the file that LANYARD_PASSPHRASE_FILE names.
    ///
    /// - Throws: ``Status/authFailed`` if it is unreadable.
    public func givenPassphrase() throws(KeychainError) -> GivenPassphrase? {
        guard
            let file = try readsStandardInput
                ? GivenPassphrase.standardInput() : GivenPassphrase.file()
        else {
            return nil
        }
        guard !file.canBeReadAgain else {
            return GivenPassphrase(try file.read(), origin: file.origin)
        }
        return try KeychainUnlocker.kept.withLock {
            kept throws(KeychainError) -> GivenPassphrase? in
            let isKept =
                switch kept {
                case .some(let given): given.origin == file.origin
                case .none: false
                }
            if !isKept {
                kept = GivenPassphrase(try file.read(), origin: file.origin)
            }
            return kept?.copy()
        }
    }

    /// Asks the user.
    ///
    /// - Throws: ``Status/interactionNotAllowed`` if the user can't be asked, ``Status/userCanceled``.
    public func askForPassphrase(_ question: UnlockQuestion) throws(KeychainError) -> Secret {
        guard configuration.mayAsk else {
            throw lockedError
        }
        let wanted: PassphraseQuestion.Wanted =
            question.isForPassphrase && !wantsRecoveryKey ? .passphrase : .recoveryKey
        do throws(KeychainError) {
            return try PassphrasePrompt.ask(
                PassphraseQuestion(
                    keychain: name, wanted: wanted,
                    error: wantsRecoveryKey && question.isForPassphrase
                        ? question.mistake.map { _ in "wrong recovery key" }
                        : question.mistake,
                    reason: question.reason, purpose: sentence(question.purpose)),
                hint: hint)
        } catch  where error.status == .interactionNotAllowed {
            throw lockedError
        }
    }

    /// Says what an answer is used for, nil to unlock the keychain: an answer to that question can't
    /// be used for anything else.
    private func sentence(_ purpose: UnlockQuestion.Purpose) -> String? {
        switch purpose {
        case .unlock: nil
        case .use(let item, let others):
            "Use '\(item)' \(others ? "and other items " : "")of the keychain '\(name)'"
        case .createRecoveryKey:
            "Create a recovery key, which opens everything in the keychain '\(name)'"
        case .changePassphrase: "Change the passphrase of the keychain '\(name)'"
        case .removePassphrase: "Remove the passphrase of the keychain '\(name)'"
        case .renewKeys: "Make new keys for the keychain '\(name)'"
        case .addPresence: "Let a security key open the items that ask in the keychain '\(name)'"
        }
    }

    /// Throws if the user must not be asked. A touch needs no terminal.
    ///
    /// - Throws: ``Status/interactionNotAllowed``.
    public func checkCanTouch() throws(KeychainError) {
        guard configuration.mayAsk else {
            throw KeychainError(
                .interactionNotAllowed,
                "the keychain '\(name)' takes a touch of the security key, and lanyard can't prompt here",
                hint: "use it where LANYARD_NO_PROMPT is not set")
        }
    }

    /// Starts the presence program, and shows its messages on standard error.
    ///
    /// - Throws: What ``PresenceProgram`` throws.
    public func askForPresence(_ question: PresenceQuestion) throws(KeychainError) -> PresenceAnswer
    {
        let use = presenceUse(question.purpose, reason: question.reason)
        let program = try PresenceProgram(question.program) { message in
            printNote(use.map { "\(message): \($0)" } ?? message)
        }
        let proof = try program.prove(question.enrollments.map { $0.data })
        return PresenceAnswer(index: proof.index, secret: proof.secret.copy())
    }

    /// Says what a touch is used for, nil for nothing to say. The caller's reason comes last: it must not hide
    /// the item's name.
    func presenceUse(_ purpose: UnlockQuestion.Purpose, reason: String?) -> String? {
        let parts = [sentence(purpose), reason].compactMap { $0 }
        return parts.isEmpty ? nil : parts.joined(separator: ": ")
    }

    /// Says why no security key was asked, unless silent.
    public func presenceFailed(_ reason: KeychainError) {
        if !isSilent, configuration.mayAsk {
            printNote(reason.reason)
        }
    }

    /// Throws if ``enroll(_:named:seconds:besides:)`` could not begin, before the user is asked anything.
    ///
    /// - Throws: What ``PresenceProgram`` throws.
    package static func checkCanEnroll(
        _ program: String, besides known: [PresenceEnrollment]
    ) throws(KeychainError) {
        try PresenceProgram(program, show: printNote).check(
            besides: known.filter { $0.program == program }.map { $0.data })
    }

    /// Enrolls a device, and shows the program's messages on standard error.
    ///
    /// - Parameters:
    ///   - device: The enrollment's name, nil for that of the device.
    ///   - seconds: For how long a touch serves.
    ///   - known: The keychain's enrollments.
    /// - Throws: What ``PresenceProgram`` throws.
    package static func enroll(
        _ program: String, named device: String?, seconds: UInt32,
        besides known: [PresenceEnrollment]
    ) throws(KeychainError) -> EnrolledPresence {
        let enrolled = try PresenceProgram(program, show: printNote).enroll(
            besides: known.filter { $0.program == program }.map { $0.data })
        let enrollment = try PresenceEnrollment(
            program: program, name: device ?? enrolled.name ?? program, seconds: seconds,
            data: enrolled.data)
        return try EnrolledPresence(enrollment, secret: enrolled.secret.copy())
    }

    /// Asks the user for a word: yes, always or no.
    ///
    /// - Throws: ``Status/interactionNotAllowed`` if the user can't be asked, ``Status/userCanceled``.
    public func askForTrust(_ question: TrustQuestion) throws(KeychainError) -> TrustAnswer {
        guard configuration.mayAsk else {
            throw lockedError
        }
        let program = question.program.path.description
        let prompt = "let \(program) use '\(question.item)'? yes, always or no: "
        let answer = try PassphrasePrompt.ask(
            PassphraseQuestion(
                keychain: name, wanted: .answer(prompt, isShown: true), reason: question.reason),
            hint: hint)
        return switch answer.withBytes({ ByteString(copying: $0).lowercasedASCII }) {
        case "y", "yes": .once
        case "a", "always": .always
        default: .never
        }
    }

    /// Returns after how long the keychain locks, by its setting.
    public func timeout() throws(KeychainError) -> UInt32? {
        try configuration.autolock(ofKeychain: name).limit
    }

    /// Warns, unless silent.
    public func recoveryKeyBecameIncomplete() {
        guard !isSilent else {
            return
        }
        printWarning("the recovery key does not open items that ask for the passphrase")
        let option = configuration.option(forKeychain: name)
        printHint("lanyard recovery-key create --replace\(option) makes one that does")
    }

    /// Warns.
    public func keychainStaysLocked(_ reason: KeychainError) {
        printWarning("the keychain '\(name)' is unlocked for this program only: \(reason.reason)")
    }

    /// Says where the damaged one is.
    public func machineKeyWasReplaced(keeping file: String) {
        printNote("there is a new machine key; the damaged one is now '\(file)'")
    }

    /// Warns.
    public func useIsNotLogged(_ reason: KeychainError) {
        printWarning("a use of the keychain '\(name)' is not logged: \(reason.reason)")
    }

    /// Warns.
    public func changeIsNotRecorded(_ reason: KeychainError) {
        printWarning(
            "lanyard would accept an older copy of the keychain '\(name)': \(reason.reason)")
    }

    /// The error for a locked keychain if the user can't be asked. The hint unlocks this keychain.
    public var lockedError: KeychainError {
        guard let refusal = SealedStore.keyringRefusal() else {
            return KeychainError(
                .interactionNotAllowed,
                "the keychain '\(name)' is locked, and lanyard can't prompt here",
                hint: hint)
        }
        return KeychainError(
            .interactionNotAllowed,
            "the keychain '\(name)' is locked, lanyard can't prompt here, and \(refusal.reason)",
            hint: KeychainUnlocker.passphraseFileHint)
    }

    /// Says how to provide a passphrase if the user can't be asked.
    public static let passphraseFileHint =
        "set LANYARD_PASSPHRASE_FILE to a file with the passphrase"

    /// Says the same where the recovery key is an answer, too, as on another machine.
    package static let keyFileHint =
        "set LANYARD_PASSPHRASE_FILE to a file with the passphrase or the recovery key"
}
