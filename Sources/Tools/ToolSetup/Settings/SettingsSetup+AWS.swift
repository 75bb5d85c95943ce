internal import KeychainServices
internal import ToolCatalog

extension SettingsSetup {
    /// Returns aws's configuration with a section for each profile.
    ///
    /// - Throws: ``Status/param`` for a profile with another login; ``Status/io``.
    func awsFile(_ helper: String) throws(KeychainError) -> SettingsFile {
        let path = try awsConfiguration()
        // Both forms are valid for the profile 'default', and this one hides the other.
        let text = SettingsText(try TargetFile(path).bytes ?? "")
        let hasLongForm = text.has("[profile default]")
        let sections = try checkedNames().map { name throws(KeychainError) in
            // aws and its libraries split both as a shell does.
            let hasBlank = name.contains(" ")
            let profile = hasBlank ? "[profile \"\(name)\"]" : "[profile \(name)]"
            let header = name == "default" && !hasLongForm ? "[default]" : profile
            try refuseOtherLogin(header, in: text, path)
            return SettingsSection(
                header: header,
                lines: ["credential_process = \(helper) \(hasBlank ? "'\(name)'" : name)"])
        }
        return SettingsFile(
            path, "aws and its libraries get these profiles' keys from lanyard", sections)
    }

    private func awsConfiguration() throws(KeychainError) -> String {
        try environment.place(of: ".aws/config", AWSTool.moves)
    }

    /// Throws for a profile of aws with a login that aws and its libraries prefer to `credential_process`.
    private func refuseOtherLogin(
        _ header: String, in text: SettingsText, _ path: String
    ) throws(KeychainError) {
        let lines = text.lines(of: header)
        let keys = lines.map { SettingsSection.key($0).name }
        let preferred = [
            "role_arn", "web_identity_token_file", "sso_session", "sso_start_url", "sso_account_id",
            "sso_role_name", "login_session",
        ]
        guard let key = keys.first(where: { preferred.contains($0.lowercased()) }) else {
            return
        }
        var hint = "remove that, or keep it and don't set that profile up"
        if key.lowercased() == "role_arn",
            let place = keys.firstIndex(where: { $0.lowercased() == "source_profile" }),
            let value = lines[place].name.split(separator: "=", maxSplits: 1).last
        {
            // The keys of a role are those of another profile.
            hint = "lanyard setup aws \(String(value.drop { $0 == " " }).shellWord)"
        }
        throw KeychainError(
            .param, "'\(path)' sets '\(key)' in \(header), which aws prefers to lanyard",
            hint: hint)
    }

    /// aws prefers the keys in its other file.
    func awsNotes() throws(KeychainError) -> [String] {
        var notes: [String] = []
        let configuration = try awsConfiguration()
        for path in try environment.files(ofImport: "aws") where path != configuration {
            let text = SettingsText(try TargetFile(path).bytes ?? "")
            if names.contains(where: { text.has("[\($0)]") }) {
                notes.append(
                    "keys in '\(path)' come first; to move them: lanyard import aws --remove-plain-text"
                )
            }
        }
        return notes
    }
}
