internal import LanyardConfiguration
public import KeychainServices

/// Asks the user for a passphrase or a recovery key, never on the standard streams.
public enum PassphrasePrompt {
    /// Throws if the user can't be asked in any way.
    ///
    /// - Throws: ``Status/interactionNotAllowed``.
    package static func checkCanPrompt(hint: String) throws(KeychainError) {
        try Terminal.checkAskingIsAllowed(hint: hint)
        let hasWindows = try Environment.hasDisplay
        let hasPinentry = try programPath("pinentry") != nil
        let hasAskpass = try Askpass.isUsable()
        let isPossible = ControllingTerminal.isUsable || hasAskpass || hasWindows && hasPinentry
        guard isPossible else {
            throw KeychainError(.interactionNotAllowed, "lanyard can't prompt here", hint: hint)
        }
    }

    /// Asks in the first way that works: a pinentry, an askpass program, the terminal. Another program's
    /// question never goes to an askpass program, and a new passphrase is asked for at the terminal only.
    ///
    /// - Parameter hint: What to do if the user can't be asked.
    /// - Throws: ``Status/interactionNotAllowed`` if the user can't be asked or LANYARD_NO_PROMPT is set,
    ///   ``Status/userCanceled`` also without an answer in time, ``Status/dataTooLarge``, ``Status/param``
    ///   for several lines, ``Status/io``.
    public static func ask(
        _ question: PassphraseQuestion, hint: String
    ) throws(KeychainError) -> Secret {
        try Terminal.checkAskingIsAllowed(hint: hint)
        switch question.wanted {
        case .newPassphrase, .newPassphraseAgain: break
        case .answer:
            if let answer = try Pinentry.ask(question) {
                return answer
            }
        case .passphrase, .recoveryKey:
            if let answer = try Pinentry.ask(question) {
                return answer
            }
            if let answer = try Askpass.ask(question) {
                return answer
            }
        }
        let terminal = try Terminal(hint: hint)
        for line in [question.reason, question.purpose].compactMap({ $0 }) {
            terminal.write("\(line)\n")
        }
        if let error = question.error {
            terminal.writeError(error)
        }
        return try terminal.readLine(
            prompt: question.prompt, echo: question.isShown, timeLimit: question.timeLimit)
    }

    /// Lets the user's own pinentry ask.
    ///
    /// - Parameter commands: Assuan's commands that describe the dialog, and as the last one the question.
    /// - Throws: ``Status/interactionNotAllowed`` without a pinentry that can ask, or if LANYARD_NO_PROMPT is set;
    ///   ``Status/userCanceled`` for a signal.
    package static func askPinentry(_ commands: [String]) throws(KeychainError) -> PinentryAnswer {
        let hint = "install a pinentry, and set GPG_TTY=$(tty) in your shell"
        try Terminal.checkAskingIsAllowed(hint: hint)
        guard let answer = try Pinentry.run(commands) else {
            throw KeychainError(
                .interactionNotAllowed, "there is no pinentry that can ask", hint: hint)
        }
        return answer
    }
}
