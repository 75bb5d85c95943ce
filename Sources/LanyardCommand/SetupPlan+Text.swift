internal import ToolSetup

extension SetupPlan {
    /// What a person is told of it.
    func lines(isDryRun: Bool) -> [String] {
        var lines = changeLines
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

    /// The changes and the notes.
    var changeLines: [String] {
        var lines: [String] = []
        for change in changes {
            lines.append("\(change.kind.verb) \(change.path)")
            lines += change.summary.map { "    \($0)" }
            // A tab is no command to a terminal, but would be shown as one.
            lines += change.lines.map { "    \($0.replacing("\t", with: "    "))" }
        }
        return lines + notes.map { "note: \($0)" }
    }
}

extension FileChange.Kind {
    /// What is done to the file.
    var verb: String {
        switch self {
        case .create: "make"
        case .change: "change"
        case .remove: "remove"
        }
    }
}
