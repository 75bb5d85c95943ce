/// Plain-text logins that a tool stops using after its setup unless they move to the keychain. Lanyard
/// counts them and never shows them.
package struct UnusedLogins: Sendable {
    /// The file that contains them, and their number when they were found.
    package let file: PlainTextLeftover
    /// The consequence of leaving them there.
    private let meaning: String

    /// Fails for a file without logins, or an unreadable one.
    init?(in path: String, _ kind: PlainTextLeftover.Kind, meaning: String) {
        self.meaning = meaning
        file = PlainTextLeftover(kind: kind, path: path, logins: kind.logins(in: path))
        if file.logins == 0 {
            return nil
        }
    }

    /// A note for the user, one line, with the command that moves them.
    package var note: String {
        "'\(file.path)' contains logins in plain text (\(file.logins)): \(meaning);"
            + " to move them into the keychain: \(file.removingCommand)"
    }

    /// The same where the command is named already.
    package var shortNote: String { "the logins in '\(file.path)': \(meaning)" }

    /// Whether the file still contains all of them.
    package var areStillThere: Bool { file.kind.logins(in: file.path) >= file.logins }
}
