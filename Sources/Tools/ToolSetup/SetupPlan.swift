package import KeychainServices

/// The changes of setting up a tool, or of undoing that. It contains no secret: of files it shows only the
/// changed lines, of other programs' commands the first word.
package struct SetupPlan: Sendable {
    /// Whether the plan sets up or undoes.
    package enum Direction: Hashable, Sendable {
        case setUp, undo
    }

    /// The tool.
    package let tool: Tool
    /// Whether it sets up or undoes.
    package let direction: Direction
    /// The files to change, in order.
    package let changes: [FileChange]
    /// Whether none of the tool's programs is on the PATH.
    package let isToolMissing: Bool
    /// Further notes for the user, one line each.
    package let notes: [String]
    /// The logins that the tool will stop using unless they move to the keychain.
    package let unusedLogins: [UnusedLogins]
    /// Why a part of the tool can't be set up: the changes are those of the others.
    package var failure: KeychainError?

    /// Whether no file changes. Applying an empty undo still matters: it forgets the setup.
    package var isEmpty: Bool { changes.isEmpty }
}
