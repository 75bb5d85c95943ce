package import KeychainServices

/// A session for a helper's tests: its input is given, its output kept, its keychain in memory.
package final class ScriptedSession: HelperSession {
    package let name: String
    package let arguments: [String]
    package let version = "1.0.0"
    package let processID: Int32 = 4711
    package var now = Timestamp(secondsSinceEpoch: 1_800_000_000)
    package var variables: [String: String] = [:]
    package var isInputTerminal = false
    /// What is on standard input.
    package var input: [UInt8] = []
    /// The user's answers, in order.
    package var answers: [String] = []
    /// The answers of the user's pinentry, in order; numbers of 6 digits and more are errors.
    package var pinentryAnswers: [String] = []
    /// The commands that the user's pinentry got.
    package private(set) var pinentryCommands: [[String]] = []
    /// Whether no keychain may ask the user.
    package private(set) var areQuestionsForbidden = false
    /// What was written to standard output.
    package var output: String { written.name }
    private var written: FileBytes = ""
    /// What was printed for the user.
    package private(set) var notes: [String] = []
    /// The prompts that the user saw.
    package private(set) var questions: [String] = []
    private let store: Keychain
    private var answered: Set<String> = []

    /// Creates a session of a helper on a keychain.
    package init(_ name: String, _ arguments: [String], in keychain: Keychain) {
        self.name = name
        self.arguments = arguments
        store = keychain
    }

    package func variable(_ name: String) -> String? { variables[name] }

    package func readAll() -> Secret {
        defer { input = [] }
        return Secret(copying: input.span)
    }

    package func readLine() -> Secret? {
        guard !input.isEmpty else {
            return nil
        }
        let line = Array(input.prefix { $0 != UInt8(ascii: "\n") })
        input.removeFirst(min(line.count + 1, input.count))
        return Secret(copying: line.span)
    }

    package func write(_ answer: borrowing Secret) {
        written = FileBytes(joining: [written, FileBytes(answer.copy())])
    }

    package func note(_ text: String) { notes.append(text) }

    package func keychain(within milliseconds: Int64?) -> Keychain { store }

    package func forbidQuestions() { areQuestionsForbidden = true }

    package func ask(_ question: HelperQuestion) throws(KeychainError) -> Secret {
        questions.append(question.prompt)
        guard !answers.isEmpty else {
            throw KeychainError(
                .interactionNotAllowed, "there is no terminal", hint: question.hint)
        }
        return Secret(copying: Array(answers.removeFirst().utf8).span)
    }

    package func askPinentry(_ commands: [String]) throws(KeychainError) -> PinentryAnswer {
        pinentryCommands.append(commands)
        guard !pinentryAnswers.isEmpty else {
            throw KeychainError(.interactionNotAllowed, "there is no pinentry that can ask")
        }
        let answer = pinentryAnswers.removeFirst()
        if answer.count > 5, let number = UInt32(answer) {
            return .error(number)
        }
        return .ok(Secret(answer))
    }

    package func goOnAsLanyard(_ arguments: [String]) throws(KeychainError) -> Never {
        throw KeychainError(.notAvailable, "the program lanyard is missing")
    }

    package func hasAnswered(_ prompt: String) -> Bool { answered.contains(prompt) }

    package func rememberAnswer(to prompt: String) { answered.insert(prompt) }
}

extension Keychain {
    /// Creates a keychain in memory with the groups of a helper.
    package init(inMemoryFor helper: ToolHelper) {
        self.init(
            InMemoryStore(now: { Timestamp(secondsSinceEpoch: 0) }),
            accessGroups: helper.accessGroups)
    }
}
