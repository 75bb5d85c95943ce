package import KeychainServices
internal import LinuxSystem

/// What has become of a setup that wrote settings into text files.
package struct SettingsDamage: Sendable {
    /// The files that no longer have the setup's lines.
    package let changed: [String]
    /// The helpers that the lines name and that are missing.
    package let missing: [String]

    /// Looks at the files of a tool's setup, if there is one.
    ///
    /// - Throws: ``Status/decode`` for an unreadable record; ``Status/io``.
    package init(_ tool: Tool, _ environment: SetupEnvironment) throws(KeychainError) {
        var changed: [String] = []
        var missing: [String] = []
        for entry in try RecordFolder(path: environment.folder).record(tool).entries {
            guard case .settings(let sections) = entry.insertion else {
                continue
            }
            let text = SettingsText(try TargetFile(entry.path).bytes ?? [])
            if !sections.allSatisfy({ $0.isIn(text) }) {
                changed.append(entry.path)
                continue
            }
            for helper in sections.flatMap(\.lines).compactMap(SettingsDamage.helper)
            where !SystemCalls.isExecutable(helper) && !missing.contains(helper) {
                missing.append(helper)
            }
        }
        self.changed = changed
        self.missing = missing
    }

    /// Returns the first absolute path in a line that ends in the name of a helper.
    private static func helper(_ line: String) -> String? {
        line.split { " \"=@;,".contains($0) }.map { String($0) }
            .first { $0.hasPrefix("/") && !$0.hasPrefix("//") && $0.contains("lanyard") }
    }
}
