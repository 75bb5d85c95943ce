internal import KeychainServices

/// What a person is asked for.
public struct PassphraseQuestion: Sendable {
    /// What is wanted.
    public enum Wanted: Sendable {
        /// The passphrase that is set.
        case passphrase
        /// The recovery key.
        case recoveryKey
        /// A passphrase to be set.
        case newPassphrase
        /// The same one, against typing errors.
        case newPassphraseAgain
        /// What another program asks for by this prompt; shown as it is typed if that is no secret.
        case answer(String, isShown: Bool = false)
    }

    let keychain: String
    let wanted: Wanted
    let error: String?

    /// - Parameters:
    ///   - keychain: The keychain's name, if it is one's.
    ///   - error: What was wrong with the last answer, for example `the passphrase is not right`.
    public init(keychain: String = "", wanted: Wanted, error: String? = nil) {
        self.keychain = harmless(keychain)
        self.wanted = wanted
        self.error = error.map(harmless)
    }

    /// The question in a line of its own, ready for what is typed.
    var prompt: String {
        switch wanted {
        case .passphrase: "passphrase for the keychain '\(keychain)': "
        case .recoveryKey: "recovery key of the keychain '\(keychain)': "
        case .newPassphrase: "new passphrase for the keychain '\(keychain)': "
        case .newPassphraseAgain: "the new passphrase again: "
        case .answer(let prompt, _): harmless(prompt)
        }
    }

    /// Whether a terminal shows what is typed.
    var isShown: Bool {
        switch wanted {
        case .answer(_, let isShown): isShown
        default: false
        }
    }

    /// What the answer is for, where there is room for a sentence.
    var description: String {
        switch wanted {
        case .answer: prompt
        default: "Unlock the keychain '\(keychain)'"
        }
    }

    /// The question beside a field, where the keychain is named elsewhere.
    var label: String {
        switch wanted {
        case .passphrase: "passphrase:"
        case .recoveryKey: "recovery key:"
        case .newPassphrase: "new passphrase:"
        case .newPassphraseAgain: "the new passphrase again:"
        case .answer: "answer:"
        }
    }

    /// How many bytes an answer may have.
    static let answerLimit = 1024

    static var answerTooLong: KeychainError {
        KeychainError(.dataTooLarge, "the answer is longer than \(answerLimit) bytes")
    }

    static var cancelled: KeychainError {
        KeychainError(.userCanceled, "cancelled: nothing was changed")
    }

    static var unanswered: KeychainError {
        KeychainError(.userCanceled, "nobody answered in time: nothing was changed")
    }
}
