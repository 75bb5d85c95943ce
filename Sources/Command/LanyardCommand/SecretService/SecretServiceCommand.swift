internal import ArgumentParser

/// `lanyard secret-service`: what belongs to `lanyard-secret-service`.
struct SecretServiceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "secret-service", abstract: "Answer questions of the Secret Service.",
        subcommands: [SecretServiceAgentCommand.self, AnswerQuestionCommand.self]
    ).examples(
        "lanyard secret-service agent")
}
