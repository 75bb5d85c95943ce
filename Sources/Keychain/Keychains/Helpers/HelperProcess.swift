internal import LanyardConfiguration
internal import Glibc
internal import KeychainServices
internal import LinuxSystem
internal import KeychainPlugin
internal import LanyardPrompting

/// The running process as the session of a tool's helper.
final class HelperProcess: HelperSession {
    let name: String
    let invocation: HelperInvocation
    let accessGroups: AccessGroups
    private let input = InputLines()

    init(name: String, invocation: HelperInvocation, accessGroups: AccessGroups) {
        self.name = name
        self.invocation = invocation
        self.accessGroups = accessGroups
    }

    var arguments: [String] { invocation.arguments }
    var version: String { lanyardVersion }
    var processID: Int32 { getpid() }
    var now: Timestamp { currentTime() }
    var isInputTerminal: Bool { isatty(0) == 1 }

    func variable(_ name: String) throws(KeychainError) -> String? {
        try Environment.value(name)
    }

    func readAll() throws(KeychainError) -> Secret { try readRequest() }

    func readLine() throws(KeychainError) -> Secret? { try input.next() }

    func write(_ answer: borrowing Secret) throws(KeychainError) { try writeAnswer(answer) }

    func note(_ text: String) { printNote(text) }

    func keychain(within milliseconds: Int64?) throws(KeychainError) -> Keychain {
        try invocation.chooseKeychain(accessGroups: accessGroups, within: milliseconds).keychain
    }

    func forbidQuestions() { Keychain.isUserInteractionAllowed = false }

    func ask(_ question: HelperQuestion) throws(KeychainError) -> Secret {
        try PassphrasePrompt.ask(
            PassphraseQuestion(
                wanted: .answer(question.prompt, isShown: question.isShown), error: question.error),
            hint: question.hint)
    }

    func askPinentry(_ commands: [String]) throws(KeychainError) -> PinentryAnswer {
        try PassphrasePrompt.askPinentry(commands)
    }

    func goOnAsLanyard(_ arguments: [String]) throws(KeychainError) -> Never {
        guard let found = Installation()?.command("lanyard") else {
            throw KeychainError(.notAvailable, "the program lanyard is missing")
        }
        let path = try PluginProgram.check(found, "program")
        let keychain = invocation.keychainFlag.map { ["--keychain=\($0)"] } ?? []
        do throws(SystemCallError) {
            try ProgramReplacement(path, ["lanyard"] + arguments + keychain).execute()
        } catch {
            throw error.keychainError("can't run '\(path)'")
        }
    }

    func hasAnswered(_ prompt: String) -> Bool {
        AnsweredPrompt(prompt)?.isRepeated(now: now) ?? false
    }

    func rememberAnswer(to prompt: String) {
        AnsweredPrompt(prompt)?.remember(now: now)
    }
}
