internal import KeychainServices

/// A question to the user.
public struct PassphraseQuestion: Sendable {
    /// The requested secret.
    public enum Wanted: Sendable {
        /// The current passphrase.
        case passphrase
        /// The recovery key.
        case recoveryKey
        /// A new passphrase.
        case newPassphrase
        /// The new passphrase again, to catch typing errors.
        case newPassphraseAgain
        /// The answer to another program's prompt; visible while typing if it is not secret.
        case answer(String, isShown: Bool = false)
    }

    let keychain: String
    let wanted: Wanted
    let error: String?
    /// The reason of the program that needs the answer.
    let reason: String?
    /// What the answer is used for, as a sentence; nil to unlock the keychain.
    let purpose: String?

    /// - Parameters:
    ///   - keychain: The keychain's name, if the question concerns one.
    ///   - error: Why the last answer failed, for example `wrong passphrase`.
    ///   - reason: Why a program needs the answer, at most 200 characters.
    ///   - purpose: What the answer is used for, as a sentence of at most 300 characters; nil to
    ///     unlock the keychain.
    public init(
        keychain: String = "", wanted: Wanted, error: String? = nil, reason: String? = nil,
        purpose: String? = nil
    ) {
        self.keychain = harmless(keychain)
        self.wanted = wanted
        self.error = error.map(harmless)
        self.reason = reason.map { harmless(String($0.prefix(200))) }
        self.purpose = purpose.map { harmless(String($0.prefix(300))) }
    }

    /// The question on a line of its own, ready for the user's input.
    var prompt: String {
        switch wanted {
        case .passphrase: "passphrase for the keychain '\(keychain)': "
        case .recoveryKey: "recovery key of the keychain '\(keychain)': "
        case .newPassphrase: "new passphrase for the keychain '\(keychain)': "
        case .newPassphraseAgain: "new passphrase again: "
        case .answer(let prompt, _): harmless(prompt)
        }
    }

    /// Whether the terminal shows what the user types.
    var isShown: Bool {
        switch wanted {
        case .answer(_, let isShown): isShown
        default: false
        }
    }

    /// How many milliseconds the user has at the terminal, nil for no limit: other programs wait while the
    /// question that unlocks a keychain is open.
    var timeLimit: Int64? {
        switch wanted {
        case .passphrase, .recoveryKey: Askpass.timeLimit
        case .newPassphrase, .newPassphraseAgain, .answer: nil
        }
    }

    /// The purpose of the answer, for dialogs with room for a sentence.
    var description: String {
        switch wanted {
        case .answer: prompt
        default:
            [reason, purpose ?? "Unlock the keychain '\(keychain)'"].compactMap { $0 }
                .joined(separator: "\n")
        }
    }

    /// The question next to a field, for dialogs that name the keychain elsewhere.
    var label: String {
        switch wanted {
        case .passphrase: "passphrase:"
        case .recoveryKey: "recovery key:"
        case .newPassphrase: "new passphrase:"
        case .newPassphraseAgain: "new passphrase again:"
        case .answer: "answer:"
        }
    }

    /// Limits the bytes of an answer.
    static let answerLimit = 1024

    static var answerTooLong: KeychainError {
        KeychainError(.dataTooLarge, "the answer is longer than \(answerLimit) bytes")
    }

    static var cancelled: KeychainError {
        KeychainError(.userCanceled, "cancelled: nothing was changed")
    }
}
