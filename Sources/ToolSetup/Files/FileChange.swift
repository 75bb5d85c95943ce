/// A file that a plan changes.
public struct FileChange: Sendable {
    /// What becomes of the file.
    public enum Kind: Hashable, Sendable {
        /// There is none; it is made.
        case create
        /// Some of its lines change.
        case change
        /// It was made by the setup and goes away again.
        case remove
    }

    /// The file's path, as the tool names it: behind it may be a symbolic link.
    public let path: String
    /// What changes for the tool's user, one line each.
    public let summary: [String]
    /// The lines that change, the old ones after `-`, the new ones after `+`.
    public let lines: [String]

    /// The file's bytes now, nil if there is none.
    let before: [UInt8]?
    /// The file's bytes then, nil for none.
    let after: [UInt8]?
    /// What is kept about it, so that it can be undone; nil when it is undone.
    let entry: SetupRecord.Entry?
    /// The bytes that an undo restores, nil if there was no file.
    let original: [UInt8]?
    /// How the file is written.
    let style: FileStyle

    /// What becomes of the file.
    public var kind: Kind {
        if before == nil {
            return .create
        }
        return after == nil ? .remove : .change
    }
}

/// How a tool wants its file written.
enum FileStyle: Sendable {
    /// By git's rule: the new bytes are written to `FILE.lock`, which also keeps git from writing,
    /// and a new file can be read by all.
    case git
    /// By git's rule, and a new file is its owner's alone.
    case gitLogins
    /// A new file is its owner's alone.
    case secret

    /// A new file's permissions.
    var permissions: UInt32 { self == .git ? 0o644 : 0o600 }

    /// Whether git's lock is taken.
    var isGits: Bool { self != .secret }
}
