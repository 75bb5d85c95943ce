internal import LanyardPrompting
internal import KeychainServices
internal import ToolCatalog
internal import ToolHelpers
internal import ToolSetup

/// `lanyard setup --undo`: reverts the changes of setups, and restores moved logins. If a tool fails, its setup
/// stays in force as far as the error says, and the others are undone.
final class SetupUndo {
    private let tools: [Tool]
    private let environment: SetupEnvironment
    /// The keychain, nil if it can't be opened.
    private let keychain: Keychain?
    /// The files with moved logins, as stored in the keychain.
    private let files: MovedFiles?
    private let moved: [MovedFile]
    /// The tools that failed, with an error that says what of the setup is undone.
    private var failures: [(tool: Tool, error: KeychainError)] = []

    /// Finds the changes to undo for some tools.
    init(_ tools: [Tool], _ environment: SetupEnvironment) {
        self.tools = tools
        self.environment = environment
        do throws(KeychainError) {
            let keychain = try OpenKeychains(nil).keychain
            let files = MovedFiles(in: keychain, environment)
            moved = try files.all().filter { tools.contains($0.tool) }
            self.keychain = keychain
            self.files = files
        } catch {
            // The changes in the tools' own files are still undone.
            printWarning("can't tell what a setup moved into the keychain: \(error.reason)")
            keychain = nil
            files = nil
            moved = []
        }
    }

    /// Undoes the setup. Nothing changes if the moved logins can't be read now.
    ///
    /// - Parameter nothing: The message if there is no setup.
    /// - Throws: ``Status/itemNotFound`` without a setup, the error of a tool that failed.
    func run(
        isDryRun: Bool, asJSON: Bool, nothing: String
    ) throws(KeychainError) {
        var unchanged: [MovedFile] = []
        var restored: [MovedFile] = []
        var merged: [MovedFile] = []
        for file in moved {
            attempt(file.tool) { () throws(KeychainError) in
                switch try file.state() {
                // A file that was moved twice gets its latest content.
                case .unchanged where !unchanged.contains(where: { $0.path == file.path }):
                    unchanged.append(file)
                // Another keychain is a copy of this one.
                case .unchanged where unchanged.contains { $0.isSame(as: file) },
                    .restored:
                    restored.append(file)
                case .unchanged, .changed:
                    file.canBeMerged ? merged.append(file) : warn(of: file)
                }
            }
        }
        var originals = isDryRun ? [] : try originals(unchanged)
        // What a file no longer has is not forgotten.
        var forgotten = unchanged + restored
        for file in isDryRun ? [] : merged {
            for original in try self.originals([file], areMerged: true) {
                originals.append(original)
                attempt(file.tool) { () throws(KeychainError) in
                    let others = try original.others
                    others.isEmpty ? forgotten.append(file) : warn(of: file, others)
                }
            }
        }
        var plans: [SetupPlan] = []
        for tool in tools {
            attempt(tool) { () throws(KeychainError) in
                if let plan = try plan(tool, restoring: originals.filter { $0.tool == tool }) {
                    plans.append(plan)
                }
            }
        }
        // A file that is restored, but still in the keychain, is left of an undo that failed.
        let isNothing = plans.isEmpty && forgotten.isEmpty && (!isDryRun || merged.isEmpty)
        guard !isNothing || !failures.isEmpty else {
            throw KeychainError(.itemNotFound, nothing)
        }
        try show(plans, isDryRun ? unchanged + merged : [], isDryRun: isDryRun, asJSON: asJSON)
        if !isDryRun {
            for plan in plans {
                attempt(plan.tool) { () throws(KeychainError) in
                    try ToolSetup(plan.tool, environment).apply(plan)
                }
            }
            for file in forgotten {
                let result = "undone, but the keychain still has '\(file.path)' as it was"
                attempt(file.tool, orElse: result) { () throws(KeychainError) in
                    try files?.forget(file)
                }
            }
            for plan in plans {
                let result = "undone in its files, but not in running programs"
                attempt(plan.tool, orElse: result) { () throws(KeychainError) in
                    try ToolSetup(plan.tool, environment).finish(plan)
                }
            }
            hintAtLogins(of: plans.map(\.tool).filter { !hasFailed($0) })
        }
        try checkFailures()
    }

    /// Says how to get the logins that tools have in the keychain, which they no longer ask.
    private func hintAtLogins(of undone: [Tool]) {
        for tool in undone {
            for command in secretCommands(of: tool) {
                printHint("the keychain still has the secret of \(tool.name): \(command)")
            }
        }
        let left = undone.filter { tool in
            guard let keychain, let format = SetupUndo.format(of: tool) else {
                return false
            }
            var attributes = ItemAttributes()
            attributes.accessGroup = format.accessGroup
            return [ItemClass.internetPassword, .genericPassword].contains { itemClass in
                let logins = try? keychain.attributes(of: Query(itemClass, attributes))
                return logins?.isEmpty == false
            }
        }
        guard !left.isEmpty else {
            return
        }
        let names = left.map(\.name).joined(separator: ", ")
        printHint(
            "the keychain still has logins of \(names); to write them to a file: lanyard export --plain-text FILE"
        )
    }

