internal import ArgumentParser
internal import HelperKit
internal import Keychain
internal import ToolSetup

/// `lanyard setup`: tells tools to keep their logins here.
struct SetupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "setup", abstract: "Set a tool up to keep its logins in the keychain.",
        subcommands: [SetupGitCommand.self, SetupDockerCommand.self])
}

/// `lanyard setup git`.
struct SetupGitCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "git", abstract: "Set git up, in its global configuration.")

    @OptionGroup var options: SetupOptions

    func run() async throws {
        try await options.run(.git)
    }
}

/// `lanyard setup docker`.
struct SetupDockerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "docker", abstract: "Set docker up, and podman, skopeo and buildah.")

    @OptionGroup var options: SetupOptions

    func run() async throws {
        try await options.run(.docker)
    }
}

/// The options of setting a tool up.
struct SetupOptions: ParsableArguments {
    @Flag(name: .customLong("dry-run"), help: "Only show what would change.")
    var isDryRun = false
    @Flag(name: .customLong("undo"), help: "Put everything back as it was before the setup.")
    var isUndo = false

    /// Shows what changes, and changes it.
    func run(_ tool: Tool) async throws(KeychainError) {
        let setup = ToolSetup(tool, try SetupEnvironment())
        let plan: SetupPlan
        if isUndo {
            plan = try setup.undoPlan()
        } else {
            plan = try await setup.plan()
        }
        try writeAnswer(Secret(text(plan)))
        if !isDryRun {
            try setup.apply(plan)
        }
    }

    private func text(_ plan: SetupPlan) -> String {
        var lines: [String] = []
        for change in plan.changes {
            let verb =
                switch change.kind {
                case .create: "make"
                case .change: "change"
                case .remove: "remove"
                }
            lines.append("\(verb) \(change.path)")
            lines += change.summary.map { "    \($0)" }
            // A tab is no command to a terminal, but would be shown as one.
            lines += change.lines.map { "    \($0.replacing("\t", with: "    "))" }
        }
        lines += plan.notes.map { "note: \($0)" }
        if plan.isEmpty {
            lines.append(
                plan.direction == .setUp
                    ? "\(plan.tool.rawValue) is set up: nothing to change"
                    : "nothing of the setup is left to undo")
        } else if isDryRun {
            lines.append("nothing was changed: this was a dry run")
        }
        return lines.map { harmless($0) + "\n" }.joined()
    }
}
