internal import KeychainServices

/// A file that a plan changes.
package struct FileChange: Sendable {
    /// The kind of change.
    package enum Kind: Hashable, Sendable {
        /// It is created.
        case create
        /// Some of its lines change.
        case change
        /// It was created by the setup and is removed again.
        case remove
    }

    /// The file's path as the tool names it, possibly a symbolic link.
    package let path: String
    /// The effects for the tool's user, one line each.
    package let summary: [String]
    /// The lines that change, the old ones after `-`, the new ones after `+`.
    package let lines: [String]

    /// The file's current bytes, nil if it does not exist.
    let before: FileBytes?
    /// The file's new bytes, nil to remove it.
    let after: FileBytes?
    /// The record for an undo; nil when undoing.
    let entry: SetupRecord.Entry?
    /// The bytes that an undo restores, nil if the file did not exist.
    let original: FileBytes?
    /// How to write the file.
    let style: FileStyle

    /// The kind of change.
    package var kind: Kind {
        if before == nil {
            return .create
        }
        return after == nil ? .remove : .change
    }
}

/// How a tool wants its file written.
enum FileStyle: Sendable {
    /// By git's rule: the new bytes go to `FILE.lock`, which also keeps git from writing, and everyone may
    /// read a new file.
    case git
    /// By git's rule, but a new file is private.
    case gitLogins
    /// A new file is private.
    case secret
    /// A symbolic link; its bytes are the path that it leads to.
    case link
    /// A new file is a program.
    case program

    /// A new file's permissions.
    var permissions: UInt32 {
        switch self {
        case .git: 0o644
        case .gitLogins, .secret, .link: 0o600
        case .program: 0o755
        }
    }

    /// Whether to take git's lock.
    var isGits: Bool { self == .git || self == .gitLogins }
}
