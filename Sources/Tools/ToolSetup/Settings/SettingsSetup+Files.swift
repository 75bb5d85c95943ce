internal import KeychainServices

// The table: which file each tool reads, and the lines that name its helper there.
extension SettingsSetup {
    /// Returns the files of the tool.
    ///
    /// - Throws: ``Status/param``, ``Status/notAvailable``.
    func files() throws(KeychainError) -> [SettingsFile] {
        let helper = try helper()
        let home = try environment.home()
        let configurations = try environment.configurations()
        guard tool.setupArgument != nil || names.isEmpty else {
            throw KeychainError(
                .param, "the setup of \(tool.name) takes no further names",
                hint: "lanyard setup \(tool.name)")
        }
        return switch tool {
        case .git, .docker, .kubectl, .secretService, .program: []
        case .ansible: [try ansibleFile(helper, home)]
        case .askpass: [try askpassFile(helper, configurations)]
        case .aws: [try awsFile(helper, home)]
        case .bazel: [bazelFile(helper, home)]
        case .cargo: [try cargoFile(helper, home)]
        // https://google.aip.dev/auth/4117
        case .gcloud: [try gcloudFile(helper)]
        case .go: [try goFile(helper, configurations)]
        case .gpg: [try gpgFile(helper, home)]
        case .keyring: keyringFiles(helper, home, configurations)
        case .nuget: nugetFiles(helper, home)
        case .pnpm: try pnpmFiles(helper, home)
        case .podmanSecrets: [try podmanSecretsFile(helper)]
        case .terraform: try terraformFiles(helper, home)
        // https://developer.hashicorp.com/vault/docs/commands/token-helper
        case .vault: try vaultFiles(helper, home)
        }
    }

    // https://docs.ansible.com/ansible/latest/vault_guide/
    private func ansibleFile(
        _ helper: String, _ home: String
    ) throws(KeychainError) -> SettingsFile {
        let file = try environment.path("ANSIBLE_CONFIG") ?? "\(home)/.ansible.cfg"
        return SettingsFile(
            file, "ansible gets the passwords of its vaults from lanyard",
            SettingsSection(
                header: "[defaults]", lines: [try ansibleLine(helper, earlier: file)]))
    }

    // environment.d(5), ssh(1), sudo(8)
    private func askpassFile(
        _ helper: String, _ configurations: String
    ) throws(KeychainError) -> SettingsFile {
        try refuseOtherAskpass()
        return SettingsFile(
            whole: "\(configurations)/environment.d/60-lanyard-askpass.conf",
            "ssh, git and sudo -A ask lanyard for passwords",
            lines: [
                "SSH_ASKPASS=\(helper)", "SSH_ASKPASS_REQUIRE=force",
                "SUDO_ASKPASS=\(helper)",
                // Otherwise it is in the user's language, which askpass-lanyard does not read.
                "SUDO_PROMPT=\"[sudo] password for %p: \"",
            ])
    }

    // https://docs.aws.amazon.com/cli/latest/userguide/cli-configure-sourcing-external.html
    private func awsFile(
        _ helper: String, _ home: String
    ) throws(KeychainError) -> SettingsFile {
        let file = try environment.path("AWS_CONFIG_FILE") ?? "\(home)/.aws/config"
        // Both forms are valid for the profile 'default', and this one hides the other.
        let text = SettingsText(try TargetFile(file).bytes ?? "")
        let hasLongForm = text.has("[profile default]")
        let sections = try names("profile").map { name throws(KeychainError) in
            // aws and its libraries split both as a shell does.
            let hasBlank = name.contains(" ")
            let profile = hasBlank ? "[profile \"\(name)\"]" : "[profile \(name)]"
            let header = name == "default" && !hasLongForm ? "[default]" : profile
            try refuseOtherLogin(header, in: text, file)
            return SettingsSection(
                header: header,
                lines: ["credential_process = \(helper) \(hasBlank ? "'\(name)'" : name)"])
        }
        return SettingsFile(
            file, "aws and its libraries get these profiles' keys from lanyard", sections)
    }

