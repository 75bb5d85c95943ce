internal import KeychainServices
internal import ToolCatalog
internal import ToolHelpers

/// Sets up a tool that takes a helper's path in a text file: its ``ToolSettings`` have the lines.
struct SettingsSetup {
    let tool: any CatalogTool.Type
    let settings: ToolSettings
    /// What the setup is for: profiles of aws, vault IDs of ansible, registries of pnpm.
    let names: [String]
    let environment: SetupEnvironment

    /// - Returns: nil if the catalogue has no settings of such a tool.
    init?(_ name: String, _ names: [String], _ environment: SetupEnvironment) {
        guard let tool = CatalogTools.named(name), let settings = tool.settings else {
            return nil
        }
        self.tool = tool
        self.settings = settings
        self.names = names
        self.environment = environment
    }

    /// Adds the changes.
    ///
    /// - Throws: ``Status/param`` for a file that names another helper, and for names that don't fit.
    func propose(_ proposal: inout Proposal) throws(KeychainError) {
        let files = try files()
        for file in files {
            try propose(file, &proposal)
        }
        let programs = tool.format?.programs ?? []
        if let program = programs.first, !programs.contains(where: environment.finds) {
            proposal.isToolMissing = true
            proposal.notes.append("\(program) is not on the PATH")
        }
        proposal.notes += try notes(files)
        proposal.unusedLogins += try unusedLogins()
    }

    private func propose(
        _ settings: SettingsFile, _ proposal: inout Proposal
    ) throws(KeychainError) {
        let file = try TargetFile(settings.path)
        let current = SettingsText(file.bytes ?? "")
        guard !settings.sections.allSatisfy({ $0.isIn(current) || $0.isListed(in: current) }) else {
            return
        }
        let base = try proposal.base(file)
        var text = SettingsText(base ?? "")
        if let other = settings.kind != .settings && base != nil
            ? "the whole file" : settings.sections.lazy.compactMap({ $0.conflict(in: text) }).first
        {
            // A line that the user wrote may have arguments, for example.
            let isOwn = (tool.format?.helper).map { other.contains($0) } == true
            throw KeychainError(
                .param,
                "'\(file.path)' names "
                    + (isOwn
                        ? "lanyard's helper in another way" : "something other than lanyard")
                    + ": \(other)",
                hint: "remove that, or keep it and don't set \(tool.name) up")
        }
        for section in settings.sections {
            if let key = section.keyOutside(in: text), let header = section.header {
                throw KeychainError(
                    .param, "'\(file.path)' sets '\(key)' outside of a section \(header)",
                    hint: "move it below a line \(header)")
            }
        }
        let sections = settings.sections + earlier(proposal.record.entry(file.path), settings)
        for section in sections {
            text.add(section)
        }
        let lines = sections.filter { !$0.isIn(current) }
            .flatMap { [$0.header].compactMap(\.self) + $0.lines }
        try proposal.change(
            file, base: base, to: text.bytes,
            settings.kind == .settings ? .settings(sections) : .wholeFile(sections),
            summary: [settings.summary], lines: lines.map { "+\($0)" },
            settings.kind == .script ? .program : .secret)
    }

    /// Returns the lines of an earlier setup for other names, such as another profile of aws.
    private func earlier(
        _ entry: SetupRecord.Entry?, _ settings: SettingsFile
    ) -> [SettingsSection] {
        guard case .settings(let sections) = entry?.insertion else {
            return []
        }
        return sections.compactMap { section in
            let new = settings.sections.filter { $0.header == section.header }.flatMap(\.lines)
                .map { SettingsSection.key(FileBytes($0)) }
            let lines = section.lines.filter { !new.contains(SettingsSection.key(FileBytes($0))) }
            return lines.isEmpty ? nil : SettingsSection(header: section.header, lines: lines)
        }
    }

    /// Returns the names.
    ///
    /// - Throws: ``Status/param`` without any.
    func checkedNames() throws(KeychainError) -> [String] {
        guard let argument = settings.argument else {
            return []
        }
        guard !names.isEmpty else {
            throw KeychainError(
                .param, "missing \(argument.word)",
                hint: "lanyard setup \(tool.name) \(argument.valueName.uppercased())")
        }
        let others = "[]\"'#;,=@\\ ".utf8.filter { !argument.allowed.utf8.contains($0) }
        for name in names
        where name.isEmpty || name.utf8.contains(where: { $0 < 0x20 || others.contains($0) }) {
            throw KeychainError(.param, "invalid \(argument.word) '\(name)'")
        }
        return names
    }
}

extension SetupEnvironment {
    /// Returns the absolute path of a tool's helper, without characters that files and tools would split.
    ///
    /// - Throws: ``Status/notAvailable``; ``Status/param``.
    func helper(of tool: any CatalogTool.Type) throws(KeychainError) -> String {
        guard let name = tool.format?.helper else {
            throw KeychainError(.notAvailable, "\(tool.name) has no helper")
        }
        guard let path = path(ofNeighbour: name) ?? path(ofProgram: name) else {
            throw UnrunnableProgram(name, self)?.error
                ?? KeychainError(
                    .notAvailable, "\(name) is not on the PATH", hint: "install lanyard again")
        }
        return try unsplit(path, for: tool, hint: "install lanyard in another folder")
    }

    /// Returns a path that has no characters that files and tools would split.
    ///
    /// - Throws: ``Status/param``.
    func unsplit(
        _ path: String, for tool: any CatalogTool.Type, hint: String
    ) throws(KeychainError) -> String {
        let isPlain = path.utf8.allSatisfy { $0.isLetterOrDigit || "/._+-".utf8.contains($0) }
        guard isPlain else {
            throw KeychainError(
                .param, "the path '\(path)' has characters that \(tool.name) can't take",
                hint: hint)
        }
        return path
    }
}
