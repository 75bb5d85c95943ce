/// One run of a helper: its arguments, its streams, a keychain, the user.
package protocol HelperSession: AnyObject {
    /// The program's name.
    var name: String { get }
    /// The arguments, without the program's name and Lanyard's own options.
    var arguments: [String] { get }
    /// The program's version.
    var version: String { get }
    /// The number of the process.
    var processID: Int32 { get }
    /// The time of the run.
    var now: Timestamp { get }

    /// Returns the value of an environment variable, nil if it is not set.
    ///
    /// - Throws: ``Status/param`` for a value that is not UTF-8.
    func variable(_ name: String) throws(KeychainError) -> String?
    /// Whether standard input is a terminal.
    var isInputTerminal: Bool { get }
    /// Reads all of standard input.
    ///
    /// - Throws: ``Status/dataTooLarge`` for more than 1 MiB; ``Status/io``.
    func readAll() throws(KeychainError) -> Secret
    /// Reads the next line of standard input without its newline, nil at the end.
    ///
    /// - Throws: ``Status/dataTooLarge`` for more than 1 MiB; ``Status/io``.
    func readLine() throws(KeychainError) -> Secret?
    /// Writes to standard output.
    ///
    /// - Throws: ``Status/io``.
    func write(_ answer: borrowing Secret) throws(KeychainError)
    /// Prints a line for the user on standard error.
    func note(_ text: String)
    /// Returns the keychain that is in use, with the tool's access groups.
    ///
    /// - Parameter milliseconds: The most that each keychain of the search list may take; nil for the usual limits.
    /// - Throws: ``Status/param`` for an unreadable configuration.
    func keychain(within milliseconds: Int64?) throws(KeychainError) -> Keychain
    /// Lets no keychain ask the user from now on: it fails with ``Status/interactionNotAllowed`` instead.
    func forbidQuestions()
    /// Asks the user.
    ///
    /// - Throws: ``Status/interactionNotAllowed`` if the user can't be asked; ``Status/userCanceled``.
    func ask(_ question: HelperQuestion) throws(KeychainError) -> Secret
    /// Lets the user's own pinentry ask.
    ///
    /// - Parameter commands: Assuan's commands that describe the dialog, and as the last one the question.
    /// - Throws: ``Status/interactionNotAllowed`` without a pinentry that can ask; ``Status/userCanceled``.
    func askPinentry(_ commands: [String]) throws(KeychainError) -> PinentryAnswer
    /// Goes on as `lanyard`, with the keychain that was chosen.
    ///
    /// - Parameter arguments: The command and its arguments, none of which begins with a hyphen.
    /// - Throws: ``Status/notAvailable`` if it is missing.
    func goOnAsLanyard(_ arguments: [String]) throws(KeychainError) -> Never
    /// Whether the calling program got an answer to this prompt less than a minute ago.
    func hasAnswered(_ prompt: String) -> Bool
    /// Remembers for a minute that the calling program has an answer to this prompt.
    func rememberAnswer(to prompt: String)
}

/// What a pinentry answers.
package enum PinentryAnswer: ~Copyable {
    /// Consent, and what the user typed.
    case ok(Secret)
    /// An error's number of libgpg-error.
    case error(UInt32)
}

/// What a helper asks the user.
package struct HelperQuestion {
    /// The question, as the user sees it.
    package let prompt: String
    /// Whether the answer is not secret and may be visible.
    package let isShown: Bool
    /// Why the stored answer failed; nil if it did not.
    package let error: String?
    /// How to go on where the user can't be asked.
    package let hint: String

    /// Creates a question.
    package init(_ prompt: String, isShown: Bool = false, error: String? = nil, hint: String) {
        self.prompt = prompt
        self.isShown = isShown
        self.error = error
        self.hint = hint
    }
}

extension HelperSession {
    /// Returns the keychain that is in use, with the tool's access groups.
    ///
    /// - Throws: ``Status/param`` for an unreadable configuration.
    package func keychain() throws(KeychainError) -> Keychain { try keychain(within: nil) }

    /// Returns the only argument.
    ///
    /// - Parameter what: Its name in errors.
    /// - Throws: ``Status/param`` for more, fewer, and options.
    package func onlyArgument(_ what: String) throws(KeychainError) -> String {
        guard let argument = arguments.first else {
            throw wrongUsage("missing \(what)")
        }
        guard !argument.hasPrefix("-") else {
            throw wrongUsage("unknown option '\(argument)'")
        }
        guard arguments.count == 1 else {
            throw wrongUsage("more than one \(what)")
        }
        return argument
    }

    /// Returns the error for invalid arguments, with the way to the help.
    package func wrongUsage(_ reason: String) -> KeychainError {
        KeychainError(.param, reason, hint: "\(name) --help")
    }

    /// Writes a secret and a newline to standard output.
    ///
    /// - Throws: ``Status/io``.
    package func writeLine(_ answer: borrowing Secret) throws(KeychainError) {
        var line = SecretBuilder(capacity: answer.count + 1)
        line.append(answer)
        line.append("\n")
        try write(line.finish())
    }
}
