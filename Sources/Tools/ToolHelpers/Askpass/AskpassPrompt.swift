public import KeychainServices

/// A prompt from a program to an askpass program.
///
/// Only whole prompts are recognized: other programs, and servers, can put text of their own into one.
public enum AskpassPrompt: Equatable, Sendable {
    /// The passphrase of an SSH key. A retry means that the last one was wrong.
    case keyPassphrase(path: ByteString, isRetry: Bool)
    /// The password of a user on a host, for ssh.
    case hostPassword(user: ByteString, host: ByteString)
    /// The username for a URL, for git.
    case gitUsername(PromptURL)
    /// The password for a URL, for git.
    case gitPassword(PromptURL)
    /// The password of a user, for sudo.
    case sudoPassword(user: ByteString)
    /// A prompt of sudo in other words, such as those of another language.
    case unknownSudo
    /// A question whose answer is a word and not secret.
    case question
    /// A question that needs the user's consent.
    case consent
    /// A message that needs no answer.
    case notice
    /// Anything else.
    case unknown

    /// Reads a prompt.
    ///
    /// - Parameter kind: The value of SSH_ASKPASS_PROMPT, nil if it is not set. The corresponding section
    ///   of ssh-add(1) is "ENVIRONMENT".
    public init(_ text: String, kind: String? = nil) {
        switch kind {
        case nil: self = AskpassPrompt.parse(PromptText(text))
        case "confirm": self = .consent
        case "none": self = .notice
        default: self = .unknown
        }
    }

    private static func parse(_ text: PromptText) -> AskpassPrompt {
        key(text) ?? password(text) ?? git(text)
            ?? (text.contains("(yes/no") ? .question : nil)
            ?? (text.between("[sudo] ", "") == nil ? .unknown : .unknownSudo)
    }

    private static func key(_ text: PromptText) -> AskpassPrompt? {
        // For a new key.
        guard text.between("Enter passphrase for ", " (empty for no passphrase): ") == nil else {
            return nil
        }
        if let path = text.between("Enter passphrase for key '", "': ")
            ?? text.between("Enter passphrase for \"", "\": ")
            ?? text.between("Enter passphrase for ", " (will confirm each use): ")
            ?? text.between("Enter passphrase for ", ": ")
        {
            // For a token.
            guard !path.elementsEqual("PKCS#11".utf8) else {
                return nil
            }
            return .keyPassphrase(path: ByteString(Array(path)), isRetry: false)
        }
        let path =
            text.between("Bad passphrase, try again for ", " (will confirm each use): ")
            ?? text.between("Bad passphrase, try again for ", ": ")
        return path.map { .keyPassphrase(path: ByteString(Array($0)), isRetry: true) }
    }

    private static func password(_ text: PromptText) -> AskpassPrompt? {
        if let user = text.between("[sudo] password for ", ": ") {
            return .sudoPassword(user: ByteString(Array(user)))
        }
        guard let login = text.between("(", ") Password: ") ?? text.between("", "'s password: ")
        else {
            return nil
        }
        return hostPassword(login)
    }

    /// Reads ssh's prompt for a password. ssh shows at most 30 bytes of a user and 128 of a host: longer
    /// ones could be different.
    private static func hostPassword(_ login: ArraySlice<UInt8>) -> AskpassPrompt? {
        guard let at = login.lastIndex(of: UInt8(ascii: "@")) else {
            return nil
        }
        let user = login[..<at]
        let host = login[(at + 1)...]
        // In brackets, as in an address.
        let isIPv6 = host.count { $0 == UInt8(ascii: ":") } > 1 && host.first != UInt8(ascii: "[")
        let server = isIPv6 ? Array("[".utf8) + host + Array("]".utf8) : Array(host)
        guard (1..<30).contains(user.count), server.count < 128, host.isHostName,
            // Text after it could come from the server.
            !user.contains(UInt8(ascii: ")")), !user.contains(UInt8(ascii: " "))
        else {
            return nil
        }
        return .hostPassword(
            user: ByteString(Array(user)), host: ByteString(server).lowercasedASCII)
    }

    private static func git(_ text: PromptText) -> AskpassPrompt? {
        if let url = text.between("Username for '", "': ") {
            return PromptURL(url).map { .gitUsername($0) }
        }
        return text.between("Password for '", "': ").flatMap { PromptURL($0) }
            .map { .gitPassword($0) }
    }
}
