import KeychainServices
import Synchronization

@testable import SealedStore

/// Answers as a test says, and counts the questions.
// Sendable, as the store asks under its lock, and a test looks when it is done.
final class ScriptedProvider: PassphraseProvider, @unchecked Sendable {
    var given: [UInt8]?
    /// Called when it gives that.
    var whileGiving: @Sendable () -> Void = {}
    /// What the user answers, one after the other; then the user is gone.
    var answers: [[UInt8]] = []
    var seconds: UInt32? = 100
    private(set) var questions: [UnlockQuestion] = []
    /// What the user answers about programs, one after the other; then the user is gone.
    var trustAnswers: [TrustAnswer] = []
    private(set) var trustQuestions: [TrustQuestion] = []
    /// The names of the security keys that are plugged in.
    var present: [String] = []
    /// What they answer instead.
    var touchError: KeychainError?
    /// Whether they give other secrets than at their enrollment.
    var changesSecrets = false
    private(set) var touches: [PresenceQuestion] = []
    /// What happens while the user looks for the security key.
    var whileTouching: () -> Void = {}
    /// Why no security key could be asked.
    private(set) var failures: [KeychainError] = []
    /// What it waited for.
    private(set) var waits: [String] = []
    /// Whether it waited: a test may look while it is asked.
    let hasWaited = Atomic(false)
    private(set) var remarks: [KeychainError] = []
    private(set) var logFailures: [KeychainError] = []
    /// Why changes could not be recorded in the state folder.
    private(set) var recordFailures: [KeychainError] = []

    init(given: String? = nil, answers: [String] = []) {
        self.given = given.map { Array($0.utf8) }
        self.answers = answers.map { Array($0.utf8) }
    }

    var hasGivenPassphrase: Bool { given != nil }

    func givenPassphrase() throws(KeychainError) -> GivenPassphrase? {
        whileGiving()
        return switch given {
        case let given?: GivenPassphrase(secretOf(given), origin: "the test")
        case nil: nil
        }
    }

    func askForPassphrase(_ question: UnlockQuestion) throws(KeychainError) -> Secret {
        questions.append(question)
        guard !answers.isEmpty else {
            throw KeychainError(.interactionNotAllowed, "the user is gone")
        }
        return secretOf(answers.removeFirst())
    }

    func askForTrust(_ question: TrustQuestion) throws(KeychainError) -> TrustAnswer {
        guard !trustAnswers.isEmpty else {
            throw KeychainError(.interactionNotAllowed, "the user is gone")
        }
        trustQuestions.append(question)
        return trustAnswers.removeFirst()
    }

    static func presenceSecret(of enrollment: PresenceEnrollment) -> Secret {
        secretOf(Array("the whole secret of \(enrollment.name)".utf8.prefix(32)))
    }

    func askForPresence(_ question: PresenceQuestion) throws(KeychainError) -> PresenceAnswer {
        guard
            let index = question.enrollments.firstIndex(where: { present.contains($0.name) })
        else {
            throw KeychainError(present.isEmpty ? .notAvailable : .itemNotFound)
        }
        touches.append(question)
        whileTouching()
        if let touchError {
            throw touchError
        }
        return PresenceAnswer(
            index: index,
            secret: changesSecrets
                ? secretOf(Array(repeating: 7, count: 32))
                : ScriptedProvider.presenceSecret(of: question.enrollments[index]))
    }

    func waitsForAnotherProgram(_ program: String?, endsWhenUnlocked: Bool) {
        waits.append(program ?? "")
        hasWaited.store(true, ordering: .releasing)
    }

    func presenceFailed(_ reason: KeychainError) {
        failures.append(reason)
    }

    func timeout() throws(KeychainError) -> UInt32? { seconds }

    func keychainStaysLocked(_ reason: KeychainError) {
        remarks.append(reason)
    }

    func changeIsNotRecorded(_ reason: KeychainError) {
        recordFailures.append(reason)
    }

    func useIsNotLogged(_ reason: KeychainError) {
        logFailures.append(reason)
    }
}
