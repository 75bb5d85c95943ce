import Foundation
import KeychainServices
import Testing
import ToolCatalog

@testable import ToolSetup

/// Tools that take a helper's path in a text file.
@Suite struct SettingsSetupTests {
    /// A setup, its file below the home folder, the file before and after; `HELPER` is the path of the helper, `HOME`
    /// that of the home folder.
    struct Case: Sendable, CustomTestStringConvertible {
        let tool: Tool
        var names: [String] = []
        let file: String
        let before: String?
        let after: String

        var testDescription: String { "\(tool.name): \(before ?? "no file")" }
    }

    private static let cases = [
        Case(
            tool: .cargo, file: ".cargo/config.toml", before: nil,
            after: "[registry]\nglobal-credential-providers = [\"HELPER\"]\n"),
        Case(
            tool: .cargo, file: ".cargo/config.toml",
            before: "[registry]\r\ndefault = \"mine\"\r\n\r\n[net]\r\noffline = true",
            after: "[registry]\r\ndefault = \"mine\"\r\n"
                + "global-credential-providers = [\"HELPER\"]\n\r\n[net]\r\noffline = true\n"),
        Case(
            tool: .cargo, file: ".cargo/config.toml", before: "[net]\noffline = true\n",
            after: "[net]\noffline = true\n\n[registry]\n"
                + "global-credential-providers = [\"HELPER\"]\n"),
        // cargo prefers it to config.toml.
        Case(
            tool: .cargo, file: ".cargo/config", before: "[net]\noffline = true\n",
            after: "[net]\noffline = true\n\n[registry]\n"
                + "global-credential-providers = [\"HELPER\"]\n"),
        // tofu prefers it to .terraformrc.
        Case(
            tool: .terraform, file: ".tofurc", before: "disable_checkpoint = true\n",
            after: "disable_checkpoint = true\ncredentials_helper \"lanyard\" {}\n"),
        Case(
            tool: .aws, names: ["default", "work"], file: ".aws/config",
            before: "[profile work]\nregion = eu-west-1\n",
            after: "[profile work]\nregion = eu-west-1\ncredential_process = HELPER work\n\n"
                + "[default]\ncredential_process = HELPER default\n"),
        Case(
            tool: .aws, names: ["default"], file: ".aws/config",
            before: "[profile default]\nregion = eu-west-1\n",
            after: "[profile default]\nregion = eu-west-1\n"
                + "credential_process = HELPER default\n"),
        Case(
            tool: .terraform, file: ".terraformrc", before: "plugin_cache_dir = \"x\"\n\n",
            after: "plugin_cache_dir = \"x\"\ncredentials_helper \"lanyard\" {}\n\n"),
        Case(
            tool: .keyring, file: ".config/uv/uv.toml", before: "offline = true\n[pip]\n",
            after: "offline = true\nkeyring-provider = \"subprocess\"\n[pip]\n"),
        Case(
            tool: .podmanSecrets, file: ".config/containers/containers.conf", before: nil,
            after: """
                [secrets]
                driver = "shell"

                [secrets.opts]
                list = "HELPER list"
                lookup = "HELPER lookup"
                store = "HELPER store"
                delete = "HELPER delete"

                """),
        Case(
            tool: .pnpm, names: ["https://npm.example.com"], file: ".npmrc",
            before: "save-exact=true\n",
            after: "save-exact=true\n//npm.example.com/:tokenHelper="
                + "HOME/.local/bin/pnpm-token-lanyard-npm.example.com\n"),
        Case(
            tool: .cargo, file: ".cargo/config.toml",
            before: "[ registry ] # of the company\n\n[net]\noffline = true\n",
            after: "[ registry ] # of the company\n"
                + "global-credential-providers = [\"HELPER\"]\n\n[net]\noffline = true\n"),
        // Each tool has its own rules for blanks and quotation marks in a header.
        Case(
            tool: .cargo, file: ".cargo/config.toml", before: "[ \"registry\" ]\n",
            after: "[ \"registry\" ]\nglobal-credential-providers = [\"HELPER\"]\n"),
        Case(
            tool: .podmanSecrets, file: ".config/containers/containers.conf",
            before: "['secrets']\n['secrets' . \"opts\"]\nx = 1\n",
            after: """
                ['secrets']
                driver = "shell"
                ['secrets' . "opts"]
                x = 1
                list = "HELPER list"
                lookup = "HELPER lookup"
                store = "HELPER store"
                delete = "HELPER delete"

                """),
        Case(
            tool: .keyring, file: ".config/pip/pip.conf", before: "[ global ]\nretries = 1\n",
            after: "[ global ]\nretries = 1\n\n[global]\nkeyring-provider = subprocess\n"),
        Case(
            tool: .aws, names: ["work"], file: ".aws/config",
            before: "[profile \"work\"]\nregion = eu-west-1\n",
            after: "[profile \"work\"]\nregion = eu-west-1\n"
                + "credential_process = HELPER work\n"),
        Case(
            tool: .aws, names: ["work"], file: ".aws/config",
            before: "[profile\t  'wo'rk ]\nregion = eu-west-1\n",
            after: "[profile\t  'wo'rk ]\nregion = eu-west-1\n"
                + "credential_process = HELPER work\n"),
        Case(
            tool: .aws, names: ["work"], file: ".aws/config",
            before: "[profile \"work \"]\nregion = eu-west-1\n",
            after: "[profile \"work \"]\nregion = eu-west-1\n\n"
                + "[profile work]\ncredential_process = HELPER work\n"),
        // Lines in brackets that are a part of a value.
        Case(
            tool: .cargo, file: ".cargo/config.toml",
            before:
                "[env]\nNOTE = \"\"\"\n[registry]\n\"\"\"\nLIST = [\n[\"x\"],\n]\n[registry]\nx = 1\n",
            after:
                "[env]\nNOTE = \"\"\"\n[registry]\n\"\"\"\nLIST = [\n[\"x\"],\n]\n[registry]\nx = 1\n"
                + "global-credential-providers = [\"HELPER\"]\n"),
        Case(
            tool: .aws, names: ["work"], file: ".aws/config",
            before: "[profile work]\ncli_history =\n  [profile dev]\nregion = eu-west-1\n",
            after: "[profile work]\ncli_history =\n  [profile dev]\nregion = eu-west-1\n"
                + "credential_process = HELPER work\n"),
    ]

