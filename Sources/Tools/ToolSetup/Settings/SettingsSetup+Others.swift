internal import KeychainServices
internal import LinuxSystem

// Files that take more than a line of the table.
extension SettingsSetup {
    /// Throws if another askpass program is set.
    ///
    /// - Throws: ``Status/param``.
    func refuseOtherAskpass() throws(KeychainError) {
        for name in ["SSH_ASKPASS", "SUDO_ASKPASS"] {
            if let program = environment.value(name), program.lastPathComponent != "askpass-lanyard"
            {
                throw KeychainError(
                    .param, "\(name) names something other than lanyard: \(program)",
                    hint: "unset \(name); lanyard setup askpass")
            }
        }
    }

    /// Returns ansible's only line, with the vault IDs of earlier setups.
    ///
    /// - Throws: ``Status/param``; ``Status/io``.
    func ansibleLine(_ helper: String, earlier file: String) throws(KeychainError) -> String {
        let start = "vault_identity_list = "
        let line = SettingsText(try TargetFile(file).bytes ?? "").lines(of: "[defaults]").lazy
            .map(\.name).first { $0.hasPrefix(start) }
        var list = (line ?? start).dropFirst(start.count).split(separator: ",").map {
            String($0.drop { $0 == " " })
        }
        // Other entries are a conflict.
        list.removeAll { !$0.hasSuffix("@\(helper)") }
        for entry in try names("vault ID").map({ "\($0)@\(helper)" }) where !list.contains(entry) {
            list.append(entry)
        }
        return start + list.joined(separator: ", ")
    }

    /// Only systemd reads the file.
    func askpassNotes() throws(KeychainError) -> [String] {
        let file = "\(try environment.configurations())/environment.d/60-lanyard-askpass.conf"
        return [
            "systemd sets the variables in desktop sessions, from the next login on",
            "for other shells, add to ~/.profile: set -a; . \(file.shellQuoted); set +a",
        ]
    }

    /// Throws for a profile of aws with a login that aws and its libraries prefer to `credential_process`.
    ///
    /// - Throws: ``Status/param``.
    func refuseOtherLogin(
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
        let configuration = try environment.path("AWS_CONFIG_FILE", orInHome: ".aws/config")
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

    /// Returns the configuration of the credential for the audience that is the first name; the second one is its path.
    ///
    /// - Throws: ``Status/param``.
    func gcloudFile(_ helper: String) throws(KeychainError) -> SettingsFile {
        let audience = try names("audience")[0]
        guard audience.hasPrefix("//iam.googleapis.com/") else {
            throw KeychainError(
                .param, "an audience of gcloud starts with //iam.googleapis.com/")
        }
        return SettingsFile(
            whole: try gcloudPath(), "Google's clients get the token from lanyard",
            lines: [
                "{", "  \"type\": \"external_account\",", "  \"audience\": \"\(audience)\",",
                "  \"subject_token_type\": \"urn:ietf:params:oauth:token-type:jwt\",",
                "  \"token_url\": \"https://sts.googleapis.com/v1/token\",",
                "  \"credential_source\": {", "    \"executable\": {",
                "      \"command\": \"\(helper) \(audience)\",",
                "      \"timeout_millis\": 30000", "    }", "  }", "}",
            ])
    }

    private func gcloudPath() throws(KeychainError) -> String {
        guard names.count < 3 else {
            throw KeychainError(
                .param, "more than one audience and one file", hint: "lanyard setup gcloud --help")
        }
        if names.count == 2 {
            guard names[1].hasPrefix("/") else {
                throw KeychainError(.param, "'\(names[1])' is not an absolute path")
            }
            return names[1]
        }
        let usual = "\(try environment.configurations())/gcloud"
        return "\(try environment.path("CLOUDSDK_CONFIG") ?? usual)/lanyard.json"
    }

    /// No file of the user's sets these variables for every program.
    func gcloudNotes() throws(KeychainError) -> [String] {
        [
            "tell the clients: export GOOGLE_APPLICATION_CREDENTIALS=\(try gcloudPath().shellQuoted)",
            "let them start programs: export GOOGLE_EXTERNAL_ACCOUNT_ALLOW_EXECUTABLES=1",
        ]
    }

    /// Returns the configuration that names the backend for Python's library keyring, if that is installed.
    func pythonBackend(_ helper: String, _ configurations: String) -> [SettingsFile] {
        guard let folder = pythonFolder(helper) else {
            return []
        }
        return [
            SettingsFile(
                "\(configurations)/python_keyring/keyringrc.cfg",
                "twine, poetry and hatch store their passwords in lanyard",
                SettingsSection(
                    header: "[backend]",
                    lines: [
                        "default-keyring = lanyard_keyring.Keyring", "keyring-path = \(folder)",
                    ]))
        ]
    }

    /// The backend is in the folder of the same installation.
    private func pythonFolder(_ helper: String) -> String? {
        let prefix = PrivatePlace.parent(of: helper).flatMap(PrivatePlace.parent) ?? "/"
        let folder = "\(prefix == "/" ? "" : prefix)/lib/lanyard/python"
        let isThere = try? PrivatePlace.exists("\(folder)/lanyard_keyring.py")
        return isThere == true ? folder : nil
    }

    /// Returns the files of vault and OpenBao, which reads one of its own; vault's unless only OpenBao is installed.
    func vaultFiles(_ helper: String, _ home: String) throws(KeychainError) -> [SettingsFile] {
        let lines = ["token_helper = \"\(helper)\""]
        let vault = SettingsFile(
            try environment.path("VAULT_CONFIG_PATH") ?? "\(home)/.vault",
            "vault stores its token in lanyard", lines: lines)
        guard environment.finds("bao") else {
            return [vault]
        }
        let openBao = SettingsFile(
            try environment.path("BAO_CONFIG_PATH") ?? "\(home)/.bao",
            "OpenBao stores its token in lanyard", lines: lines)
        return environment.finds("vault") ? [vault, openBao] : [openBao]
    }

    /// Blocks with tokens come before helpers.
    func terraformNotes() throws(KeychainError) -> [String] {
        var notes: [String] = []
        for path in try environment.terraformPaths() {
            let lines = SettingsText(try TargetFile(path).bytes ?? "").lines(of: nil)
            if lines.contains(where: { $0.starts(with: "credentials \"".utf8) }) {
                notes.append(
                    "tokens in '\(path)' come first; to move them: lanyard import terraform --remove-plain-text"
                )
            }
        }
        return notes
    }

    /// With the variable podman reads no other file.
    func podmanPath() throws(KeychainError) -> String {
        let usual = "\(try environment.configurations())/containers/containers.conf"
        return try environment.path("CONTAINERS_CONF") ?? usual
    }

    /// Without the setting podman stores secrets in plain text, and says nothing.
    func podmanNotes() throws(KeychainError) -> [String] {
        guard environment.isRoot, environment.value("CONTAINERS_CONF") == nil else {
            return []
        }
        let path = try podmanPath().shellQuoted
        return ["older podman ignores this file for root: export CONTAINERS_CONF=\(path)"]
    }

    /// NuGet looks for plugins by their names.
    func nugetNotes() throws(KeychainError) -> [String] {
        let notes = ["dotnet needs SDK 9.0.100 or newer to find plugins on the PATH"]
        let folder = "\(try environment.home())/.local/bin"
        let folders = (environment.value("PATH") ?? "").split(separator: ":")
        guard !environment.finds("nuget-plugin-lanyard"), !folders.contains(Substring(folder))
        else {
            return notes
        }
        return ["dotnet looks for plugins on PATH: add ~/.local/bin"] + notes
    }
}
