internal import ArgumentParser
internal import Keychains
internal import KeychainServices
internal import LanyardPrompting
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
            return try writeAnswer(
                try JSONWriter.write(invalidText: .replace) { writer throws(KeychainError) in
                    try writer.write(enrollments)
                })
        }
        guard !enrollments.isEmpty else {
            return printHint("none yet: lanyard presence add")
        }
        let now = currentTime()
        var table = Table(["NAME", "PROGRAM", "ONE TOUCH SERVES", "ADDED"])
        for enrollment in enrollments {
            table.append([
                enrollment.name, enrollment.program,
                enrollment.seconds == 0
                    ? "one use" : SealedKeychainStatus.duration(Int(enrollment.seconds)),
                enrollment.added.map { "\($0.age(at: now)) ago" } ?? "",
            ])
        }
        try writeAnswer(Secret(table.text(for: .current)))
    }
}
