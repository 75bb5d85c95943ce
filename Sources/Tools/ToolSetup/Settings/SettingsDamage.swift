package import KeychainServices
internal import LinuxSystem
internal import ToolCatalog

/// What has become of a setup that wrote settings into text files, or users' programs into a kubeconfig.
package struct SettingsDamage: Sendable {
    /// The files that no longer have the setup's lines.
    package let changed: [String]
    /// The helpers and folders that the lines name and that are missing.
    package let missing: [String]
    /// The account of a shim, nil for any.
    package let account: String?

    /// Looks at the files of a tool's setup, if there is one.
    ///
    /// - Throws: ``Status/decode`` for an unreadable record; ``Status/io``.
    package init(_ tool: Tool, _ environment: SetupEnvironment) throws(KeychainError) {
        var changed: [String] = []
        var missing: [String] = []
        var account: String?
        for entry in try RecordFolder(environment).record(tool).entries {
            let lines: [String]
            switch entry.insertion {
            case .settings(let sections), .wholeFile(let sections):
                let text = SettingsText(try TargetFile(entry.path).bytes ?? "")
                guard sections.allSatisfy({ $0.isInForce(in: text) }) else {
                    changed.append(entry.path)
                    continue
                }
                lines = sections.flatMap(\.lines)
            case .kubeconfig(let users):
                let file = try? Kubeconfig(try TargetFile(entry.path).bytes ?? "")
                let programs = users.compactMap { file?.program(of: $0) }
                guard programs.count == users.count else {
                    changed.append(entry.path)
                    continue
                }
                lines = programs
            case .shim:
                let command = ShimSetup.command(in: try TargetFile(entry.path).bytes)
                account = command?.account
                lines = [command?.lanyard].compactMap(\.self)
            default: continue
            }
            for path in lines.compactMap(SettingsSection.helper)
            where try !SettingsDamage.isThere(path) && !missing.contains(path) {
                missing.append(path)
            }
        }
        self.changed = changed
        self.missing = missing
        self.account = account
    }

    /// Whether a path is a program, or a folder of ours.
    private static func isThere(_ path: String) throws(KeychainError) -> Bool {
        path.lastPathComponent.contains("lanyard")
            ? SystemCalls.isExecutable(path) : try PrivatePlace.exists(path)
    }
}
