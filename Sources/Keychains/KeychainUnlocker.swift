public import Configuration
internal import Prompting
public import KeychainServices
public import SealedStore
internal import Synchronization

/// Where the executables have what unlocks a keychain from: what the process was given in its
/// environment, else a person.
public final class KeychainUnlocker: PassphraseProvider {
    private let name: String
    private let configuration: Configuration
    private let wantsRecoveryKey: Bool
    private let isSilent: Bool
    private let readsStandardInput: Bool
    private let hint: String
    private let isGiven = Atomic(false)

    /// - Parameters:
    ///   - name: The keychain's name.
    ///   - wantsRecoveryKey: Asks a person for the recovery key, also where there is a passphrase.
    ///   - isSilent: Says nothing where what the process was given does its work.
    ///   - readsStandardInput: Takes what standard input holds for the passphrase, and asks nobody.
    ///   - hint: What to do where nobody can be asked; nil for `lanyard unlock`.
    public init(
        name: String, configuration: Configuration, wantsRecoveryKey: Bool = false,
        isSilent: Bool = false, readsStandardInput: Bool = false, hint: String? = nil
    ) {
        self.readsStandardInput = readsStandardInput
        self.hint =
            hint
            ?? (name == Configuration.login
                ? "lanyard unlock" : "lanyard unlock --keychain \(name)")
        self.name = name
        self.configuration = configuration
        self.wantsRecoveryKey = wantsRecoveryKey
        self.isSilent = isSilent
    }

    /// Whether one of those that ``givenPassphrase()`` reads is there.
    public var hasGivenPassphrase: Bool { readsStandardInput || GivenPassphrase.isThere }

    /// Throws if there is no pinentry, no askpass program and no terminal to ask with.
    ///
    /// - Throws: ``Status/interactionNotAllowed``.
    public func checkSomebodyCanBeAsked() throws(KeychainError) {
        guard configuration.mayAsk else {
            throw locked
        }
        do throws(KeychainError) {
            try PassphrasePrompt.checkSomebodyCanBeAsked(hint: hint)
        } catch {
            throw error.status == .interactionNotAllowed ? locked : error
        }
    }

    /// Says that another program's question has to be answered first; a silent one waits in silence.
    public func waitsForAnotherProgram() {
        if !isSilent {
            printHint("another program asks for the passphrase: answer it there")
        }
    }

    /// What standard input holds, if that was asked for; else what $CREDENTIALS_DIRECTORY/lanyard.passphrase
    /// holds, or else the file that LANYARD_PASSPHRASE_FILE names.
    ///
    /// - Throws: ``Status/authFailed`` if it can't be read.
    public func givenPassphrase() throws(KeychainError) -> GivenPassphrase? {
        let given =
            try readsStandardInput ? GivenPassphrase.standardInput() : GivenPassphrase.read()
        switch given {
        case .some: isGiven.store(true, ordering: .relaxed)
        case .none: break
        }
        return given
    }

    /// Asks a person.
    ///
    /// - Throws: ``Status/interactionNotAllowed`` if nobody can be asked, ``Status/userCanceled``.
    public func askForPassphrase(_ question: UnlockQuestion) throws(KeychainError) -> Secret {
        guard configuration.mayAsk else {
            throw locked
        }
        let wanted: PassphraseQuestion.Wanted =
            question.isForPassphrase && !wantsRecoveryKey ? .passphrase : .recoveryKey
        do throws(KeychainError) {
            return try PassphrasePrompt.ask(
                PassphraseQuestion(
                    keychain: name, wanted: wanted,
                    error: wantsRecoveryKey && question.isForPassphrase
                        ? question.mistake.map { _ in "this is not the recovery key" }
                        : question.mistake),
                hint: hint)
        } catch {
            guard error.status == .interactionNotAllowed else {
                throw error
            }
            throw locked
        }
    }

    /// What `lanyard.autolock` says, 8 hours if nothing.
    public func timeout() throws(KeychainError) -> UInt32? {
        try configuration.autolock().limit
    }

    /// Warns, unless the passphrase was given and a warning would be in every answer.
    public func keychainStaysLocked(_ reason: KeychainError) {
        if !(isGiven.load(ordering: .relaxed) && isSilent) {
            printWarning(
                "the keychain '\(name)' is unlocked for this program alone: \(reason.reason)")
        }
    }

    private var locked: KeychainError {
        guard let refusal = SealedStore.keyringRefusal() else {
            return KeychainError(
                .interactionNotAllowed, "the keychain '\(name)' is locked and nobody can be asked",
                hint: hint)
        }
        return KeychainError(
            .interactionNotAllowed,
            "the keychain '\(name)' is locked, nobody can be asked, and \(refusal.reason)",
            hint: KeychainUnlocker.passphraseFileHint)
    }

    /// How to give a passphrase where nobody can be asked for it.
    public static let passphraseFileHint =
        "give the passphrase in a file that LANYARD_PASSPHRASE_FILE names"
}
