internal import KeychainServices
internal import LinuxSystem
internal import ToolCatalog

// What the catalogue says of the tool, here.
extension SettingsSetup {
    /// Returns the files of the tool with their absolute paths and the helper's.
    ///
    /// - Throws: ``Status/param``, ``Status/notAvailable``.
    func files() throws(KeychainError) -> [SettingsFile] {
        let helper = try environment.helper(of: tool)
        guard settings.argument != nil || names.isEmpty else {
            throw KeychainError(
                .param, "the setup of \(tool.name) takes no further names",
                hint: "lanyard setup \(tool.name)")
        }
        try refuseRivals()
        var files: [SettingsFile] = []
        for var file in settings.files {
            file.path = try place(of: file)
            if try isWritten(file), !files.contains(where: { $0.path == file.path }) {
                file.sections = file.sections.map { section in
                    SettingsSection(
                        header: section.header,
                        lines: section.lines.map { $0.replacing("HELPER", with: helper) })
                }
                files.append(file)
            }
        }
        return files + (try ownFiles(helper))
    }

    /// Returns the files that take more than lines of the catalogue.
    private func ownFiles(_ helper: String) throws(KeychainError) -> [SettingsFile] {
        switch tool.name {
        case AnsibleTool.name: [try ansibleFile(helper)]
        case AWSTool.name: [try awsFile(helper)]
        case GcloudTool.name: [try gcloudFile(helper)]
        case KeyringTool.name: try pythonBackend(helper)
        case PnpmTool.name: try pnpmFiles(helper)
        default: []
        }
    }

    private func place(of file: SettingsFile) throws(KeychainError) -> String {
        let path = try environment.place(of: file.path, tool.moves)
        guard let older = file.olderName.map({ "\(PrivatePlace.folder(of: path))/\($0)" }),
            (try? SystemCalls.statusBehindLinks(at: older))?.kind == .file
        else {
            return path
        }
        return older
    }

    private func isWritten(_ file: SettingsFile) throws(KeychainError) -> Bool {
        switch file.condition {
        case nil: return true
        case .existing: return try PrivatePlace.exists(file.path)
        case .without(let program): return !environment.finds(program)
        case .reader:
            let readers = settings.files.map(\.condition)
            let installed = readers.filter {
                if case .reader(let program) = $0 { environment.finds(program) } else { false }
            }
            return (installed.isEmpty ? Array(readers.prefix(1)) : installed)
                .contains(file.condition)
        }
    }

    /// Throws if a variable names another program.
    private func refuseRivals() throws(KeychainError) {
        for name in settings.rivals {
            if let program = environment.value(name),
                program.lastPathComponent != tool.format?.helper
            {
                throw KeychainError(
                    .param, "\(name) names something other than lanyard: \(program)",
                    hint: "unset \(name); lanyard setup \(tool.name)")
            }
        }
    }

    /// Returns what the user should know besides.
    ///
    /// - Parameter files: The files of the setup.
    func notes(_ files: [SettingsFile]) throws(KeychainError) -> [String] {
        var notes = tool == AWSTool.self ? try awsNotes() : []
        for note in settings.notes {
            var about = files.prefix(1)
            switch note.condition {
            case .unset(let variable) where environment.value(variable) != nil: continue
            case .root(let variable)
            where !environment.isRoot || environment.value(variable) != nil:
                continue
            case .hiddenScript where !files.contains(where: isHidden): continue
            case .line(let start):
                about = []
                for file in files where file.kind == .settings {
                    let text = SettingsText(try TargetFile(file.path).bytes ?? "")
                    if text.lines(of: nil).contains(where: { $0.starts(with: start.utf8) }) {
                        about.append(file)
                    }
                }
            default: break
            }
            let text = note.text
            notes +=
                text.contains("FILE")
                ? about.map { text.replacing("FILE", with: $0.path.shellQuoted) } : [text]
        }
        for variable in settings.importVariables ?? [] where environment.value(variable) == nil {
            notes += try environment.files(ofImport: tool.name).map {
                "\(tool.name) no longer reads '\($0)'; to move it, with \(variable) set: "
                    + "lanyard import \(tool.name) --remove-plain-text"
            }
        }
        return notes
    }

    /// Whether it is a script that the shell would not find by its name.
    private func isHidden(_ file: SettingsFile) -> Bool {
        guard file.kind == .script else {
            return false
        }
        guard let found = environment.path(ofProgram: file.path.lastPathComponent) else {
            let folders = (environment.value("PATH") ?? "").split(separator: ":")
            return !folders.contains { $0 == PrivatePlace.folder(of: file.path) }
        }
        return found != file.path
    }

    /// Returns the plain-text logins that the tool no longer reads.
    func unusedLogins() throws(KeychainError) -> [UnusedLogins] {
        guard let variables = settings.importVariables,
            variables.allSatisfy({ environment.value($0) != nil })
        else {
            return []
        }
        return try environment.files(ofImport: tool.name).compactMap { path in
            UnusedLogins(
                in: path, .tool(tool.name), meaning: "\(tool.name) no longer reads them")
        }
    }
}