    // https://github.com/bazelbuild/proposals/blob/main/designs/2022-06-07-bazel-credential-helpers.md
    private func bazelFile(_ helper: String, _ home: String) -> SettingsFile {
        SettingsFile(
            "\(home)/.bazelrc", "bazel asks lanyard for the logins of servers",
            lines: ["common --credential_helper=\(helper)"])
    }

    // https://doc.rust-lang.org/cargo/reference/registry-authentication.html
    private func cargoFile(
        _ helper: String, _ home: String
    ) throws(KeychainError) -> SettingsFile {
        let folder = try environment.path("CARGO_HOME") ?? "\(home)/.cargo"
        return SettingsFile(
            SetupEnvironment.cargoConfigurationFile(in: folder),
            "cargo stores its tokens in lanyard",
            SettingsSection(
                header: "[registry]",
                lines: ["global-credential-providers = [\"\(helper)\"]"]))
    }

    // https://go.dev/ref/mod#private-module-proxy-auth, "go help goauth"
    private func goFile(
        _ helper: String, _ configurations: String
    ) throws(KeychainError) -> SettingsFile {
        SettingsFile(
            try environment.path("GOENV") ?? "\(configurations)/go/env",
            "go gets the logins of module servers from lanyard, then from netrc",
            lines: ["GOAUTH=\(helper);netrc"])
    }

    // https://www.gnupg.org/documentation/manuals/gnupg/Agent-Options.html
    private func gpgFile(
        _ helper: String, _ home: String
    ) throws(KeychainError) -> SettingsFile {
        let folder = try environment.path("GNUPGHOME") ?? "\(home)/.gnupg"
        return SettingsFile(
            "\(folder)/gpg-agent.conf",
            "gpg-agent gets the passphrases of keys from lanyard, or asks you",
            lines: ["pinentry-program \(helper)"])
    }

    // https://pip.pypa.io/en/stable/topics/authentication/, https://docs.astral.sh/uv/reference/settings/
    private func keyringFiles(
        _ helper: String, _ home: String, _ configurations: String
    ) -> [SettingsFile] {
        [
            SettingsFile(
                "\(configurations)/pip/pip.conf", "pip gets the logins of indexes from lanyard",
                SettingsSection(header: "[global]", lines: ["keyring-provider = subprocess"])),
            SettingsFile(
                "\(configurations)/uv/uv.toml", "uv gets the logins of indexes from lanyard",
                lines: ["keyring-provider = \"subprocess\""]),
            SettingsFile(
                script: "\(home)/.local/bin/keyring", "the program 'keyring' is lanyard's",
                running: helper),
        ] + pythonBackend(helper, configurations)
    }

    // https://learn.microsoft.com/en-us/nuget/reference/extensibility/nuget-cross-platform-plugins
    private func nugetFiles(_ helper: String, _ home: String) -> [SettingsFile] {
        // It is on the PATH already, but for an archive or a build.
        guard !environment.finds("nuget-plugin-lanyard") else {
            return []
        }
        return [
            SettingsFile(
                script: "\(home)/.local/bin/nuget-plugin-lanyard",
                "dotnet finds lanyard's plugin", running: helper)
        ]
    }

    // https://pnpm.io/npmrc. pnpm 10 and older fail, whatever they do, if the helper has arguments.
    private func pnpmFiles(
        _ helper: String, _ home: String
    ) throws(KeychainError) -> [SettingsFile] {
        var lines: [String] = []
        var scripts: [SettingsFile] = []
        for name in try names("registry") {
            guard let url = ServerURL(ByteString(name)), url.scheme == "https" else {
                throw KeychainError(
                    .param, "'\(name)' is not a registry's URL with https",
                    hint: "lanyard setup pnpm https://npm.example.com/")
            }
            let address = name.hasSuffix("/") ? name : "\(name)/"
            let place = address.dropFirst("https:".count)
            let host = SettingsSetup.fileName(place.dropFirst(2).dropLast())
            let script = try unsplit(
                "\(home)/.local/bin/pnpm-token-lanyard-\(host)",
                hint: "name the helper yourself: man pnpm-token-lanyard")
            let line = "\(place):tokenHelper=\(script)"
            guard !lines.contains(line) else {
                continue
            }
            lines.append(line)
            scripts.append(
                SettingsFile(
                    script: script, "the helper for \(address)",
                    running: "\(helper) \(address.shellWord)"))
        }
        return [
            SettingsFile(
                "\(home)/.npmrc", "pnpm gets the tokens of these registries from lanyard",
                lines: lines)
        ] + scripts
    }

