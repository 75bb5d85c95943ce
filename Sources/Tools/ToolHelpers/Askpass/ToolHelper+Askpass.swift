internal import KeychainServices

extension ToolHelper {
    /// Answers one prompt, the only argument.
    static let askpass = ToolHelper(
        help: """
            usage: askpass-lanyard [--keychain NAME] PROMPT
                   askpass-lanyard --help|--version

            Answers prompts of ssh-add, ssh, git and sudo from an encrypted keychain, and asks you for the rest.

            examples:
              lanyard set --for askpass ~/.ssh/id_ed25519
              SSH_ASKPASS=askpass-lanyard SSH_ASKPASS_REQUIRE=force ssh-add
            """, accessGroups: AskpassHelper.accessGroups
    ) { session throws(KeychainError) in
        let text = try session.onlyArgument("prompt")
        let prompt = AskpassPrompt(text, kind: try session.variable("SSH_ASKPASS_PROMPT"))
        guard prompt != .notice else {
            return session.note(text)
        }
        let helper = AskpassHelper(keychain: try session.keychain(), now: session.now)
        let answer = try helper.answer(prompt, isRepeated: session.hasAnswered(text)) {
            question throws(KeychainError) in
            try session.ask(
                HelperQuestion(
                    text, isShown: question.isShown, error: question.error, hint: question.hint))
        }
        session.rememberAnswer(to: text)
        try session.writeLine(answer)
    }
}
