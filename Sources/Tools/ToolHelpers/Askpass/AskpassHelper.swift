internal import GitCredential
public import KeychainServices

/// Answers prompts from a keychain, and lets the user answer the others.
///
/// The corresponding section of ssh-add(1) is "ENVIRONMENT", under SSH_ASKPASS.
public struct AskpassHelper {
    /// The group that separates these items from other tools'; git's are in their own.
    public static let accessGroup: ByteString = "askpass"
    /// The groups whose items answer prompts.
    public static let accessGroups = AccessGroups(
        accessGroup, others: [GitCredentialHelper.accessGroup])

    let keychain: Keychain
    /// The time to compare expiry dates of git's passwords with.
    let now: Timestamp

    /// A question to the user, and the reason for it.
    public struct Question {
        /// Whether the answer is not secret and may be visible.
        public let isShown: Bool
        /// Why the stored answer failed, nil if it did not.
        public let error: String?
        /// How to store an answer.
        public let hint: String
    }

    /// Returns the line that answers a prompt, without its end.
    ///
    /// - Parameters:
    ///   - isRepeated: Whether the same program has just got an answer to it, which was wrong then.
    ///   - ask: Asks the user.
    /// - Throws: ``Status/interactionNotAllowed`` if the user can't be asked; ``Status/userCanceled``
    ///   without consent; ``Status/decode`` for a stored secret that is not one line; what the keychain and
    ///   asking throw.
    public func answer(
        _ prompt: AskpassPrompt, isRepeated: Bool,
        asking ask: (Question) throws(KeychainError) -> Secret
    ) throws(KeychainError) -> Secret {
        var isWrong = false
        if let stored = try stored(for: prompt) {
            guard isRepeated || prompt.isRetry else {
                return stored
            }
            isWrong = true
        }
        let answer = try askingPerson(prompt, isWrong: isWrong, ask)
        guard prompt == .consent else {
            return answer
        }
        guard answer.withBytes({ $0.equalsIgnoringCase("yes") || $0.equalsIgnoringCase("y") })
        else {
            throw KeychainError(.userCanceled, "not confirmed")
        }
        return Secret("yes")
    }

    private func askingPerson(
        _ prompt: AskpassPrompt, isWrong: Bool, _ ask: (Question) throws(KeychainError) -> Secret
    ) throws(KeychainError) -> Secret {
        let error = isWrong ? "the stored secret was rejected" : nil
        do throws(KeychainError) {
            return try ask(Question(isShown: prompt.isShown, error: error, hint: prompt.hint))
        } catch {
            guard error.status == .interactionNotAllowed else {
                throw error
            }
            let what = isWrong ? "the stored secret was rejected" : prompt.missing
            throw KeychainError(error.status, "\(what), and \(error.reason)", hint: error.hint)
        }
    }
}

extension AskpassPrompt {
    /// Whether the answer may be visible.
    fileprivate var isShown: Bool {
        switch self {
        case .gitUsername, .question, .consent: true
        default: false
        }
    }

    fileprivate var isRetry: Bool {
        switch self {
        case .keyPassphrase(_, let isRetry): isRetry
        default: false
        }
    }

    /// Names the missing answer.
    fileprivate var missing: String {
        switch self {
        case .question, .consent, .notice: "only you can answer this"
        case .unknown, .unknownSudo: "unknown prompt"
        default: "no secret is stored for this"
        }
    }

    /// Says how to store an answer.
    fileprivate var hint: String {
        switch self {
        // Items have absolute paths.
        case .keyPassphrase(let path, _) where path.bytes.first != UInt8(ascii: "/"):
            "name the key by its absolute path, such as \"$PWD/KEY\""
        case .keyPassphrase(let path, _): "lanyard set --for askpass \(path.shellWord)"
        case .hostPassword(let user, let host):
            "lanyard set --for askpass \("ssh://\(user.percentEncodedUser)@\(host)".shellWord)"
        case .sudoPassword(let user): "lanyard set --for askpass sudo \(user.shellWord)"
        case .unknownSudo: "export SUDO_PROMPT='[sudo] password for %p: '"
        case .gitUsername(let url), .gitPassword(let url):
            "lanyard set --for git \(url.text.shellWord)"
        case .question, .consent, .notice, .unknown: "run the program at a terminal"
        }
    }
}
