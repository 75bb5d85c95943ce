/// Logins in plain text that a tool no longer uses when it is set up, unless they are moved into the
/// keychain. They are counted, never shown.
public struct UnusedLogins: Sendable {
    /// The file that holds them.
    public let path: String
    /// How many there were when this was found.
    let count: Int
    /// Whether the file has docker's form; else each line is a login.
    let isOfDocker: Bool
    /// What it means that they stay.
    let meaning: String

    /// Nil for a file without logins, or one that can't be read.
    init?(in path: String, isOfDocker: Bool, meaning: String) {
        self.path = path
        self.isOfDocker = isOfDocker
        self.meaning = meaning
        count = UnusedLogins.count(in: path, isOfDocker: isOfDocker)
        if count == 0 {
            return nil
        }
    }

    /// What a person should know, one line.
    public var note: String { "'\(path)' holds logins in plain text (\(count)): \(meaning)" }

    /// Whether all of them are still there.
    public var areStillThere: Bool {
        UnusedLogins.count(in: path, isOfDocker: isOfDocker) >= count
    }

    private static func count(in path: String, isOfDocker: Bool) -> Int {
        isOfDocker ? PlainTextLogins.registries(path) : PlainTextLogins.lines(path)
    }
}
