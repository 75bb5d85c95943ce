public import KeychainServices

/// Gives a locked keychain what unlocks it: something that the process was given, or a person's
/// answer.
public protocol PassphraseProvider: AnyObject, Sendable {
    /// Whether the process was given a passphrase or recovery key for itself. Then nobody is asked, nor
    /// waited for.
    var hasGivenPassphrase: Bool { get }

    /// Throws if nobody can be asked, before another program's question is waited for.
    ///
    /// - Throws: ``Status/interactionNotAllowed``.
    func checkSomebodyCanBeAsked() throws(KeychainError)

    /// Told when another program's question is waited for.
    func waitsForAnotherProgram()

    /// The passphrase or recovery key that the process was given for itself, nil if there is none. It
    /// unlocks the keychain for this process alone.
    ///
    /// - Throws: If there should be one and it can't be read.
    func givenPassphrase() throws(KeychainError) -> GivenPassphrase?

    /// Asks a person for the passphrase or the recovery key.
    ///
    /// - Throws: ``Status/interactionNotAllowed`` if nobody can be asked, ``Status/userCanceled`` if
    ///   the person refuses.
    func askForPassphrase(_ question: UnlockQuestion) throws(KeychainError) -> Secret

    /// For how many seconds a person's answer unlocks the keychain for all programs of the user; nil
    /// for ever.
    func timeout() throws(KeychainError) -> UInt32?

    /// Told when the keychain is unlocked for this process, but can't be for the ones after it, as where
    /// the kernel keeps no keys.
    func keychainStaysLocked(_ reason: KeychainError)
}

extension PassphraseProvider {
    /// Not known before it is asked for.
    public var hasGivenPassphrase: Bool { false }

    /// Somebody can.
    public func checkSomebodyCanBeAsked() throws(KeychainError) {}

    /// Nothing is to be said.
    public func waitsForAnotherProgram() {}
}

/// A passphrase or recovery key that a process was given.
public struct GivenPassphrase: ~Copyable {
    /// The passphrase or the recovery key.
    public let secret: Secret
    /// Where it comes from, for messages, for example `LANYARD_PASSPHRASE_FILE`.
    public let origin: String

    /// A passphrase that comes from somewhere.
    public init(_ secret: consuming Secret, origin: String) {
        self.secret = secret
        self.origin = origin
    }
}

/// What a person is asked for.
public struct UnlockQuestion: Sendable {
    /// Whether it is a passphrase; else only the recovery key is a way.
    public let isForPassphrase: Bool
    /// What was wrong with the answer before, nil for the first question.
    public let mistake: String?
}
