internal import KeychainServices
internal import ToolCatalog

extension SettingsSetup {
    /// Returns ansible's file with its only line, which has the vault IDs of earlier setups, too.
    ///
    /// - Throws: ``Status/param``; ``Status/io``.
    func ansibleFile(_ helper: String) throws(KeychainError) -> SettingsFile {
        let path = try environment.place(of: ".ansible.cfg", AnsibleTool.moves)
        let header = "[defaults]"
        let start = "vault_identity_list = "
        let line = SettingsText(try TargetFile(path).bytes ?? "").lines(of: header).lazy
            .map(\.name).first { $0.hasPrefix(start) }
        var list = (line ?? start).dropFirst(start.count).split(separator: ",").map {
            String($0.drop { $0 == " " })
        }
        // Other entries are a conflict.
        list.removeAll { !$0.hasSuffix("@\(helper)") }
        for entry in try checkedNames().map({ "\($0)@\(helper)" }) where !list.contains(entry) {
            list.append(entry)
        }
        return SettingsFile(
            path, "ansible gets the passwords of its vaults from lanyard",
            [SettingsSection(header: header, lines: [start + list.joined(separator: ", ")])])
    }
}
