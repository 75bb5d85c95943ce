internal import ArgumentParser
internal import LanyardConfiguration
internal import KeychainServices
internal import LanyardPrompting

/// `lanyard secret-service agent`: asks the questions of `lanyard-secret-service` at this terminal.
struct SecretServiceAgentCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "agent", abstract: "Ask here when a program wants to unlock a keychain.",
        discussion:
            "Keep it running in the foreground of a terminal; ^C ends it. It is for machines without a "
            + "desktop, where lanyard-secret-service has no other way to ask you."
    ).examples(
        "lanyard secret-service agent")

    func run() throws {
        guard canAskAtTerminal() else {
            throw KeychainError(
                .interactionNotAllowed, "there is no terminal to prompt at",
                hint: "run it in the foreground of a terminal")
        }
        guard let runtime = try Environment.value("XDG_RUNTIME_DIR"), runtime.hasPrefix("/") else {
            throw KeychainError(
                .param, "XDG_RUNTIME_DIR is not set",
                hint: "set it to a folder of your own, for lanyard-secret-service too")
        }
        let agent = try QuestionAgent(in: "\(runtime)/lanyard/secret-service")
        printNote("questions of the Secret Service are asked here; ^C ends this")
        try agent.run()
    }
}
