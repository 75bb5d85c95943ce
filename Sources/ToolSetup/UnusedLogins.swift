/// Plain-text logins that a tool stops using after its setup unless they move to the keychain. Lanyard
/// counts them and never shows them.
package struct UnusedLogins: Sendable {
    /// The file that contains them.
    package let path: String
    /// Their number when they were found.
    let count: Int
    /// Whether the file has docker's format; else each line is a login.
    let isOfDocker: Bool
    /// The consequence of leaving them there.
    let meaning: String

    /// Fails for a file without logins, or an unreadable one.
    init?(in path: String, isOfDocker: Bool, meaning: String) {
        self.path = path
        self.isOfDocker = isOfDocker
        self.meaning = meaning
        count = UnusedLogins.count(in: path, isOfDocker: isOfDocker)
        if count == 0 {
            return nil
        }
    }

    /// A note for the user, one line.
    package var note: String { "'\(path)' contains logins in plain text (\(count)): \(meaning)" }

    /// Whether the file still contains all of them.
    package var areStillThere: Bool {
        UnusedLogins.count(in: path, isOfDocker: isOfDocker) >= count
    }

    private static func count(in path: String, isOfDocker: Bool) -> Int {
        isOfDocker ? PlainTextLogins.registries(path) : PlainTextLogins.lines(path)
    }
}
