#if SecretService
/// A prompt of a client. The corresponding section of the specification is "Prompts and Prompting".
final class Prompt {
    let number: UInt64
    /// The client's unique name: no other client may use it.
    let owner: String
    let question: Question
    private let program: String?
    private let complete: (Bool) -> Void
    private var rest: [(ask: String, keychain: String)]
    private var asking: Asking?
    private var isBegun = false

    /// - Parameters:
    ///   - program: The path of the client's executable.
    ///   - complete: Called once, with whether everything was done.
    init(
        _ number: UInt64, owner: String, _ question: Question, program: String?,
        complete: @escaping (Bool) -> Void
    ) {
        self.number = number
        self.owner = owner
        self.question = question
        self.program = program
        self.complete = complete
        rest = question.parts
    }

    var path: String { ObjectPath.prompt(number).text }

    /// Asks, or completes at once if the user can't be asked.
    func begin() {
        guard !isBegun else {
            return
        }
        isBegun = true
        askNext()
    }

    private func askNext() {
        guard let next = rest.first else {
            return complete(true)
        }
        rest.removeFirst()
        asking = Asking(next.ask, keychain: next.keychain, program: program) { [self] isDone in
            asking = nil
            if isDone {
                askNext()
            } else {
                complete(false)
            }
        }
        if asking == nil {
            // Later, because the client listens for the signal only once it has the answer to its call.
            MainLoop.after(milliseconds: 1) { [self] in complete(false) }
        }
    }

    /// Withdraws the question.
    func dismiss() {
        asking?.withdraw()
        asking = nil
        complete(false)
    }

    /// Withdraws the question of a client that is gone.
    func withdraw() {
        asking?.withdraw()
        asking = nil
    }
}
#endif
