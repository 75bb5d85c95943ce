internal import ArgumentParser
internal import Configuration
internal import Prompting
internal import KeychainServices
internal import SealedStore
internal import StrictJSON

/// `lanyard status`: shows for each keychain whether it is in use and locked, and what it protects against.
struct StatusCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "status", abstract: "Show the keychains and what protects them.",
            discussion: "Those in use come first, in search order."
        ).examples(
            "lanyard status",
            "lanyard status --keychain work --json"
        ).whenAlone
    }

    @OptionGroup var json: JSONFlag
    @OptionGroup var keychain: KeychainOption

    func run() throws {
        let configuration = try Configuration()
        var failure: KeychainError?
        let flag = keychain.name
        let statuses = try KeychainStatus.all(flag: flag, configuration) {
            name, error throws(KeychainError) in
            guard flag == nil else {
                throw error
            }
            // The others still have a status.
            failure = KeychainError(
                error.status, "keychain '\(name)': \(error.reason)", hint: error.hint)
        }
        let lines = text(statuses)
        let text = OutputTerminal.current.map { lines.wrapped(to: $0.columns) } ?? lines
        try writeAnswer(json.isOn ? answer(statuses) : Secret(text))
        if let failure {
            throw failure
        }
    }

    private func text(_ statuses: [KeychainStatus]) -> String {
        var blocks = statuses.map { $0.text(isWhole: keychain.name != nil) }
        if let refusal = SealedStore.keyringRefusal(), !blocks.isEmpty {
            blocks.append("unlocking lasts for one program only: \(refusal.reason)\n")
        }
        return blocks.joined(separator: "\n")
    }

    private func answer(_ statuses: [KeychainStatus]) throws(KeychainError) -> Secret {
        try JSONWriter.write(invalidText: .replace) { writer throws(KeychainError) in
            try writer.writeArray { writer throws(KeychainError) in
                for status in statuses {
                    try writer.write(status)
                }
            }
        }
    }
}
