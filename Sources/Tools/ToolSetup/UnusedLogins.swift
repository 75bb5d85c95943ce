/// Plain-text logins that a tool stops using after its setup unless they move to the keychain. Lanyard
/// counts them and never shows them.
package struct UnusedLogins: Sendable {
    /// The file that contains them.
    package let path: String
    /// Their number when they were found.
    let count: Int
    /// The file's format: git's or docker's.
    let kind: PlainTextLeftover.Kind
    /// The consequence of leaving them there.
    let meaning: String

    /// Fails for a file without logins, or an unreadable one.
    init?(in path: String, _ kind: PlainTextLeftover.Kind, meaning: String) {
        self.path = path
        self.kind = kind
        self.meaning = meaning
        count = UnusedLogins.count(in: path, kind)
        if count == 0 {
            return nil
        }
    }

    /// A note for the user, one line.
    package var note: String {
        let command = PlainTextLeftover(kind: kind, path: path, logins: count).removingCommand
        return "'\(path)' contains logins in plain text (\(count)): \(meaning); \(command)"
            + " moves them into the keychain"
    }

    /// The same where the command is named already.
    package var shortNote: String { "the logins in '\(path)': \(meaning)" }

    /// Whether the file still contains all of them.
    package var areStillThere: Bool {
        UnusedLogins.count(in: path, kind) >= count
    }

    private static func count(in path: String, _ kind: PlainTextLeftover.Kind) -> Int {
        kind == .dockerConfig ? PlainTextLogins.registries(path) : PlainTextLogins.lines(path)
    }
}
