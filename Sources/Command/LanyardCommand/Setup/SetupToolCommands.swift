internal import ArgumentParser
internal import Glibc
internal import LanyardPrompting
internal import KeychainServices
internal import ToolSetup

/// `lanyard setup git`.
struct SetupGitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "git", abstract: "Set git up, in its global configuration."
    ).examples(
        "lanyard setup git --dry-run",
        "lanyard setup git")

    @OptionGroup var options: SetupOptions

    func run() throws {
        try options.run(.git)
    }
}

/// `lanyard setup docker`.
struct SetupDockerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "docker", abstract: "Set docker up, and podman, skopeo and buildah.",
        aliases: ["podman", "skopeo", "buildah"]
    ).examples(
        "lanyard setup docker",
        "lanyard setup docker --undo")

    @OptionGroup var options: SetupOptions

    func run() throws {
        try options.run(.docker)
    }
}

/// The options of every setup.
struct SetupOptions: ParsableArguments {
    @Flag(name: .customLong("yes"), help: "Don't ask.")
    var isAgreed = false
    @Flag(name: .customLong("dry-run"), help: "Only show what would change.")
    var isDryRun = false
    @Flag(name: .customLong("undo"), help: "Put everything back to how it was before the setup.")
    var isUndo = false

    /// Shows the changes, and applies them.
    ///
    /// - Parameters:
    ///   - names: What the tool is set up for, where its settings name that.
    ///   - next: The commands that the tool still needs.
    func run(
        _ tool: Tool, names: [String] = [], next: [String] = []
    ) throws(KeychainError) {
        if isUndo {
            return try undo(tool)
        }
        try apply(ToolSetup(tool, try SetupEnvironment(), names: names), next: next)
    }

    /// Whether there is a user to ask: a script with its own input has none.
    private var mayAsk: Bool { !isAgreed && isatty(0) == 1 && canAskAtTerminal() }

    /// Asks at a terminal before a setup changes something.
    ///
    /// - Throws: ``Status/userCanceled`` without consent.
    func askToChange() throws(KeychainError) {
        guard mayAsk else {
            return
        }
        guard try askYesOrNo("make these changes?", hint: "add --yes") else {
            throw KeychainError(.userCanceled, "nothing was changed")
        }
    }

    /// Undoes the setup of a tool.
    func undo(_ tool: Tool, asJSON: Bool = false) throws(KeychainError) {
        try SetupUndo([tool], try SetupEnvironment()).run(
            isDryRun: isDryRun, asJSON: asJSON,
            nothing: "there is no setup of \(tool.name) to undo")
    }

    /// Shows the changes of a setup, and applies them. Then it offers to move the logins that the tool no longer reads.
    ///
    /// - Parameters:
    ///   - next: The commands that the tool still needs.
    ///   - prepare: What comes before the changes, but not in a dry run.
    func apply(
        _ setup: ToolSetup, asJSON: Bool = false, next: [String] = [],
        after prepare: (SetupPlan) throws(KeychainError) -> Void = { _ in }
    ) throws(KeychainError) {
        let plan = try setup.partialPlan()
        if asJSON {
            try writeAnswer(SetupPlan.json([plan]))
        } else {
            var screen = Screen()
            plan.add(to: &screen)
            screen.add("next", next)
            if isDryRun, !plan.isEmpty {
                screen.addDryRun()
            }
            try screen.show()
        }
        if !isDryRun {
            if !asJSON, !plan.isEmpty {
                try askToChange()
            }
            try prepare(plan)
            try setup.apply(plan)
            try setup.finish(plan)
            if !asJSON, mayAsk, !plan.unusedLogins.isEmpty {
                let offer = PlainTextOffer(files: plan.unusedLogins.map(\.file), isAgreed: false)
                if let failure = try offer.make() {
                    throw failure
                }
            }
        }
        if let failure = plan.failure {
            throw failure
        }
    }
}