    /// Returns the format of a tool, or that of the helper with a program's name: npm's logins are for pnpm's.
    private static func format(of tool: Tool) -> ToolFormat? {
        guard case .program(let program) = tool else {
            return tool.format
        }
        return ToolProfile(program: program).flatMap { ToolFormat(name: $0.name) }
    }

    /// Returns the commands that show the secrets of a program, none for another tool.
    private func secretCommands(of tool: Tool) -> [String] {
        guard case .program(let program) = tool, let profile = ToolProfile(program: program),
            let keychain
        else {
            return []
        }
        var attributes = ItemAttributes()
        attributes.accessGroup = SecretLookup.groupOfReferences
        let items = try? keychain.attributes(of: Query(.genericPassword, attributes))
        return (items ?? []).filter { item in
            item.isNegative != true
                && profile.scope(inService: item.service?.description ?? "") != nil
        }.map { item in
            let words = [item.service, item.account].compactMap { $0?.description }
            return (["lanyard", "get"] + words.filter { !$0.isEmpty }.map(\.shellWord))
                .joined(separator: " ")
        }
    }

    private func hasFailed(_ tool: Tool) -> Bool { failures.contains { $0.tool == tool } }

    /// Does a part of the undo, unless its tool has failed before.
    ///
    /// - Parameter result: What the setup is if the part fails.
    private func attempt(
        _ tool: Tool, orElse result: String = SetupUndo.notUndone,
        _ part: () throws(KeychainError) -> Void
    ) {
        guard !hasFailed(tool) else {
            return
        }
        do throws(KeychainError) {
            try part()
        } catch {
            fail(tool, result, error)
        }
    }

    private static let notUndone = "not undone"

    private func fail(_ tool: Tool, _ result: String, _ error: KeychainError) {
        let reason = "the setup of \(tool.name) is \(result): \(error.reason)"
        failures.append((tool, KeychainError(error.status, reason, hint: error.hint)))
    }

    /// - Throws: The error of the last tool that failed; the others are printed.
    private func checkFailures() throws(KeychainError) {
        let errors = failures.map(\.error)
        errors.dropLast().forEach(printError)
        if let last = errors.last {
            throw last
        }
    }

    private func show(
        _ plans: [SetupPlan], _ moved: [MovedFile], isDryRun: Bool, asJSON: Bool
    ) throws(KeychainError) {
        guard !asJSON else {
            return try writeAnswer(SetupPlan.json(plans))
        }
        var screen = Screen()
        for file in moved {
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

    /// Reads the original files, all of them before anything changes.
    private func originals(
        _ moved: [MovedFile], areMerged: Bool = false
    ) throws(KeychainError) -> [RestoredFile] {
        var originals: [RestoredFile] = []
        for file in moved {
            do throws(KeychainError) {
                if let original = try files?.original(file) {
                    originals.append(
                        RestoredFile(file, original: original, isMerged: areMerged))
                }
            } catch  where [.decode, .itemNotFound].contains(error.status) {
                fail(file.tool, SetupUndo.notUndone, error)
            }
        }
        return originals
    }

    /// Returns the plan of a tool, nil without a setup. The bytes of a moved file that a setup changed otherwise,
    /// too, are first stored in the setup's record, from which this undo or a later one restores them.
    private func plan(
        _ tool: Tool, restoring originals: [RestoredFile]
    ) throws(KeychainError) -> SetupPlan? {
        let copies = SetupCopies(environment)
        var restored: [RestoredFile] = []
        for file in originals {
            let isCopied = file.isMerged ? false : try copies.restore(file)
            restored += isCopied ? [] : [file]
        }
        do throws(KeychainError) {
            return try ToolSetup(tool, environment).undoPlan(restoring: restored)
        } catch  where error.status == .itemNotFound {
            return nil
        }
    }

    private func warn(of file: MovedFile, _ registries: [String]) {
        let names = registries.map { "'\($0)'" }.joined(separator: ", ")
        printWarning("'\(file.path)' has new logins for \(names): they stay")
        hintAtOriginal(of: file)
    }

    /// Says where the file is as it was, and how to end the warning: each undo repeats it while the keychain has the file.
    private func hintAtOriginal(of file: MovedFile) {
        let remove = "lanyard remove\(file.getCommand.dropFirst("lanyard get".count))"
        printHint("the file as it was: \(file.getCommand); without it this warning ends: \(remove)")
    }

    private func warn(of file: MovedFile) {
        printWarning(
            "'\(file.path)' has changed since a setup moved its logins: they are not restored")
        hintAtOriginal(of: file)
    }
}
