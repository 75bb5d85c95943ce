internal import ToolSetup

extension SetupPlan {
    /// Adds the changes for users to a screen, and the notes, without an offer to move logins.
    func add(to screen: inout Screen) {
        add(to: &screen, notes: notes + unusedLogins.map(\.note))
    }

    /// Adds the changes for users to a screen, and these notes.
    func add(to screen: inout Screen, notes: [String]) {
        for change in changes {
            // A tab is harmless on a terminal, but would be shown as a control character.
            let lines = change.lines.map { $0.replacing("\t", with: "    ") }
            screen.add(change.kind.label, [change.path] + change.summary + lines)
        }
        for note in notes {
            screen.add(.note, note)
        }
        if isEmpty, isToolMissing {
            screen.add(.note, "nothing to change for \(tool.name)")
        } else if isEmpty {
            screen.add(
                .good,
                direction == .setUp
                    ? "\(tool.name) is set up: nothing to change"
                    : "nothing of the setup is left to undo")
        }
    }
}

extension Screen {
    /// Says that nothing was changed.
    mutating func addDryRun() {
        add("dry run", "nothing was changed")
    }
}

extension FileChange.Kind {
    fileprivate var label: Screen.Label {
        switch self {
        case .create: "create"
        case .change: "change"
        case .remove: "remove"
        }
    }

    /// The verb for the file's change in JSON.
    var verb: String {
        switch self {
        case .create: "make"
        case .change: "change"
        case .remove: "remove"
        }
    }
}
