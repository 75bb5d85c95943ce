/// What setting a tool up, or undoing that, would change. Nothing in it holds a secret: of the
/// files only the lines that change are shown, and of other programs' commands the first word.
public struct SetupPlan: Sendable {
    /// Which way the plan goes.
    public enum Direction: Hashable, Sendable {
        case setUp, undo
    }

    /// The tool.
    public let tool: Tool
    /// Which way it goes.
    public let direction: Direction
    /// The files that change, in the order in which they are changed.
    public let changes: [FileChange]
    /// What a person should know besides, one line each.
    public let notes: [String]
    /// The logins that the tool no longer uses then, unless they are moved into the keychain.
    public let unusedLogins: [UnusedLogins]

    /// Whether no file changes. An empty undo is still to be applied: it forgets the setup.
    public var isEmpty: Bool { changes.isEmpty }
}
