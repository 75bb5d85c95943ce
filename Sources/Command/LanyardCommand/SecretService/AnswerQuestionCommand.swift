internal import ArgumentParser
internal import KeychainServices
internal import LanyardPrompting
internal import StrictJSON

/// Answers one question of `lanyard-secret-service`, which is on standard input: ``QuestionAgent`` starts it.
struct AnswerQuestionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "answer", abstract: "Answer a question on standard input.",
        shouldDisplay: false
    ).examples("cat question.json | lanyard secret-service answer")

    /// The arguments with which it is started.
    static let words = ["secret-service", "answer"]

    func run() throws {
        do throws(KeychainError) {
            try SecretServiceQuestion.read().ask()
            try answer("done")
        } catch {
            guard error.status != .userCanceled else {
                return try answer("dismissed")
            }
            printError(error)
            try answer("failed", error.reason)
        }
    }

    /// Writes the answer, which ``QuestionAgent`` passes on.
    private func answer(_ result: ByteString, _ error: String? = nil) throws(KeychainError) {
        try writeAnswer(
            JSONWriter.writeObject(invalidText: .replace) { writer throws(KeychainError) in
                try writer.member("result", result)
                if let error {
                    try writer.member("error", ByteString(error))
                }
            })
    }
}