    /// The setup for another name adds to the one before.
    @Test func anotherName() throws {
        for (tool, names, file) in [
            (Tool.aws, ["default", "work"], ".aws/config"),
            (.pnpm, ["https://a.example", "https://b.example"], ".npmrc"),
            (.ansible, ["dev", "prod"], ".ansible.cfg"),
        ] {
            let (home, _) = try home(tool)
            let helper = try #require(tool.format?.helper)
            let tree = try home.tree()
            var lines: [[String]] = []
            for name in names {
                let setup = ToolSetup(tool, home.environment, names: [name])
                let plan = try setup.plan()
                lines.append(plan.changes.first?.lines ?? [])
                try setup.apply(plan)
                #expect(try setup.plan().isEmpty)
            }
            // Only its own lines are shown as added. One of ansible's names all.
            #expect(Set(lines[0]).isDisjoint(with: lines[1]) || tool == .ansible, "\(lines)")
            let text = try home.read(file)
            #expect(text.components(separatedBy: helper).count == 3, "\(text)")
            try home.undo(tool)
            #expect(try home.tree() == tree)
        }
    }

    /// aws splits the name as a shell does. A profile named so must not keep the others from their setup.
    @Test func awsNameWithABlank() throws {
        let (home, helper) = try home(.aws)
        let names = ["default", "my prof", "ada@work"]
        let setup = ToolSetup(.aws, home.environment, names: names)
        let tree = try home.tree()
        try setup.apply(try setup.plan())
        #expect(
            try home.read(".aws/config") == """
                [default]
                credential_process = \(helper) default

                [profile "my prof"]
                credential_process = \(helper) 'my prof'

                [profile ada@work]
                credential_process = \(helper) ada@work

                """)
        #expect(try setup.plan().isEmpty)
        try home.undo(.aws)
        #expect(try home.tree() == tree)
    }

    /// Only a file with keys of the profile hides those of the keychain.
    @Test func awsKeysInTheOtherFile() throws {
        let (home, _) = try home(.aws)
        let setup = ToolSetup(.aws, home.environment, names: ["work"])
        func notes() throws -> [String] {
            try setup.plan().notes.filter { $0.hasPrefix("keys in") }
        }
        #expect(try notes() == [])
        try home.write(".aws/credentials", "[other]\naws_access_key_id=A\n")
        #expect(try notes() == [])
        try home.write(".aws/credentials", "[work]\naws_access_key_id=A\n")
        #expect(
            try notes() == [
                "keys in '\(home.path(".aws/credentials"))' come first; to move them: lanyard import aws"
                    + " --remove-plain-text"
            ])
        let missing = failure { _ = try home.setup(.aws).plan() }
        #expect(missing?.hint == "lanyard setup aws PROFILE")
    }

    /// pnpm 11 takes such a line.
    @Test func aHandwrittenLineIsNotOfAnotherProgram() throws {
        let (home, helper) = try home(.pnpm)
        let line = "//a.example/:tokenHelper=\(helper) https://a.example/"
        try home.write(".npmrc", "\(line)\n")
        let setup = ToolSetup(.pnpm, home.environment, names: ["https://a.example"])
        let error = #expect(throws: KeychainError.self) { try setup.plan() }
        let reason = "names lanyard's helper in another way: \(line)"
        #expect(error?.reason.hasSuffix(reason) == true, "\(String(describing: error))")
    }

    @Test func pythonsLibrary() throws {
        let (home, _) = try home(.keyring)
        let folder = "\(home.folder)/lib/lanyard/python"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        try Data().write(to: URL(filePath: "\(folder)/lanyard_keyring.py"))
        let file = ".config/python_keyring/keyringrc.cfg"
        let tree = try home.tree()
        try home.setUp(.keyring)
        #expect(
            try home.read(file)
                == "[backend]\ndefault-keyring = lanyard_keyring.Keyring\nkeyring-path = \(folder)\n"
        )
        var damage = try SettingsDamage(.keyring, home.environment)
        #expect(damage.changed.isEmpty && damage.missing.isEmpty)
        try FileManager.default.removeItem(atPath: "\(home.folder)/lib")
        damage = try SettingsDamage(.keyring, home.environment)
        #expect(damage.changed.isEmpty && damage.missing == [folder])
        try home.undo(.keyring)
        #expect(try home.tree() == tree)
        try home.setUp(.keyring)
        #expect(!home.exists(file))
    }

    @Test(arguments: [" = ", ": "])
    func anotherPythonBackend(sign: String) throws {
        let (home, _) = try home(.keyring)
        let folder = "\(home.folder)/lib/lanyard/python"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        try Data().write(to: URL(filePath: "\(folder)/lanyard_keyring.py"))
        try home.write(
            ".config/python_keyring/keyringrc.cfg",
            "[backend]\ndefault-keyring\(sign)keyrings.alt.file.PlaintextKeyring\n")
        let tree = try home.tree()
        let setup = home.setup(.keyring)
        let error = #expect(throws: KeychainError.self) { try setup.plan() }
        #expect(error?.reason.contains("PlaintextKeyring") == true)
        #expect(try home.tree() == tree)
    }

    private static let audience = "//iam.googleapis.com/projects/1/providers/x"

    @Test("gcloud gets a file of its own, which others don't lose")
    func gcloud() throws {
        let (home, helper) = try home(.gcloud)
        let tree = try home.tree()
        let setup = ToolSetup(.gcloud, home.environment, names: [Self.audience])
        try setup.apply(try setup.plan())
        let plan = try setup.plan()
        #expect(
            plan.isEmpty && plan.notes.contains { $0.contains("GOOGLE_APPLICATION_CREDENTIALS") })
        let file = ".config/gcloud/lanyard.json"
        let json = try JSONSerialization.jsonObject(with: Data(try home.bytes(file)))
        let source = (json as? [String: Any])?["credential_source"] as? [String: [String: Any]]
        #expect(source?["executable"]?["command"] as? String == "\(helper) \(Self.audience)")
        #expect(try home.mode(file) == 0o600)
        let other = ToolSetup(
            .gcloud, home.environment, names: [Self.audience + "2", home.path("other.json")])
        try other.apply(try other.plan())
        #expect(home.exists(file) && home.exists("other.json"))
        try home.undo(.gcloud)
        #expect(try home.tree() == tree)

        // One that was changed is the user's own.
        try setup.apply(try setup.plan())
        let changed = try home.read(file).replacingOccurrences(of: "30000", with: "9000")
        try home.write(file, changed)
        let error = #expect(throws: KeychainError.self) { try setup.plan() }
        #expect(error?.status == .param)
        try home.undo(.gcloud)
        #expect(try home.read(file) == changed)
    }

    @Test func askpass() throws {
        let (home, helper) = try home(.askpass)
        let tree = try home.tree()
        try home.setUp(.askpass)
        #expect(
            try home.read(".config/environment.d/60-lanyard-askpass.conf")
                == "SSH_ASKPASS=\(helper)\nSSH_ASKPASS_REQUIRE=force\nSUDO_ASKPASS=\(helper)\n"
                + "SUDO_PROMPT=\"[sudo] password for %p: \"\n")
        // As systemd sets it.
        home.variables["SSH_ASKPASS"] = helper
        #expect(try home.setup(.askpass).plan().isEmpty)
        try home.undo(.askpass)
        #expect(try home.tree() == tree)
        home.variables["SSH_ASKPASS"] = "/usr/bin/ksshaskpass"
        let setup = home.setup(.askpass)
        let error = #expect(throws: KeychainError.self) { try setup.plan() }
        #expect(error?.reason.contains("ksshaskpass") == true)
    }

    /// Where the plugin is on the PATH, nothing has to be done.
    @Test func nuget() throws {
        let (home, helper) = try home(.nuget)
        let empty = try home.setup(.nuget).plan()
        #expect(empty.isEmpty && empty.isToolMissing)
        #expect(empty.notes.contains("dotnet is not on the PATH"))
        try home.script("dotnet", "exit 1")
        let found = try home.setup(.nuget).plan()
        #expect(found.isEmpty && !found.isToolMissing)
        home.variables["PATH"] = "/nowhere"
        var environment = home.environment
        environment.programFolder = "\(home.folder)/bin"
        let tree = try home.tree()
        let setup = ToolSetup(.nuget, environment)
        let plan = try setup.plan()
        #expect(plan.notes.contains { $0.contains("~/.local/bin") })
        try setup.apply(plan)
        #expect(
            try home.read(".local/bin/nuget-plugin-lanyard")
                == "#!/bin/sh\nexec \(helper) \"$@\"\n")
        try home.undo(.nuget)
        #expect(try home.tree() == tree)
    }

    /// OpenBao reads a file of its own, and leaves vault's alone.
    @Test func openBao() throws {
        let (home, helper) = try home(.vault)
        let tree = try home.tree()
        let line = "token_helper = \"\(helper)\"\n"
        try home.script("bao", "exit 1")
        try home.setUp(.vault)
        #expect(try home.read(".bao") == line)
        #expect(!home.exists(".vault"))
        try home.script("vault", "exit 1")
        try home.setUp(.vault)
        #expect(try home.read(".vault") == line)
        try home.undo(.vault)
        #expect(try home.tree() == tree)
        home.variables["BAO_CONFIG_PATH"] = home.path("bao.hcl")
        try home.setUp(.vault)
        #expect(try home.read("bao.hcl") == line)
        #expect(!home.exists(".bao"))
    }

    /// Older ones of podman read no file of root's own, and then store secrets in plain text.
    @Test func podmanAsRoot() throws {
        let (home, _) = try home(.podmanSecrets)
        var environment = home.environment
        for (isRoot, notes) in [(false, 0), (true, 1)] {
            environment.isRoot = isRoot
            let plan = try ToolSetup(.podmanSecrets, environment).plan()
            #expect(plan.notes.count { $0.contains("export CONTAINERS_CONF=") } == notes)
        }
        home.variables["CONTAINERS_CONF"] = home.path("own.conf")
        let plan = try home.setUp(.podmanSecrets)
        #expect(home.exists("own.conf") && !plan.notes.contains { $0.contains("CONTAINERS_CONF") })
        #expect(!home.exists(".config"))
    }

    @Test func byteOrderMark() throws {
        let (home, helper) = try home(.cargo)
        let file = ".cargo/config.toml"
        try home.write(file, "\u{FEFF}[registry]\ndefault = \"mine\"\n")
        let tree = try home.tree()
        try home.setUp(.cargo)
        #expect(
            try home.read(file)
                == "\u{FEFF}[registry]\ndefault = \"mine\"\n"
                + "global-credential-providers = [\"\(helper)\"]\n")
        try home.undo(.cargo)
        #expect(try home.tree() == tree)
    }

    @Test(
        "Debian 12's bazel, cargo and go start no helper",
        arguments: [(Tool.bazel, "6.3"), (.cargo, "1.74"), (.go, "1.24")])
    func oldVersions(tool: Tool, version: String) throws {
        let (home, _) = try home(tool)
        #expect(try home.setup(tool).plan().notes.contains { $0.contains("before \(version)") })
    }

    @Test func tokensOfTerraform() throws {
        let (home, _) = try home(.terraform)
        try home.write(
            ".terraformrc", "credentials \"app.terraform.io\" {\n  token = \"hunter2\"\n}\n")
        let notes = try home.setup(.terraform).plan().notes
        #expect(notes.contains { $0.contains("tokens in '\(home.path(".terraformrc"))'") })
        #expect(!notes.contains { $0.contains("hunter2") })
    }

    /// It no longer reads the system's file once the user has one.
    @Test func ansibleReadsOneFile() throws {
        let (home, _) = try home(.ansible)
        let plan = try ToolSetup(.ansible, home.environment, names: ["dev"]).plan()
        #expect(plan.notes.contains { $0.contains("/etc/ansible/ansible.cfg") })
        home.variables["ANSIBLE_CONFIG"] = home.path("ansible.cfg")
        let other = try ToolSetup(.ansible, home.environment, names: ["dev"]).plan()
        #expect(!other.notes.contains { $0.contains("/etc") })
    }

    /// pnpm 10 and older take the whole setting for a path.
    @Test func pnpm() throws {
        let (home, helper) = try home(.pnpm)
        let tree = try home.tree()
        let setup = ToolSetup(
            .pnpm, home.environment,
            names: ["https://npm.example.com:8443/a", "https://npm.example.com"])
        try setup.apply(try setup.plan())
        for (place, name) in [
            ("npm.example.com:8443/a/", "npm.example.com_3a8443_2fa"),
            ("npm.example.com/", "npm.example.com"),
        ] {
            let script = ".local/bin/pnpm-token-lanyard-\(name)"
            #expect(try home.read(script) == "#!/bin/sh\nexec \(helper) https://\(place) \"$@\"\n")
            #expect(try home.mode(script) == 0o755)
            #expect(
                try home.read(".npmrc").contains("//\(place):tokenHelper=\(home.path(script))\n"))
        }
        try home.undo(.pnpm)
        #expect(try home.tree() == tree)
    }

    /// Each registry has a script of its own, whatever its address looks like.
    @Test func scriptsOfPnpm() throws {
        let (home, helper) = try home(.pnpm)
        let places = [
            "npm.example/a/b/", "npm.example/a_b/", "npm.example/a_2fb/",
            "npm.example/My%20Feed~1/",
        ]
        for place in places {
            // One address, written in two ways.
            let names = ["https://\(place)", "https://\(place.dropLast())"]
            let setup = ToolSetup(.pnpm, home.environment, names: names)
            try setup.apply(try setup.plan())
            #expect(try setup.plan().isEmpty)
        }
        let lines = try home.read(".npmrc").split(separator: "\n")
        #expect(lines.count == places.count, "\(lines)")
        for (line, place) in zip(lines.sorted(), places.sorted()) {
            let parts = line.components(separatedBy: ":tokenHelper=")
            try #require(parts.count == 2 && parts[0] == "//\(place)", "\(line)")
            let script = try String(contentsOfFile: parts[1], encoding: .utf8)
            #expect(script.contains("exec \(helper) ") && script.contains("https://\(place)"))
        }
    }

    /// pnpm can't name a script in such a home folder.
    @Test func homeThatPnpmCannotTake() throws {
        let (home, _) = try home(.pnpm)
        home.variables["HOME"] = home.path("ada@corp.example")
        let setup = ToolSetup(.pnpm, home.environment, names: ["https://npm.example.com"])
        let error = #expect(throws: KeychainError.self) { try setup.plan() }
        #expect(error?.hint == "name the helper yourself: man pnpm-token-lanyard")
    }

    private func home(_ tool: Tool) throws -> (SetupHome, helper: String) {
        let home = try SetupHome()
        let helper = try #require(tool.format?.helper)
        try home.script(helper, "exit 1")
        return (home, "\(home.folder)/bin/\(helper)")
    }

    @Test("setup adds its lines, undo leaves every byte", arguments: cases)
    func setUpAndUndo(_ test: Case) throws {
        let (home, helper) = try home(test.tool)
        if let before = test.before {
            try home.write(test.file, before)
        }
        let tree = try home.tree()
        let setup = ToolSetup(test.tool, home.environment, names: test.names)
        try setup.apply(try setup.plan())
        #expect(
            try home.read(test.file)
                == test.after.replacingOccurrences(of: "HELPER", with: helper)
                .replacingOccurrences(of: "HOME", with: "\(home.folder)/home"))
        #expect(try setup.plan().isEmpty)
        try home.undo(test.tool)
        #expect(try home.tree() == tree)
    }

    /// Of every tool in the catalogue, with the names of its help's example.
    @Test(arguments: CatalogTools.all.compactMap { $0.settings == nil ? nil : $0.name })
    func everySetupIsUndone(name: String) throws {
        let settings = try #require(CatalogTools.named(name)?.settings)
        let (home, helper) = try home(.settings(name))
        // As an archive has it: its programs are not on the PATH.
        home.variables["PATH"] = "/nowhere"
        var environment = home.environment
        environment.programFolder = "\(home.folder)/bin"
        let names = settings.argument?.example.split(separator: " ").map { String($0) } ?? []
        let tree = try home.tree()
        let setup = ToolSetup(.settings(name), environment, names: names)
        let plan = try setup.plan()
        #expect(!plan.isEmpty && plan.changes.flatMap(\.lines).contains { $0.contains(helper) })
        try setup.apply(plan)
        #expect(try setup.plan().isEmpty)
        let damage = try SettingsDamage(.settings(name), environment)
        #expect(damage.changed.isEmpty && damage.missing.isEmpty)
        try setup.apply(try setup.undoPlan())
        #expect(try home.tree() == tree)
        if settings.argument == nil {
            let other = ToolSetup(.settings(name), environment, names: ["x"])
            #expect(throws: KeychainError.self) { try other.plan() }
        }
    }

    /// What else was changed since remains.
    @Test(arguments: cases)
    func undoAfterAChange(_ test: Case) throws {
        let (home, _) = try home(test.tool)
        if let before = test.before {
            try home.write(test.file, before)
        }
        let setup = ToolSetup(test.tool, home.environment, names: test.names)
        try setup.apply(try setup.plan())
        try home.write(test.file, "# mine\n\(try home.read(test.file))")
        try home.undo(test.tool)
        let rest = try home.read(test.file)
        #expect(rest.hasPrefix("# mine\n") && !rest.contains("lanyard"), "\(rest)")
        for line in (test.before ?? "").split(whereSeparator: \.isNewline) {
            #expect(rest.contains(line))
        }
    }

    @Test func scripts() throws {
        for (tool, file) in [
            (Tool.terraform, ".terraform.d/plugins/terraform-credentials-lanyard"),
            (.keyring, ".local/bin/keyring"),
        ] {
            let (home, helper) = try home(tool)
            try home.setUp(tool)
            #expect(try home.read(file) == "#!/bin/sh\nexec \(helper) \"$@\"\n")
            #expect(try home.mode(file) == 0o755)
            try home.undo(tool)
            #expect(!home.exists(file))
        }
    }

    @Test(
        "plain text that the tool no longer reads is named and counted",
        arguments: [
            (
                Tool.cargo, ".cargo/credentials.toml",
                "[registry]\ntoken = \"hunter2\"\n[registries.x]\ntoken = \"hunter3\"\n", 2
            ),
            (.vault, ".vault-token", "hunter2", 1), (.cargo, ".cargo/credentials.toml", "\n", 0),
        ])
    func ignored(_ tool: Tool, _ file: String, _ text: String, _ count: Int) throws {
        let (home, _) = try home(tool)
        home.variables["VAULT_ADDR"] = "https://vault.example"
        try home.write(file, text)
        let path = "'\(home.path(file))'"
        let note =
            "\(path) contains logins in plain text (\(count)): \(tool.name) no longer reads them; to move them "
            + "into the keychain: lanyard import \(tool.name) --remove-plain-text \(path)"
        func notes() throws -> [String] { try home.setup(tool).plan().unusedLogins.map(\.note) }
        #expect(try notes() == (count == 0 ? [] : [note]))
        // Also later.
        try home.setUp(tool)
        #expect(try notes() == (count == 0 ? [] : [note]))
    }

    /// Whose token it is says only the variable.
    @Test func vaultsTokenWithoutAnAddressIsNamed() throws {
        let (home, _) = try home(.vault)
        #expect(try !home.setup(.vault).plan().notes.contains { $0.contains("token") })
        try home.write(".vault-token", "hunter2")
        let plan = try home.setup(.vault).plan()
        #expect(plan.unusedLogins.isEmpty)
        #expect(
            plan.notes.contains(
                "vault no longer reads '\(home.path(".vault-token"))'; to move it, with VAULT_ADDR set: "
                    + "lanyard import vault --remove-plain-text"), "\(plan.notes)")
    }

    @Test(
        "another helper is not displaced",
        arguments: [
            (
                Tool.cargo, ".cargo/config.toml",
                "[registry]\nglobal-credential-providers = [\"x\"]\n"
            ),
            (.vault, ".vault", "token_helper = \"/opt/helper\"\n"),
            (.keyring, ".local/bin/keyring", "#!/usr/bin/python3\n"),
            (.gpg, ".gnupg/gpg-agent.conf", "pinentry-program /usr/bin/pinentry-qt\n"),
            (.gpg, ".gnupg/gpg-agent.conf", "pinentry-program\t/usr/bin/pinentry-qt\n"),
            // pip reads no file with a key twice.
            (.keyring, ".config/pip/pip.conf", "[global]\nKeyring-Provider = import\n"),
            (.keyring, ".config/pip/pip.conf", "[global]\nkeyring_provider = import\n"),
            // cargo refuses such a line next to a header.
            (.cargo, ".cargo/config.toml", "registry.default = \"x\"\n"),
            (.terraform, ".terraformrc", "credentials_helper \"x\" { args = [\"y\"] }\n"),
        ])
    func conflict(_ tool: Tool, _ file: String, _ text: String) throws {
        let (home, _) = try home(tool)
        try home.write(file, text)
        let tree = try home.tree()
        let setup = home.setup(tool)
        let error = #expect(throws: KeychainError.self) { try setup.plan() }
        #expect(
            error?.status == .param && error?.reason.contains(file) == true,
            "\(String(describing: error))")
        #expect(try home.tree() == tree)
    }

    @Test func damage() throws {
        let (home, helper) = try home(.vault)
        try home.setUp(.vault)
        var damage = try SettingsDamage(.vault, home.environment)
        #expect(damage.changed.isEmpty && damage.missing.isEmpty)
        try FileManager.default.removeItem(atPath: helper)
        damage = try SettingsDamage(.vault, home.environment)
        #expect(damage.changed.isEmpty && damage.missing == [helper])
        try home.write(".vault", "")
        damage = try SettingsDamage(.vault, home.environment)
        #expect(damage.changed == [home.path(".vault")] && damage.missing.isEmpty)
    }

    @Test(
        "a user's list of helpers may have lanyard's",
        arguments: [
            ("[\"cargo:token\", \"HELPER\"]", false),
            ("[\n  \"cargo:token\",\n  \"HELPER\",\n]", false), ("[\"cargo:token\"]", true),
            ("[\"cargo:token\"]\n# \"HELPER\"", true),
        ])
    func listOfHelpers(value: String, isDamaged: Bool) throws {
        let (home, helper) = try home(.cargo)
        try home.setUp(.cargo)
        let value = value.replacingOccurrences(of: "HELPER", with: helper)
        try home.write(
            ".cargo/config.toml", "[registry]\nglobal-credential-providers = \(value)\n")
        let damage = try SettingsDamage(.cargo, home.environment)
        #expect(damage.changed == (isDamaged ? [home.path(".cargo/config.toml")] : []))
    }

    @Test(
        "undo takes lanyard out of a user's list of helpers",
        arguments: [
            ("[\"cargo:token\", \"HELPER\"]", "[\"cargo:token\"]"),
            ("[\"HELPER\" , \"cargo:token\"] # both", "[\"cargo:token\"] # both"),
            ("[\n  \"cargo:token\",\n  \"HELPER\",\n]", "[\n  \"cargo:token\",\n]"),
            ("[\"HELPER\", ]", nil),
        ])
    func undoOfList(value: String, rest: String?) throws {
        let (home, helper) = try home(.cargo)
        let file = ".cargo/config.toml"
        let start = "[net]\noffline = true\n"
        try home.write(file, start)
        try home.setUp(.cargo)
        let value = value.replacingOccurrences(of: "HELPER", with: helper)
        let list = "\n[registry]\nglobal-credential-providers = "
        try home.write(file, "\(start)\(list)\(value)\n")
        // It is in force, and stays as it is.
        #expect(try home.setup(.cargo).plan().isEmpty)
        try home.undo(.cargo)
        #expect(try home.read(file) == start + (rest.map { "\(list)\($0)\n" } ?? "\n"))
    }

    /// aws and its libraries look for these before `credential_process`.
    @Test(
        arguments: [
            ("sso_session = corp", "sso_session", nil),
            ("SSO_Start_URL=https://a.example", "SSO_Start_URL", nil),
            ("role_arn = arn:x\nsource_profile = base", "role_arn", "lanyard setup aws base"),
            ("role_arn = arn:x\ncredential_source = Environment", "role_arn", nil),
            ("web_identity_token_file = /t\nrole_arn = arn:x", "web_identity_token_file", nil),
            ("login_session = arn:x", "login_session", nil),
        ] as [(String, String, String?)])
    func awsProfileWithAnotherLogin(lines: String, key: String, hint: String?) throws {
        let (home, _) = try home(.aws)
        try home.write(".aws/config", "[profile sso]\n\(lines)\n\n[profile work]\nregion = x\n")
        let error = failure {
            _ = try ToolSetup(.aws, home.environment, names: ["work", "sso"]).plan()
        }
        #expect(error?.status == .param)
        #expect(
            error?.reason
                == "'\(home.path(".aws/config"))' sets '\(key)' in [profile sso], which aws prefers to lanyard"
        )
        #expect(error?.hint == hint ?? "remove that, or keep it and don't set that profile up")
        #expect(try !ToolSetup(.aws, home.environment, names: ["work"]).plan().isEmpty)
    }

    @Test("a user's own list with lanyard's helper is no conflict") func ownList() throws {
        let (home, helper) = try home(.cargo)
        try home.write(
            ".cargo/config.toml",
            "[registry]\nglobal-credential-providers = [\"cargo:token\", \"\(helper)\"]\n")
        #expect(try home.setup(.cargo).plan().isEmpty)
    }

    @Test("names are checked", arguments: [[], ["a\tb"], ["a]"], ["a\n[x]"], ["a=b"], [""]])
    func names(names: [String]) throws {
        let (home, _) = try home(.aws)
        let setup = ToolSetup(.aws, home.environment, names: names)
        let error = #expect(throws: KeychainError.self) { try setup.plan() }
        #expect(error?.status == .param)
    }

    @Test("a folder that a tool would split is refused")
    func splitPath() throws {
        let (home, helper) = try home(.bazel)
        let folder = "\(home.folder)/a b"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        try FileManager.default.moveItem(
            atPath: helper, toPath: "\(folder)/bazel-credential-lanyard")
        home.variables["PATH"] = folder
        let setup = home.setup(.bazel)
        let error = #expect(throws: KeychainError.self) { try setup.plan() }
        #expect(error?.status == .param)
    }
}