    /// Returns a file's name for an address, which has no control characters: no other address has the same name.
    private static func fileName(_ address: Substring) -> String {
        address.utf8.map { byte in
            let isPlain = byte.isLetterOrDigit || ".-".utf8.contains(byte)
            return isPlain ? String(UnicodeScalar(byte)) : "_\(String(byte, radix: 16))"
        }.joined()
    }

    // containers.conf(5), secrets.opts
    private func podmanSecretsFile(_ helper: String) throws(KeychainError) -> SettingsFile {
        SettingsFile(
            try podmanPath(), "podman stores its secrets in lanyard",
            [
                SettingsSection(header: "[secrets]", lines: ["driver = \"shell\""]),
                SettingsSection(
                    header: "[secrets.opts]",
                    lines: ["list", "lookup", "store", "delete"].map {
                        "\($0) = \"\(helper) \($0)\""
                    }),
            ])
    }

    // https://developer.hashicorp.com/terraform/internals/credentials-helpers
    private func terraformFiles(
        _ helper: String, _ home: String
    ) throws(KeychainError) -> [SettingsFile] {
        try environment.terraformPaths().map { path in
            SettingsFile(
                path, "terraform and tofu store their tokens in lanyard",
                lines: ["credentials_helper \"lanyard\" {}"])
        } + [
            SettingsFile(
                script: "\(home)/.terraform.d/plugins/terraform-credentials-lanyard",
                "terraform and tofu find lanyard's helper", running: helper)
        ]
    }

    /// Returns what the user should know besides.
    func notes() throws(KeychainError) -> [String] {
        switch tool {
        case .ansible where environment.value("ANSIBLE_CONFIG") == nil:
            [
                "ansible reads one file: ansible.cfg here, else ~/.ansible.cfg, else /etc/ansible/ansible.cfg"
            ]
        case .askpass: try askpassNotes()
        case .aws: try awsNotes()
        case .bazel: ["bazel before 6.3 fails with the setting"]
        case .cargo: ["cargo before 1.74 ignores the setting, and stores plain text"]
        case .gcloud: try gcloudNotes()
        case .go: ["go before 1.24 ignores the setting"]
        case .gpg: ["a running gpg-agent reads it after: gpgconf --reload gpg-agent"]
        case .keyring where !isFirst("\(try environment.home())/.local/bin"):
            ["pip and uv look for 'keyring' on PATH: put ~/.local/bin first"]
        case .nuget: try nugetNotes()
        case .podmanSecrets: try podmanNotes()
        case .terraform: try terraformNotes()
        case .vault where environment.value("VAULT_ADDR") == nil:
            try environment.files(ofImport: "vault").map {
                "vault no longer reads '\($0)'; to move it, with VAULT_ADDR set: lanyard import vault --remove-plain-text"
            }
        default: []
        }
    }

    /// Returns the plain-text logins that the tool no longer reads. All other tools still read theirs, most of them before
    /// they ask the helper.
    func unusedLogins() throws(KeychainError) -> [UnusedLogins] {
        let kind: PlainTextLeftover.Kind
        switch tool {
        case .cargo: kind = .cargo
        // The import takes the server's address from there.
        case .vault where environment.value("VAULT_ADDR") != nil: kind = .vault
        default: return []
        }
        return try environment.files(ofImport: kind.rawValue).compactMap { path in
            UnusedLogins(in: path, kind, meaning: "\(tool.name) no longer reads them")
        }
    }

    private func isFirst(_ folder: String) -> Bool {
        guard let path = environment.path(ofProgram: "keyring") else {
            return (environment.value("PATH") ?? "").split(separator: ":").contains { $0 == folder }
        }
        return path == "\(folder)/keyring"
    }
}
