internal import ArgumentParser
internal import KeychainServices
internal import Prompting
internal import SealedStore
internal import StrictJSON

/// `lanyard presence list`.
struct ListPresenceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the security keys of a keychain."
    ).examples(
        "lanyard presence list",
        "lanyard presence list --json")

    @OptionGroup var json: JSONFlag
    @OptionGroup var keychain: SealedKeychainOption

    func run() throws {
        let enrollments = try keychain.open().store.enrollments()
        guard !json.isOn else {
            return try writeAnswer(try answer(enrollments))
        }
        guard !enrollments.isEmpty else {
            return printHint("none yet: lanyard presence add")
        }
        var table = Table(["NAME", "PROGRAM", "ONE TOUCH SERVES"])
        for enrollment in enrollments {
            table.append([
                enrollment.name, enrollment.program,
                enrollment.seconds == 0
                    ? "one use" : SealedKeychainStatus.duration(Int(enrollment.seconds)),
            ])
        }
        try writeAnswer(Secret(table.text(for: .current)))
    }

    private func answer(_ enrollments: [PresenceEnrollment]) throws(KeychainError) -> Secret {
        try JSONWriter.write(invalidText: .replace) { writer throws(KeychainError) in
            try writer.writeArray { writer throws(KeychainError) in
                for enrollment in enrollments {
                    try writer.writeObject { writer throws(KeychainError) in
                        try writer.member("name", enrollment.name)
                        try writer.member("program", enrollment.program)
                        try writer.member("seconds") { writer throws(KeychainError) in
                            try writer.write(Int64(enrollment.seconds))
                        }
                    }
                }
            }
        }
    }
}
