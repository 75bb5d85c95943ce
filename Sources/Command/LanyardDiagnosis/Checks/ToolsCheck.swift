internal import LanyardTransfer
internal import KeychainServices
internal import LinuxSystem
internal import ToolCatalog
internal import ToolSetup

/// Checks the tools whose configuration names a helper: their setup, and the plain-text files that they had before.
struct ToolsCheck: Check {
    static let name = "tools"

    func findings(_ context: DiagnosisContext) -> [Finding] {
        var findings: [Finding] = []
        for tool in Tool.allCases + ToolSetup.programs(context.environment) {
            guard let damage = try? SettingsDamage(tool, context.environment) else {
                continue
            }
            for path in damage.changed {
                findings.append(
                    Finding(
                        .toolSetupChanged, "'\(path: path)' no longer names lanyard's helper",
                        command: "lanyard setup \(plain: tool.name)"))
            }
            let option: FindingText = damage.account.map { " --account=\(nameArgument: $0)" } ?? ""
            for path in damage.missing {
                findings.append(
                    UnrunnableProgram(at: path).map(Finding.init)
                        ?? Finding(
                            .toolHelperMissing,
                            "\(plain: tool.name) starts '\(path: path)', which is missing",
                            command: "lanyard setup \(plain: tool.name)\(option)"))
            }
        }
        return findings
            + ToolsCheck.plainText(context.environment, differs: context.differs)
            + [ToolsCheck.kubeconfig(context.environment)].compactMap(\.self)
            + ToolsCheck.profiles(context.environment, differs: context.differs)
    }

    /// The bytes of the largest file of a profile that is read.
    private static let profileFileLimit = 1 << 20

    /// The files of profiles' programs: one line for those that a command moves, and one for each other program.
    static func profiles(
        _ environment: SetupEnvironment, differs: (NewItem) -> Bool = { _ in false }
    ) -> [Finding] {
        let namesOfImports = namesOfImports
        let others = namesOfImports.flatMap { (try? environment.files(ofImport: $0)) ?? [] }
        var found: [ToolProfile] = []
        var findings: [Finding] = []
        for profile in ToolProfile.all where !namesOfImports.contains(profile.name) {
            var records: [ImportRecord] = []
            var accounts = ProfileFile.Accounts()
            var paths: [String] = []
            for file in profile.ownPlainText {
                let places = profile.places(of: file.path, environment.value) + [file.path]
                for path in (try? environment.files(at: places)) ?? []
                where !others.contains(path) && !paths.contains(path) {
                    let format = ProfileFile(profile, file)
                    guard let status = try? SystemCalls.statusBehindLinks(at: path),
                        status.kind == .file, status.size <= profileFileLimit,
                        let text = try? PlainTextFile(path, isForChange: false),
                        let own = try? format.accounts(in: text.bytes), own.count > 0
                    else {
                        continue
                    }
                    paths.append(path)
                    accounts.formUnion(own)
                    records += PlainTextObstacle.records(text.bytes, format)
                }
            }
            guard let path = paths.first else {
                continue
            }
            if let advice = obstacle(
                profile, path, records, accounts.count, environment, differs: differs)
            {
                findings.append(
                    Finding(
                        .plainTextTool,
                        "'\(path: path)' contains secrets of \(plain: profile.name) in plain text",
                        advice: advice))
            } else {
                found.append(profile)
            }
        }
        guard !found.isEmpty else {
            return findings
        }
        let names = found.map(\.name).joined(separator: ", ")
        let finding = Finding(
            .plainTextTool, "secrets in plain text in files of \(plain: names)",
            command: command(found, environment))
        return [finding] + findings
    }

    /// Returns what to do about files of which no command moves anything; nil if one does.
    private static func obstacle(
        _ profile: ToolProfile, _ path: String, _ records: [ImportRecord], _ accounts: Int,
        _ environment: SetupEnvironment, differs: (NewItem) -> Bool
    ) -> FindingText? {
        let copy: FindingText = "lanyard import \(plain: profile.name)"
        let advice = PlainTextObstacle.advice(
            records, "\(copy) --remove-plain-text \(quoted: path)", differs: differs)
        let program = profile.programs.first { environment.finds($0) }
        guard advice == nil, accounts > 1, let program else {
            return advice
        }
        // A scan leaves them.
        let run: FindingText =
            "lanyard run --account \(plain: profile.accountWord) \(plain: program)"
        return
            "it has secrets of \(accounts) accounts, and \(plain: profile.name) gets one from the keychain:"
            + " \(copy) \(quoted: path) copies them, \(run) gives it one"
    }

