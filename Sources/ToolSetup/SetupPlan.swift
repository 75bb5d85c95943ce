/// The changes of setting up a tool, or of undoing that. It contains no secret: of files it shows only the
/// changed lines, of other programs' commands the first word.
public struct SetupPlan: Sendable {
    /// Whether the plan sets up or undoes.
    public enum Direction: Hashable, Sendable {
        case setUp, undo
    }

    /// The tool.
    public let tool: Tool
    /// Whether it sets up or undoes.
    public let direction: Direction
    /// The files to change, in order.
    public let changes: [FileChange]
    /// Whether none of the tool's programs is on the PATH.
    public let isToolMissing: Bool
    /// Further notes for the user, one line each.
    public let notes: [String]
    /// The logins that the tool will stop using unless they move to the keychain.
    public let unusedLogins: [UnusedLogins]

    /// Whether no file changes. Applying an empty undo still matters: it forgets the setup.
    public var isEmpty: Bool { changes.isEmpty }
}
