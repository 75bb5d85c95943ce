extension PrivateSecretService {
    /// Types into the prompt, as a user would, once it is there.
    ///
    /// - Parameter keys: As xdotool calls them.
    /// - Returns: Whether a question was there within ten seconds, and is gone.
    package func answerQuestion(_ keys: String) -> Bool {
        supervisor.ask("answer \(keys)") == "answered"
    }
}
