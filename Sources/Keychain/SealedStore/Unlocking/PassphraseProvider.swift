public import KeychainServices

/// Supplies a locked keychain's passphrase or recovery key: one that the process was given, or the
/// user's answer.
public protocol PassphraseProvider: AnyObject, Sendable {
    /// Whether the process was given a passphrase or recovery key for itself. Then it neither asks
    /// nor waits for another program's question.
    var hasGivenPassphrase: Bool { get }

    /// The error for a locked keychain if no user may be asked.
    var lockedError: KeychainError { get }

    /// Throws if no user can be asked, before waiting for another program's question.
    ///
    /// - Throws: ``Status/interactionNotAllowed``.
    func checkCanPrompt() throws(KeychainError)

    /// Throws if the user can't be asked for a touch, before waiting for another program's question.
    ///
    /// - Throws: ``Status/interactionNotAllowed``.
    func checkCanTouch() throws(KeychainError)

    /// Reports that another program's question is open and this one waits for it.
    ///
    /// - Parameters:
    ///   - program: Describes that program, for example `lanyard (process 123 on pts/3)`; nil if it is
    ///     unknown.
    ///   - endsWhenUnlocked: Whether it also stops waiting once the keychain is unlocked.
    func waitsForAnotherProgram(_ program: String?, endsWhenUnlocked: Bool)

    /// Returns the passphrase or recovery key that the process was given for itself, nil if there
    /// is none. It unlocks the keychain for this process alone.
    ///
    /// - Throws: If it should be there and can't be read.
    func givenPassphrase() throws(KeychainError) -> GivenPassphrase?

    /// Asks the user for the passphrase or the recovery key.
    ///
    /// - Throws: ``Status/interactionNotAllowed`` if no user can be asked, ``Status/userCanceled``
    ///   if the user refuses.
    func askForPassphrase(_ question: UnlockQuestion) throws(KeychainError) -> Secret

    /// Asks the user whether a program may read a secret.
    ///
    /// - Throws: ``Status/interactionNotAllowed`` if no user can be asked, ``Status/userCanceled``.
    func askForTrust(_ question: TrustQuestion) throws(KeychainError) -> TrustAnswer

    /// Asks a presence program for a secret, which takes a touch or another sign of the user.
    ///
    /// - Throws: ``Status/notAvailable`` without the program or a device, ``Status/itemNotFound`` if none of the
    ///   devices is enrolled: the passphrase then has to do. ``Status/userCanceled`` if the user refuses or does
    ///   not answer in time, ``Status/interactionNotAllowed`` if no user can be asked.
    func askForPresence(_ question: PresenceQuestion) throws(KeychainError) -> PresenceAnswer

    /// Returns for how many seconds the user's answer unlocks the keychain for all programs of the
    /// user; nil for no limit.
    func timeout() throws(KeychainError) -> UInt32?

    /// Reports why no security key could be asked, before the passphrase or the recovery key is.
    func presenceFailed(_ reason: KeychainError)

    /// Reports that the keychain now has its first item that takes the passphrase at each use, and
    /// that its recovery key, made before, does not open such items.
    func recoveryKeyBecameIncomplete()

    /// Reports that the keychain is unlocked for this process, but can't be for later ones, for
    /// example because the kernel stores no keys.
    func keychainStaysLocked(_ reason: KeychainError)

    /// Reports that a new machine key has replaced a damaged one.
    ///
    /// - Parameter file: Where the damaged one is now.
    func machineKeyWasReplaced(keeping file: String)

    /// Reports that a use of an item could not be logged.
    func useIsNotLogged(_ reason: KeychainError)

    /// Reports that a change could not be recorded in the state folder: an older copy would be accepted.
    func changeIsNotRecorded(_ reason: KeychainError)
}

extension PassphraseProvider {
    /// False, because it is unknown before the first request.
    public var hasGivenPassphrase: Bool { false }

    /// An error that names no keychain.
    public var lockedError: KeychainError { UnlockedKeys.locked }

    /// Does nothing: by default the user can be asked.
    public func checkCanPrompt() throws(KeychainError) {}

    /// Does nothing: by default the user can be asked.
    public func checkCanTouch() throws(KeychainError) {}

