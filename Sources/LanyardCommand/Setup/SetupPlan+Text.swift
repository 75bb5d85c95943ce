internal import ToolSetup

extension SetupPlan {
    /// Returns the plan for users, without an offer to move logins.
    func lines(isDryRun: Bool) -> [String] {
        lines(isDryRun: isDryRun, notes: notes + unusedLogins.map(\.note))
    }

    /// Returns the plan for users with these notes.
    func lines(isDryRun: Bool, notes: [String]) -> [String] {
        var lines = lines(notes: notes)
        if isEmpty {
            lines.append(
                direction == .setUp
                    ? "\(tool.rawValue) is set up: nothing to change"
                    : "nothing of the setup is left to undo")
        } else if isDryRun {
            lines.append("nothing was changed: this was a dry run")
        }
        return lines
    }

    /// Returns the changes and the notes.
    private func lines(notes: [String]) -> [String] {
        var lines: [String] = []
        for change in changes {
            lines.append("\(change.kind.verb) \(change.path)")
            lines += change.summary.map { "    \($0)" }
            // A tab is harmless on a terminal, but would be shown as a control character.
            lines += change.lines.map { "    \($0.replacing("\t", with: "    "))" }
        }
        return lines + notes.map { "note: \($0)" }
    }
}

extension FileChange.Kind {
    /// The verb for the file's change.
    var verb: String {
        switch self {
        case .create: "make"
        case .change: "change"
        case .remove: "remove"
        }
    }
}
