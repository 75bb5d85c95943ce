internal import ArgumentParser
internal import LanyardConfiguration
internal import LanyardPrompting
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
        if json.isOn {
            try writeAnswer(answer(statuses))
        } else {
            try screen(statuses).show()
        }
        if let failure {
            throw failure
        }
    }

    private func screen(_ statuses: [KeychainStatus]) -> Screen {
        var screen = Screen()
        for status in statuses {
            screen.addBlankLine()
            status.add(to: &screen, isWhole: keychain.name != nil)
        }
        if let refusal = SealedStore.keyringRefusal(), !statuses.isEmpty {
            screen.addBlankLine()
            screen.add(.warning, "unlocking lasts for one program only: \(refusal.reason)")
        }
        return screen
    }

    private func answer(_ statuses: [KeychainStatus]) throws(KeychainError) -> Secret {
        try JSONWriter.write(invalidText: .replace) { writer throws(KeychainError) in
            try writer.writeObjects(of: statuses) { writer, status throws(KeychainError) in
                try writer.members(of: status)
            }
        }
    }
}