    /// Reports nothing.
    public func waitsForAnotherProgram(_ program: String?, endsWhenUnlocked: Bool) {}

    /// Reports nothing.
    public func presenceFailed(_ reason: KeychainError) {}

    /// Reports nothing.
    public func recoveryKeyBecameIncomplete() {}

    /// Reports nothing.
    public func machineKeyWasReplaced(keeping file: String) {}

    /// Reports nothing.
    public func useIsNotLogged(_ reason: KeychainError) {}

    /// Reports nothing.
    public func changeIsNotRecorded(_ reason: KeychainError) {}

    /// Throws, because by default there is no presence program.
    ///
    /// - Throws: ``Status/notAvailable``.
    public func askForPresence(
        _ question: PresenceQuestion
    ) throws(KeychainError) -> PresenceAnswer {
        throw KeychainError(.notAvailable, "this program can't ask for a security key")
    }

    /// Throws, because by default there is no way to ask.
    ///
    /// - Throws: ``Status/interactionNotAllowed``.
    public func askForTrust(_ question: TrustQuestion) throws(KeychainError) -> TrustAnswer {
        throw KeychainError(.interactionNotAllowed)
    }
}

/// A passphrase or recovery key that a process was given.
public struct GivenPassphrase: ~Copyable, Sendable {
    /// The passphrase or the recovery key.
    public let secret: Secret
    /// Its origin for messages, for example `LANYARD_PASSPHRASE_FILE`.
    public let origin: String

    /// Creates a passphrase with its origin.
    public init(_ secret: consuming Secret, origin: String) {
        self.secret = secret
        self.origin = origin
    }

    /// Returns a copy.
    package func copy() -> GivenPassphrase {
        GivenPassphrase(secret.copy(), origin: origin)
    }
}

/// A question to the user.
public struct UnlockQuestion: Sendable {
    /// Whether it asks for a passphrase; otherwise only the recovery key opens the keychain.
    public let isForPassphrase: Bool
    /// The mistake in the previous answer, nil for the first question.
    public let mistake: String?
    /// The program's reason for the question, nil if it gave none.
    public let reason: String?
    /// What the answer is used for.
    public let purpose: Purpose

    /// What an answer is used for. An answer to one question serves no other purpose.
    public enum Purpose: Hashable, Sendable {
        /// To unlock the keychain.
        case unlock
        /// To read or store the secret of an item that takes the passphrase at each use, and of other
        /// such items that the same call reads.
        case use(item: String, others: Bool)
        /// To create a recovery key, which opens everything.
        case createRecoveryKey
        /// To change the passphrase.
        case changePassphrase
        /// To remove the passphrase.
        case removePassphrase
        /// To encrypt everything again under new keys.
        case renewKeys
        /// To enroll a security key, which then opens the items that ask.
        case addPresence
    }
}

/// A question to a presence program, which it passes on to the user.
public struct PresenceQuestion: Sendable {
    /// The program.
    public let program: String
    /// The enrollments of the keychain, all of this program.
    public let enrollments: [PresenceEnrollment]
    /// What the answer is used for.
    public let purpose: UnlockQuestion.Purpose
    /// The program's reason for the question, nil if it gave none.
    public let reason: String?
}

/// The answer to a ``PresenceQuestion``.
public struct PresenceAnswer: ~Copyable {
    /// The position of the enrollment in the question.
    public let index: Int
    /// The secret that belongs to it: 16 to 64 bytes, the same each time.
    public let secret: Secret

    /// Creates an answer.
    public init(index: Int, secret: consuming Secret) {
        self.index = index
        self.secret = secret
    }
}

/// A question to the user whether a program may read a secret.
public struct TrustQuestion: Sendable {
    /// The program.
    public let program: TrustedApplication
    /// The item's name.
    public let item: String
    /// The program's reason for the question, nil if it gave none.
    public let reason: String?
}

/// The answer to a ``TrustQuestion``.
public enum TrustAnswer: Sendable {
    /// The program may read the secret this time.
    case once
    /// The program may read the secret without further questions.
    case always
    /// The program may not read the secret.
    case never
}
