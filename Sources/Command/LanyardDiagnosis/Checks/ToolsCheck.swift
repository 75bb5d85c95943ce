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
        for tool in Tool.allCases {
            guard let damage = try? SettingsDamage(tool, context.environment) else {
                continue
            }
            for path in damage.changed {
                findings.append(
                    Finding(
                        .toolSetupChanged, "'\(path: path)' no longer names lanyard's helper",
                        command: "lanyard setup \(plain: tool.name)"))
            }
            for path in damage.missing {
                findings.append(
                    Finding(
                        .toolHelperMissing,
                        "\(plain: tool.name) starts '\(path: path)', which is missing",
                        command: "lanyard setup \(plain: tool.name)"))
            }
        }
        return findings + ToolsCheck.plainText(context.environment)
            + [
                ToolsCheck.kubeconfig(context.environment),
                ToolsCheck.profiles(context.environment),
            ].compactMap(\.self)
    }

    /// The bytes of the largest file of a profile that is read.
    private static let profileFileLimit = 1 << 20

    /// The files of profiles' programs, in one line.
    static func profiles(_ environment: SetupEnvironment) -> Finding? {
        let namesOfImports = namesOfImports
        let others = namesOfImports.flatMap { (try? environment.files(ofImport: $0)) ?? [] }
        var found: [ToolProfile] = []
        for profile in ToolProfile.all where !namesOfImports.contains(profile.name) {
            let isFound = profile.ownPlainText.contains { file in
                (try? environment.files(
                    at: profile.places(of: file.path, environment.value) + [file.path]))?.contains {
                        path in
                        guard !others.contains(path),
                            let status = try? SystemCalls.statusBehindLinks(at: path),
                            status.kind == .file, status.size <= profileFileLimit,
                            let text = try? PlainTextFile(path, isForChange: false),
                            let accounts = try? ProfileFile(profile, file).accounts(in: text.bytes)
                        else {
                            return false
                        }
                        return accounts.count > 0
                    } ?? false
            }
            if isFound {
                found.append(profile)
            }
        }
        guard !found.isEmpty else {
            return nil
        }
        let names = found.map(\.name).joined(separator: ", ")
        return Finding(
            .plainTextTool, "secrets in plain text in files of \(plain: names)",
            command: command(found, environment))
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
    static func plainText(_ environment: SetupEnvironment) -> [Finding] {
        CatalogTools.all.compactMap { $0 as? any ReadTool.Type }.flatMap { tool in
            ((try? environment.files(ofImport: tool.name)) ?? []).compactMap { path in
                guard let file = try? PlainTextFile(path, isForChange: false),
                    let reader = try? tool.reader(of: nil, environment.value),
                    let logins = try? logins(in: file.bytes, reader), !logins.isEmpty
                else {
                    return nil
                }
                let what: FindingText =
                    "'\(path: path)' contains logins in plain text (\(logins.count))"
                if let advice = tool.advice {
                    return Finding(.plainTextTool, what, advice: "\(plain: advice)")
                }
                return Finding(
                    .plainTextTool, what,
                    command: setup(tool.name, logins)
                        + "lanyard import \(plain: tool.name) --remove-plain-text \(quoted: path)")
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

    /// Returns the entries with a secret: a reference to a variable has none, for example.
    private static func logins(
        in file: borrowing Secret, _ format: any ImportFormat
    ) throws(KeychainError) -> [ImportRecord.Content] {
        var logins: [ImportRecord.Content] = []
        try format.read(file) { record in
            if case .skipped(_, hasSecret: false) = record.content {
                return
            }
            logins.append(record.content)
        }
        return logins
    }
}
