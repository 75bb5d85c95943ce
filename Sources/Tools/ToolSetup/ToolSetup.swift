package import KeychainServices
internal import LinuxSystem

/// Sets a tool up to store its logins in lanyard, and undoes that: first it makes a plan to show the user,
/// then it applies it.
package struct ToolSetup: Sendable {
    /// The tool.
    package let tool: Tool
    /// Whether another Secret Service may lose its place and keep its items.
    package var leavesItemsOfOthers = false
    private let names: [String]
    /// Locates its files.
    let environment: SetupEnvironment
    /// Stores the record of changes.
    let records: RecordFolder

    /// Creates a setup of a tool in an environment.
    ///
    /// - Parameter names: The names of what the tool is set up for, where its settings name each: profiles of aws,
    ///   vault IDs of ansible, registries of pnpm, users of kubectl, the account of a shim.
    package init(_ tool: Tool, _ environment: SetupEnvironment, names: [String] = []) {
        self.tool = tool
        self.names = names
        self.environment = environment
        records = RecordFolder(environment)
    }

    /// The programs that have a shim, sorted by name.
    package static func programs(_ environment: SetupEnvironment) -> [Tool] {
        RecordFolder(environment).programs
    }

    /// Whether a program is a shim.
    package static func isShim(at path: String) -> Bool { ShimSetup.isShim(at: path) }

    /// Whether the shell finds a program's shim before the program itself.
    package static func startsShim(_ program: String, _ environment: SetupEnvironment) -> Bool {
        environment.path(ofProgram: program).map(isShim) ?? false
    }

    /// Returns the folder of a program's shim, nil without one.
    package static func folderOfShim(
        _ program: String, _ environment: SetupEnvironment
    ) -> String? {
        guard let folder = try? ShimSetup(environment: environment, program: program).folder(),
            let bytes = (try? TargetFile("\(folder)/\(program)"))?.bytes,
            ShimSetup.isShim(bytes)
        else {
            return nil
        }
        return folder
    }

    /// Returns the programs among these that have no shim.
    package static func withoutShim(
        _ programs: [String], _ environment: SetupEnvironment
    ) -> [String] {
        programs.filter {
            !startsShim($0, environment) && folderOfShim($0, environment) == nil
        }
    }

    /// Plans the setup, with no changes if the tool is set up already. It has checked for every obstacle.
    ///
    /// - Throws: ``Status/notAvailable`` if git is missing or does not answer, ``Status/decode`` for a
    ///   configuration that its own tool can't read, ``Status/writePermissions``, ``Status/readOnly``,
    ///   ``Status/databaseLocked``, ``Status/param``, ``Status/io``.
    package func plan() throws(KeychainError) -> SetupPlan {
        let plan = try partialPlan()
        if let failure = plan.failure {
            throw failure
        }
        return plan
    }

    /// Plans the setup as far as possible: if docker's configuration has an obstacle, podman, skopeo and buildah can still be
    /// set up.
    ///
    /// - Throws: As ``plan()``, if nothing can be set up.
    package func partialPlan() throws(KeychainError) -> SetupPlan {
        let record = try records.record(tool)
        var proposal = Proposal(tool: tool, record: record, records: records)
        var failure: KeychainError?
        switch tool {
        case .git:
            try GitSetup(environment: environment).propose(&proposal)
        case .docker:
            do throws(KeychainError) {
                try DockerSetup(environment: environment).propose(&proposal)
            } catch {
                failure = error
            }
            try ContainersSetup(environment: environment).propose(&proposal)
            if let failure, proposal.changes.isEmpty {
                throw failure
            }
        case .secretService:
            var setup = SecretServiceSetup(environment: environment)
            setup.leavesItems = leavesItemsOfOthers
            try setup.propose(&proposal)
        case .kubectl: try KubectlSetup(names, environment).propose(&proposal)
        case .program(let name):
            try ShimSetup(environment: environment, program: name, account: names.first)
                .propose(&proposal)
        case .settings(let name):
            try SettingsSetup(name, names, environment)?.propose(&proposal)
        }
        try check(proposal.changes)
        return SetupPlan(
            tool: tool, direction: .setUp, changes: proposal.changes,
            isToolMissing: proposal.isToolMissing, notes: proposal.notes,
            unusedLogins: proposal.unusedLogins, failure: failure)
    }

    /// Makes running programs follow an applied plan. Only the Secret Service runs already.
    ///
    /// - Throws: ``Status/notAvailable`` if a program does not do it. The files have changed then.
    package func finish(_ plan: SetupPlan) throws(KeychainError) {
        if tool == .secretService {
            try SecretServiceSetup(environment: environment).finish(plan.direction)
        }
    }

    /// Plans the undo of the setup. A file that has changed since keeps its changes and only loses the
    /// insertion.
    ///
    /// - Parameter restored: Files that get their logins back; those that only the setup changed otherwise get
    ///   them through ``SetupCopies/restore(_:)``.
    /// - Throws: ``Status/itemNotFound`` without a setup to undo, and as ``plan()`` does.
    package func undoPlan(
        restoring restored: [RestoredFile] = []
    ) throws(KeychainError) -> SetupPlan {
        let record = try records.record(tool)
        guard !record.entries.isEmpty || !restored.isEmpty else {
            throw KeychainError(.itemNotFound, "there is no setup of \(tool.name) to undo")
        }
        var changes: [FileChange] = []
        var notes: [String] = []
        // An undo reverses the order of changes.
        for entry in record.entries.reversed() {
            let original = try records.original(entry, tool)
            let file = try TargetFile(entry.path, entry.insertion.style)
            let after = try entry.undone(file.bytes, original: original)
            if after == file.bytes {
                notes.append("'\(entry.path)' holds nothing of the setup")
                continue
            }
            changes.append(
                FileChange(undoing: entry, file.bytes, after, original: original))
        }
        for file in restored {
            let index = changes.firstIndex { PrivatePlace.areSame($0.path, file.path) }
            let change = try file.change(
                of: try TargetFile(file.path), after: index.map { changes[$0] })
            if let index {
                changes.remove(at: index)
            }
            changes += [change].compactMap(\.self)
        }
        guard !changes.isEmpty || !isSetUp else {
            throw KeychainError(
                .notAvailable, "\(notes.joined(separator: "; ")), but \(tool.name) uses lanyard",
                hint: tool == .git
                    ? "git config --show-origin --get-all credential.helper"
                    : "remove lanyard from the other configuration of \(tool.name)")
        }
        try check(changes)
        return SetupPlan(
            tool: tool, direction: .undo, changes: changes, isToolMissing: false, notes: notes,
            unusedLogins: [])
    }

    /// Whether the tool uses lanyard now.
    private var isSetUp: Bool {
        guard let plan = try? plan() else {
            return false
        }
        return plan.isEmpty && !plan.isToolMissing
    }

    /// Applies a plan's changes: all of them, or none if one fails. If another process has applied the same ones
    /// meanwhile, nothing is left to do.
    ///
    /// - Throws: ``Status/databaseLocked`` if a file has changed otherwise since the plan was made, or while another
    ///   process applies a plan, and as ``plan()`` does.
    package func apply(_ plan: SetupPlan) throws(KeychainError) {
        precondition(plan.tool == tool)
        try check(plan.changes)
        guard plan.direction == .undo || !plan.isEmpty else {
            return
        }
        let lock = try records.lock()
        defer { extendLifetime(lock) }
        let old = try records.record(tool)
        // Another process may have had the lock since the plan was made.
        guard try !isApplied(plan, old) else {
            return
        }
        for change in plan.changes {
            try TargetFile(change.path, change.style).expect(change.before)
        }
        switch plan.direction {
        case .setUp: try setUp(plan, old)
        case .undo: try undo(plan, old)
        }
    }

    /// Whether all files are as a plan would leave them, and the record is, too.
    private func isApplied(
        _ plan: SetupPlan, _ record: SetupRecord
    ) throws(KeychainError) -> Bool {
        for change in plan.changes
        where try TargetFile(change.path, change.style).bytes != change.after {
            return false
        }
        return !plan.isEmpty && record.entries.isEmpty == (plan.direction == .undo)
    }

    /// - Parameter old: The record of earlier setups.
    private func setUp(_ plan: SetupPlan, _ old: SetupRecord) throws(KeychainError) {
        let new = old.updated(with: plan.changes.compactMap(\.entry))
        for change in plan.changes {
            if let original = change.original {
                try records.keepCopy(original, tool)
            }
        }
        try records.keep(new, tool)
        var begun = 0
        do throws(KeychainError) {
            try changeFiles(plan.changes, begun: &begun)
        } catch {
            // If a file could not be restored, the record remains and an undo repairs it.
            if putBack(plan.changes.prefix(begun)) {
                try? records.keep(old, tool)
                try? records.removeCopies(of: new, keeping: old, tool)
            }
            throw error
        }
        try records.removeCopies(of: old, keeping: new, tool)
    }

    private func undo(_ plan: SetupPlan, _ old: SetupRecord) throws(KeychainError) {
        var begun = 0
        do throws(KeychainError) {
            try changeFiles(plan.changes, begun: &begun)
        } catch {
            _ = putBack(plan.changes.prefix(begun))
            throw error
        }
        for entry in old.entries.reversed() {
            try removeFolders(
                entry.folders, above: entry.path, entry.insertion.style)
        }
        try records.keep(SetupRecord(entries: []), tool)
        try records.removeCopies(of: old, keeping: SetupRecord(entries: []), tool)
        try? SystemCalls.removeFolder(records.path)
    }

    private func check(_ changes: [FileChange]) throws(KeychainError) {
        for change in changes {
            do throws(KeychainError) {
                try TargetFile(change.path, change.style).checkReplaceable(change.style)
            } catch {
                let variable = environment.variable(leadingTo: change.path)
                throw KeychainError(
                    error.status, error.reason,
                    hint: error.hint
                        ?? variable.map {
                            "\($0) leads there: set it to a place that you can write, or unset it"
                        })
            }
        }
    }

    /// - Parameter begun: The number of files that this process may have changed.
    private func changeFiles(
        _ changes: [FileChange], begun: inout Int
    ) throws(KeychainError) {
        for change in changes {
            begun += 1
            try TargetFile(change.path, change.style)
                .replace(change.before, with: change.after, change.style)
        }
    }

    /// Restores the files that a failed plan has changed, and returns whether it succeeded.
    private func putBack(_ changes: ArraySlice<FileChange>) -> Bool {
        var isPutBack = true
        for change in changes.reversed() {
            do throws(KeychainError) {
                let file = try TargetFile(change.path, change.style)
                if file.bytes == change.after, file.bytes != change.before {
                    try file.replace(change.after, with: change.before, change.style)
                }
                try removeFolders(change.entry?.folders ?? [], above: change.path, change.style)
            } catch {
                isPutBack = false
            }
        }
        return isPutBack
    }

    /// Removes the folders that were created for a file, if the file is gone and they are empty.
    private func removeFolders(
        _ folders: [String], above path: String, _ style: FileStyle
    ) throws(KeychainError) {
        guard try TargetFile(path, style).bytes == nil else {
            return
        }
        for folder in folders.reversed() {
            try? SystemCalls.removeFolder(folder)
        }
    }
}
