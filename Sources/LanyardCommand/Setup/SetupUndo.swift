internal import Prompting
internal import KeychainServices
internal import ToolSetup

/// `lanyard setup --undo`: reverts the changes of setups, and restores moved logins.
struct SetupUndo {
    private let tools: [Tool]
    private let environment: SetupEnvironment
    /// The files with moved logins, as stored in the keychain; nil if it can't be opened.
    private let files: MovedFiles?
    private let moved: [MovedFile]

    /// Finds the changes to undo for some tools.
    init(_ tools: [Tool], _ environment: SetupEnvironment) {
        self.tools = tools
        self.environment = environment
        do throws(KeychainError) {
            let files = MovedFiles(in: try OpenKeychains(nil).keychain, environment)
            moved = try files.all().filter { tools.contains($0.tool) }
            self.files = files
        } catch {
            // The changes in the tools' own files are still undone.
            printWarning("can't tell what a setup moved into the keychain: \(error.reason)")
            files = nil
            moved = []
        }
    }

    /// Undoes the setup. Nothing changes if the moved logins can't be read now.
    ///
    /// - Parameter nothing: The message if there is no setup.
    /// - Throws: ``Status/itemNotFound`` without a setup, errors of undoing it.
    func run(
        isDryRun: Bool, asJSON: Bool, nothing: String
    ) async throws(KeychainError) {
        var unchanged: [MovedFile] = []
        var restored: [MovedFile] = []
        for file in moved {
            switch try file.state() {
            // A file that was moved twice gets its latest content.
            case .unchanged where !unchanged.contains(where: { $0.path == file.path }):
                unchanged.append(file)
            case .restored: restored.append(file)
            case .unchanged, .changed: warn(of: file)
            }
        }
        let plans = try plans(isDryRun ? [:] : try originals(unchanged))
        guard !plans.isEmpty || !unchanged.isEmpty else {
            throw KeychainError(.itemNotFound, nothing)
        }
        if asJSON {
            try writeAnswer(SetupPlan.json(plans))
        } else {
            var screen = Screen()
            for file in unchanged where isDryRun {
                screen.add("restore", file.path, RestoredFile.summary)
            }
            for plan in plans {
                plan.add(to: &screen)
            }
            if isDryRun {
                screen.addDryRun()
            }
            try screen.show()
        }
        guard !isDryRun else {
            return
        }
        for plan in plans {
            try ToolSetup(plan.tool, environment).apply(plan)
        }
        for file in unchanged + restored {
            try files?.forget(file)
        }
        for plan in plans {
            try await ToolSetup(plan.tool, environment).finish(plan)
        }
    }

    /// Returns the original files. Those that a setup changed otherwise, too, get their bytes back when
    /// that is undone.
    private func originals(_ unchanged: [MovedFile]) throws(KeychainError) -> [Tool: [RestoredFile]]
    {
        var originals: [(Tool, RestoredFile)] = []
        for file in unchanged {
            if let original = try files?.original(file) {
                originals.append((file.tool, RestoredFile(file, original: original)))
            }
        }
        // All of them are readable.
        let copies = SetupCopies(environment)
        var restored: [Tool: [RestoredFile]] = [:]
        for (tool, file) in originals where try !copies.restore(file) {
            restored[tool, default: []].append(file)
        }
        return restored
    }

    private func plans(
        _ restored: [Tool: [RestoredFile]]
    ) throws(KeychainError) -> [SetupPlan] {
        var plans: [SetupPlan] = []
        for tool in tools {
            do throws(KeychainError) {
                plans.append(
                    try ToolSetup(tool, environment).undoPlan(restoring: restored[tool] ?? []))
            } catch {
                guard error.status == .itemNotFound else {
                    throw error
                }
            }
        }
        return plans
    }

    private func warn(of file: MovedFile) {
        printWarning(
            "'\(file.path)' has changed since a setup moved its logins: they are not restored")
        printHint("the file as it was: \(file.getCommand)")
    }
}