    /// Returns the command that moves the secrets of profiles' files. Each installed program gets a shim first, by its
    /// own name: a profile's may be that of one of its programs. The scan leaves what that would not find.
    private static func command(
        _ profiles: [ToolProfile], _ environment: SetupEnvironment
    ) -> FindingText {
        var commands: [String] = []
        var installed: [String] = []
        for profile in profiles {
            let programs = profile.programs.filter { environment.finds($0) }
            installed += programs
            if programs.isEmpty {
                commands.append("lanyard import \(profile.name) --remove-plain-text")
            }
        }
        let missing = ToolSetup.withoutShim(installed, environment)
        if !missing.isEmpty {
            commands.append("lanyard setup \(missing.joined(separator: " "))")
        }
        if !installed.isEmpty {
            commands.append("lanyard scan --fix")
        }
        return "\(plain: commands.joined(separator: " && "))"
    }

    /// The tools with a line of their own for each file.
    private static var namesOfImports: [String] {
        CatalogTools.all.filter { $0 is any ReadTool.Type }.map { $0.name }
    }

    /// The kubeconfig's logins, which a setup moves.
    private static func kubeconfig(_ environment: SetupEnvironment) -> Finding? {
        let kubectl = KubectlSetup([], environment)
        let users = kubectl.plainUsers
        guard !users.isEmpty, let path = try? kubectl.path() else {
            return nil
        }
        let command = users.reduce("lanyard setup kubectl" as FindingText) {
            "\($0) \(nameArgument: $1)"
        }
        return Finding(
            .plainTextTool, "'\(path: path)' contains logins in plain text (\(users.count))",
            command: command)
    }

    /// The plain-text files of tools with a reader of their own, under the names of their imports.
    static func plainText(
        _ environment: SetupEnvironment, differs: (NewItem) -> Bool = { _ in false }
    ) -> [Finding] {
        CatalogTools.all.compactMap { $0 as? any ReadTool.Type }.flatMap { tool in
            ((try? environment.files(ofImport: tool.name)) ?? []).compactMap { path in
                guard let file = try? PlainTextFile(path, isForChange: false),
                    let reader = try? tool.reader(of: path, environment.value)
                else {
                    return nil
                }
                let records = PlainTextObstacle.records(file.bytes, reader)
                let logins = records.map(\.content).filter(hasSecret)
                guard !logins.isEmpty else {
                    return nil
                }
                let what: FindingText =
                    "'\(path: path)' contains logins in plain text (\(logins.count))"
                if let advice = tool.advice {
                    return Finding(.plainTextTool, what, advice: "\(plain: advice)")
                }
                let command: FindingText =
                    "lanyard import \(plain: tool.name) --remove-plain-text \(quoted: path)"
                if let advice = PlainTextObstacle.advice(records, command, differs: differs) {
                    return Finding(.plainTextTool, what, advice: advice)
                }
                return Finding(
                    .plainTextTool, what, command: setup(tool.name, logins) + command)
            }
        }
    }

    /// Returns the command that must come before an import: without it, the tool does not find the logins in the keychain.
    /// aws needs the names of the profiles.
    private static func setup(_ name: String, _ logins: [ImportRecord.Content]) -> FindingText {
        guard let tool = Tool.ofImport(name) else {
            return ""
        }
        var profiles: [String] = []
        for case .item(let item) in logins where tool.name == AWSTool.name {
            if let profile = item.attributes.service?.description, !profiles.contains(profile) {
                profiles.append(profile)
            }
        }
        guard tool.setupArgument == nil || !profiles.isEmpty else {
            return ""
        }
        return profiles.reduce("lanyard setup \(plain: tool.name)" as FindingText) {
            "\($0) \(nameArgument: $1)"
        } + " && "
    }

    /// Whether an entry has a secret: a reference to a variable has none, for example.
    private static func hasSecret(_ content: ImportRecord.Content) -> Bool {
        switch content {
        case .skipped(_, hasSecret: false), .without: false
        default: true
        }
    }
}
