import AskpassCredential
import Configuration
import Keychains
import KeychainServices
import Prompting

let name = "askpass-lanyard"
let help = """
    usage: \(name) [--keychain NAME] PROMPT
           \(name) --help|--version

    Answers prompts of ssh-add, ssh, git and sudo from an encrypted keychain, and asks you for the rest.

    examples:
      lanyard set --for askpass ~/.ssh/id_ed25519
      SSH_ASKPASS=\(name) SSH_ASKPASS_REQUIRE=force ssh-add
    """

runHelper(name: name, argument: "prompt", help: help) { invocation throws(KeychainError) in
    let text = invocation.operation
    let prompt = AskpassPrompt(text, kind: try Environment.value("SSH_ASKPASS_PROMPT"))
    guard prompt != .notice else {
        return printNote(text)
    }
    let answered = AnsweredPrompt(text)
    let helper = AskpassHelper(
        keychain: try invocation.chooseKeychain(accessGroups: AskpassHelper.accessGroups).keychain,
        now: currentTime())
    let answer = try helper.answer(
        prompt, isRepeated: answered?.isRepeated(now: currentTime()) ?? false
    ) { question throws(KeychainError) in
        try PassphrasePrompt.ask(
            PassphraseQuestion(
                wanted: .answer(text, isShown: question.isShown), error: question.error),
            hint: question.hint)
    }
    answered?.remember(now: currentTime())
    var line = SecretBuilder(capacity: answer.count + 1)
    line.append(answer)
    line.append("\n")
    try writeAnswer(line.finish())
}
