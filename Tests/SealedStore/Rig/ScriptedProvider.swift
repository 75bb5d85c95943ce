import KeychainServices

@testable import SealedStore

/// Answers as a test says, and counts the questions.
// Sendable, as the store asks under its lock, and a test looks when it is done.
final class ScriptedProvider: PassphraseProvider, @unchecked Sendable {
    var given: [UInt8]?
    /// What the user answers, one after the other; then the user is gone.
    var answers: [[UInt8]] = []
    var seconds: UInt32? = 100
    private(set) var questions: [UnlockQuestion] = []
    /// What the user answers about programs, one after the other; then the user is gone.
    var trustAnswers: [TrustAnswer] = []
    private(set) var trustQuestions: [TrustQuestion] = []
    private(set) var remarks: [KeychainError] = []
    private(set) var logFailures: [KeychainError] = []

    init(given: String? = nil, answers: [String] = []) {
        self.given = given.map { Array($0.utf8) }
        self.answers = answers.map { Array($0.utf8) }
    }

    var hasGivenPassphrase: Bool { given != nil }

    func givenPassphrase() throws(KeychainError) -> GivenPassphrase? {
        switch given {
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

    func timeout() throws(KeychainError) -> UInt32? { seconds }

    func keychainStaysLocked(_ reason: KeychainError) {
        remarks.append(reason)
    }

    func useIsNotLogged(_ reason: KeychainError) {
        logFailures.append(reason)
    }
}
