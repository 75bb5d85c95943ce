public import Keychain

/// Asks a person for a passphrase or a recovery key, never on the standard streams.
public enum PassphrasePrompt {
    /// Asks in the first way that works here: with a pinentry, with an askpass program, at the
    /// terminal; for a new passphrase at the terminal only.
    ///
    /// - Parameter hint: What to do where there is nobody to ask.
    /// - Throws: ``Status/interactionNotAllowed`` where nobody can be asked or LANYARD_NO_PROMPT is
    ///   set, ``Status/userCanceled`` also where nobody answered in time, ``Status/dataTooLarge``,
    ///   ``Status/param`` for several lines, ``Status/io``.
    public static func ask(
        _ question: PassphraseQuestion, hint: String
    ) throws(KeychainError) -> Secret {
        try Terminal.checkAskingIsAllowed(hint: hint)
        switch question.wanted {
        case .newPassphrase, .newPassphraseAgain: break
        case .passphrase, .recoveryKey:
            if let answer = try Pinentry.ask(question) {
                return answer
            }
            if let answer = try Askpass.ask(question) {
                return answer
            }
        }
        let terminal = try Terminal(hint: hint)
        if let error = question.error {
            terminal.write("lanyard: error: \(error)\n")
        }
        return try terminal.readLine(prompt: question.prompt, echo: false)
    }
}
