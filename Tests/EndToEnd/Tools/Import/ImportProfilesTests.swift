import Foundation
import Glibc
import Testing
@testable import EndToEndRig

/// `lanyard import PROGRAM`, and `lanyard run PROGRAM` afterwards. The programs are scripts that print what they get.
@Suite(.timeLimit(.minutes(10)))
struct ImportProfilesTests {
    let home: ScratchHome
    /// A folder of programs that print what such programs see.
    let programs: String

    init() throws {
        home = try ScratchHome()
        programs = try home.folderOfPrintingPrograms([
            "aws", "composer", "gh", "hcloud", "psql", "travis",
        ])
    }

    private func run(
        _ program: String..., shows: String? = nil
    ) async throws -> Outcome {
        let path = try home.environment()["PATH"] ?? ""
        return try await home.command(
            "lanyard", ["run"] + program,
            variables: ["PATH": "\(programs):\(path)", "SHOWS": shows]
        ).run()
    }

    @Test func theProgramGetsItsSecret() async throws {
        let hosts = try home.writeAtHome(
            "github.com:\n    oauth_token: gho_a\n    user: ada\n", to: ".config/gh/hosts.yml")
        let outcome = try await home.imports("gh", "--remove-plain-text")
        #expect(
            outcome.outputText
                == "import    1 new\nremoved   1 login from '\(hosts)'\n", "\(outcome)")
        #expect(home.textAtHome(".config/gh/hosts.yml") == "github.com:\n    user: ada\n")
        expectAnswer(try await run("gh"), "gh\nGH_TOKEN=gho_a\n")

        try home.writeAtHome(
            "[[contexts]]\nname = \"x\"\ntoken = \"t\"\n", to: ".config/hcloud/cli.toml")
        try await home.expectImport("hcloud", saying: "import    1 new")
        try await home.expectImport("hcloud", saying: "import    1 unchanged")
        expectAnswer(try await run("hcloud"), "hcloud\nHCLOUD_TOKEN=t\n")
    }

    /// A password of one server reaches no other one.
    @Test func aServersPassword() async throws {
        try home.writeAtHome("db.example:5432:db:u:pw1\n", to: ".pgpass")
        try await home.expectImport("psql", "--remove-plain-text", saying: "import    1 new")
        let right = try await run(
            "psql", "-h", "db.example", "-U", "u", "db", shows: "PGPASSFILE")
        #expect(right.outputText.hasSuffix("\ndb.example:5432:db:u:pw1\n"), "\(right)")
        let wrong = try await run(
            "psql", "-w", "-h", "127.0.0.1", "-U", "u", "db", shows: "PGPASSFILE")
        #expect(!wrong.outputText.contains("pw1"), "\(wrong)")
        #expect(
            wrong.errorText.hasPrefix(
                "lanyard: warning: psql gets no secret: it is asked for '127.0.0.1:5432:db as u', "
                    + "and has 'db.example:5432:db as u'\n"
                    + "lanyard: hint: lanyard set psql@127.0.0.1:5432:db u\n"), "\(wrong)")
        // The sentence is whole for an item without a server, too.
        try await home.set("psql", "v", secret: "pw2")
        let other = try await run("psql", "-U", "w", "db")
        #expect(other.errorText.contains("and has '*:*:* as v', 'db.example:5432:db as u'\n"))
    }

    /// libpq takes the first line that matches.
    @Test func theOrderOfLines() async throws {
        try home.writeAtHome(
            "b.example:*:*:u:pw1\n*:5432:db:u:pw2\n*:*:*:u:pw3\nc.example:1:d:u:pw4\n",
            to: ".pgpass")
        try await home.expectImport(
            "psql", saying: "import    3 new, 1 unused (an earlier one is for the same place)")
        let all = try await run("psql", "-h", "b.example", "-U", "u", "db", shows: "PGPASSFILE")
        #expect(
            all.outputText.hasSuffix(
                "\nb.example:*:*:u:pw1\n*:5432:db:u:pw2\n*:*:*:u:pw3\n"), "\(all)")
    }

    /// A line that libpq never uses may have the only copy of its password. Without the line that hides it, libpq and the
    /// next import would use it.
    @Test func anUnusedLineStays() async throws {
        let lines = [
            "a.example:*:*:u:pw1", "*:*:*:v:pw2", "b.example:*:*:v:0nly-here",
            "c.example:*:*:v:pw2",
        ]
        let file = try home.writeAtHome(lines.joined(separator: "\n") + "\n", to: ".pgpass")
        for counts in ["2 new", "1 unchanged"] {
            let unused = counts == "2 new" ? 2 : 1
            let outcome = try await home.imports("psql", "--remove-plain-text")
            #expect(outcome.status == 0, "\(outcome)")
            #expect(
                outcome.outputText.hasPrefix(
                    "import    \(counts), \(unused) unused (an earlier one is for the same place)\n"
                ),
                "\(outcome)")
            #expect(
                outcome.errorText.contains(
                    "'\(file)' still has 2 entries in plain text, because of line 2\n"),
                "\(outcome)"
            )
            #expect(!"\(outcome)".contains("0nly-here"))
            #expect(
                home.textAtHome(".pgpass") == "*:*:*:v:pw2\nb.example:*:*:v:0nly-here\n",
                "\(outcome)")
        }
        let doctor = try Doctor(try await home.lanyard("doctor", "--json"))
        let found = doctor.findings.first { $0.code == "plain-text-tool" }
        #expect(
            found?.advice
                == "line 2 is unused, since an earlier entry is for the same place: take it out of the file",
            "\(doctor)")
        // What doctor says.
        try home.writeAtHome("*:*:*:v:pw2\n", to: ".pgpass")
        try await home.expectImport("psql", "--remove-plain-text", saying: "import    1 unchanged")
        #expect(home.textAtHome(".pgpass") == nil)
    }

    /// Import and run read the file that the program reads.
    @Test(arguments: [
        ("XDG_CONFIG_HOME", "xdg", "xdg/hcloud/cli.toml"), ("HCLOUD_CONFIG", "c.toml", "c.toml"),
    ])
    func theFileOfTheProgram(variable: String, value: String, place: String) async throws {
        let entries = ["a", "b"].map { "[[contexts]]\nname = \"\($0)\"\ntoken = \"t\($0)\"\n" }
        let usual = "active_context = \"a\"\n[[contexts]]\nname = \"a\"\ntoken = \"other\"\n"
        try home.writeAtHome(usual, to: ".config/hcloud/cli.toml")
        try home.writeAtHome("active_context = \"b\"\n\(entries.joined())", to: place)
        let variables = [variable: "\(home.path)/home/\(value)"]
        try await home.expectImport("hcloud", saying: "import    2 new", variables: variables)
        let path = try home.environment()["PATH"] ?? ""
        let outcome = try await home.command(
            "lanyard", ["run", "hcloud"],
            variables: (["PATH": "\(programs):\(path)"] as [String: String?]).merging(variables) {
                $1
            }
        ).run()
        #expect(outcome.outputText.contains("HCLOUD_TOKEN=tb\n"), "\(outcome)")
        expectAnswer(try await run("hcloud"), "hcloud\nHCLOUD_TOKEN=ta\n")
    }

    /// Each token is for its own host.
    @Test func tokensOfTwoHosts() async throws {
        try home.writeAtHome(
            "github.com:\n    oauth_token: gho_a\nghe.example:\n    oauth_token: gho_b\n",
            to: ".config/gh/hosts.yml")
        let outcome = try await home.imports("gh")
        #expect(outcome.outputText == "import    2 new\n", "\(outcome)")
        #expect(outcome.status == 0, "\(outcome)")
        expectAnswer(try await run("gh", "x"), "gh x\nGH_TOKEN=gho_a\n")
        expectAnswer(
            try await run("gh", "--hostname", "ghe.example"),
            "gh --hostname ghe.example\nGH_ENTERPRISE_TOKEN=gho_b\nGH_HOST=ghe.example\n")
    }

    /// The keys are for the helper of aws, which a setup makes it ask.
    @Test func keysOfAHelper() async throws {
        try home.writeAtHome(
            "[default]\naws_access_key_id = AKIA1\naws_secret_access_key = s\n"
                + "[work]\naws_access_key_id = AKIA2\naws_secret_access_key = t\n",
            to: ".aws/credentials")
        try await home.expectImport("aws", saying: "import    2 new")
        let outcome = try await run("aws", "s3", "ls")
        #expect(outcome.status == 44, "\(outcome)")
        #expect(
            outcome.errorText
                == "lanyard: error: item 'aws' not found: Lanyard has secrets for the helper of aws\n"
                + "lanyard: hint: lanyard setup aws default work makes aws ask for them, without lanyard run\n",
            "\(outcome)")
        let account = try await run("--account", "AKIA2", "aws", "s3", "ls")
        #expect(account.errorText == outcome.errorText, "\(account)")
        // The keys of one profile are in either place.
        try await home.set("aws@dev", "AKIA3", secret: "u")
        let work = try await run("aws", "--profile", "work", "s3", "ls")
        #expect(
            work.errorText.hasSuffix(
                "lanyard: hint: lanyard setup aws work makes aws ask for them, without lanyard run\n"
            ),
            "\(work)")
    }

    /// A key for `lanyard run aws` is found by the setup of the helper, which gets a copy.
    @Test func aKeyOfLanyardRun() async throws {
        try await home.set("aws", "AKIA1", secret: "s")
        try await home.set("aws@work", "AKIA2", secret: "t")
        let setup = try await home.lanyard("setup", "aws", "default", "work")
        let copies = setup.outputText.split(separator: "\n").compactMap { line in
            line.firstRange(of: "lanyard get ").map { String(line[$0.lowerBound...]) }
        }
        #expect(
            copies == [
                "lanyard get aws AKIA1 | lanyard set --for aws default AKIA1",
                "lanyard get aws@work AKIA2 | lanyard set --for aws work AKIA2",
            ], "\(setup)")
        try await home.succeeds("sh", "-c", copies.joined(separator: "\n"))
        let answer = try await home.command("aws-credential-lanyard", ["work"]).run()
        #expect(answer.outputText.contains(#""SecretAccessKey":"t""#), "\(answer)")
        let again = try await home.lanyard("setup", "aws", "default", "work")
        #expect(!again.outputText.contains("next"), "\(again)")
    }

    /// aws prefers the keys in its file: an import moves them, and there is nothing to type.
    @Test func theNextStepForAKeyInTheFile() async throws {
        try home.writeAtHome(
            "[work]\naws_access_key_id = AKIA2\naws_secret_access_key = t\n", to: ".aws/credentials"
        )
        let setup = try await home.lanyard("setup", "aws", "work", "dev")
        #expect(setup.outputText.contains("lanyard import aws --remove-plain-text\n"), "\(setup)")
        #expect(
            setup.outputText.hasSuffix("next      lanyard set --for aws dev ACCESS-KEY-ID\n"),
            "\(setup)")
        #expect(!setup.outputText.contains("--for aws work"), "\(setup)")
    }

    /// No hint names a program that is not installed.
    @Test func theFileOfAMissingProgram() async throws {
        try home.writeAtHome("db.example:5432:db:u:pw1\n", to: ".pgpass")
        let bin = try #require(try home.environment()["PATH"]).split(separator: ":").first
        let outcome = try await home.command(
            "lanyard", ["import", "psql", "--remove-plain-text"],
            variables: ["PATH": String(bin ?? "")]
        ).run()
        #expect(outcome.status == 0 && !outcome.errorText.contains("psql"), "\(outcome)")
        #expect(!outcome.errorText.contains("lanyard run"), "\(outcome)")
    }

    /// gh knows no host of an enterprise without a login in its file; a work tree of git has a file in place of a folder.
    @Test func aCloneOfAnEnterprise() async throws {
        try await home.set("gh@ghe.example", secret: "gho_b")
        try await home.set("gh@github.com", secret: "gho_a")
        let remote = "[remote \"origin\"]\n\turl = git@ghe.example:a/b.git\n"
        try home.writeAtHome(remote, to: "clone/.git/config")
        try home.writeAtHome("../..\n", to: "clone/.git/worktrees/x/commondir")
        try home.writeAtHome("gitdir: \(home.folder)/clone/.git/worktrees/x\n", to: "tree/.git")
        try home.writeAtHome("gitdir: ../clone/.git\n", to: "module/.git")
        let path = "\(programs):\(try home.environment()["PATH"] ?? "")"
        for folder in ["clone", "tree", "module"] {
            let script = #"cd "$HOME/$0" && exec lanyard run gh pr list"#
            let outcome = try await home.command(
                "/bin/sh", ["-c", script, folder], variables: ["PATH": path]
            ).run()
            expectAnswer(
                outcome, "gh pr list\nGH_ENTERPRISE_TOKEN=gho_b\nGH_HOST=ghe.example\n")
        }
    }

    /// travis notes in the clone's configuration which repository it is.
    @Test func aCloneOfTravis() async throws {
        try await home.set("travis@a.example", secret: "one")
        try await home.set("travis@b.example", secret: "two")
        try home.writeAtHome(
            "default_endpoint: https://a.example/\nrepos:\n  ada/x:\n    endpoint: https://b.example/\n",
            to: ".travis/config.yml")
        try home.writeAtHome("[travis]\n\tslug = ada/x\n", to: "known/.git/config")
        try home.writeAtHome("[core]\n", to: "unknown/.git/config")
        let path = "\(programs):\(try home.environment()["PATH"] ?? "")"
        func run(_ folder: String) async throws -> Outcome {
            let script = #"cd "$HOME/$0" && exec lanyard run travis logs"#
            return try await home.command(
                "/bin/sh", ["-c", script, folder], variables: ["PATH": path]
            ).run()
        }
        expectAnswer(try await run("known"), "travis logs\nTRAVIS_TOKEN=two\n")
        let unknown = try await run("unknown")
        #expect(unknown.outputText == "travis logs\n", "\(unknown)")
        #expect(
            unknown.errorText.contains(
                """
                travis gets no secret: its host depends on --repo
                lanyard: hint: name it with --repo, or the host with --api-endpoint
                """), "\(unknown)")
    }

    @Test(arguments: [[], ["--json"]]) func theErrorHasTheHint(options: [String]) async throws {
        let token = String(repeating: "t", count: 2 << 20 + 1)
        let file = try home.writeAtHome(
            "[[contexts]]\nname = \"x\"\ntoken = \"\(token)\"\n", to: "cli.toml")
        let outcome = try await home.command("lanyard", ["import", "hcloud", file] + options).run()
        #expect(outcome.status == 42, "\(outcome.errorText)")
        let hints = outcome.errorText.components(separatedBy: "lanyard: hint: ")
        #expect(hints.count == 2, "\(outcome.errorText)")
        #expect(hints[0].hasSuffix("lanyard: error: 1 entry was not imported\n"))
    }

    /// A link stays, and its target changes.
    @Test func aLinkStays() async throws {
        let file = try home.writeAtHome("db:5432:*:ada:pw\n# mine\n", to: "dotfiles/pgpass")
        symlink(file, "\(home.folder)/.pgpass")
        try await home.expectImport("psql", "--remove-plain-text", saying: "import    1 new")
        #expect(home.textAtHome("dotfiles/pgpass") == "# mine\n")
        #expect(home.textAtHome(".pgpass") == "# mine\n")
        expectAnswer(
            try await run("psql", "-h", "db", shows: "PGPASSFILE"), "psql -h db\ndb:5432:*:ada:pw\n"
        )
    }

    /// Nothing of a file without its end is imported, and it stays as it is.
    @Test(arguments: [
        (
            "composer", ".config/composer/auth.json",
            "{\"github-oauth\": {\"github.com\": \"gho_a\",\n\"a.example\": \"gho"
        ),
        (
            "maven", ".m2/settings.xml",
            "<settings><servers><server><id>a</id><password>pw</password></server>\n"
        ),
        (
            "nuget", ".nuget/NuGet/NuGet.Config",
            "<configuration><packageSourceCredentials>\n<a><add key=\"Username\" value=\"u\"/>"
        ),
        ("terraform", ".terraform.d/credentials.tfrc.json", "{\"credentials\": {\n"),
    ])
    func aCutFileIsRefused(tool: String, name: String, text: String) async throws {
        let file = try home.writeAtHome(text, to: name)
        let refused = try await home.imports(tool, "--remove-plain-text")
        #expect(refused.status == 93 && refused.outputText.isEmpty, "\(refused)")
        let reason =
            tool == "terraform"
            ? "invalid JSON at byte 18: expected a member's name"
            : "it ends too early, in line 2"
        #expect(
            refused.errorText == "lanyard: error: '\(file)' can't be imported: \(reason)\n")
        let fixed = try await home.command("lanyard", ["scan", "--fix"]).run()
        #expect(!fixed.outputText.contains("removed"), "\(fixed)")
        #expect(home.textAtHome(name) == text)
    }

    /// The helpers find the items. A kubeconfig keeps its tokens: only a setup can replace them.
    @Test func helpersGetTheirSecrets() async throws {
        let config = """
            clusters:
            - cluster:
                server: https://k.example:6443
              name: test
            contexts:
            - context:
                cluster: test
                user: ada
              name: ada
            current-context: ada
            users:
            - name: ada
              user:
                token: token-of-ada

            """
        try home.writeAtHome(config, to: ".kube/config")
        try await home.expectImport("kubectl", saying: "import    1 new")
        try await home.expectImport("kubectl", saying: "import    1 unchanged")
        let refused = try await home.imports("kubectl", "--remove-plain-text")
        #expect(
            refused.status == 64
                && refused.errorText.hasSuffix("lanyard: hint: lanyard setup kubectl\n"),
            "\(refused)")
        #expect(home.textAtHome(".kube/config") == config)
        let token = try await home.command(
            "kubectl-credential-lanyard", ["https://k.example:6443", "ada"]
        ).run()
        #expect(token.outputText.contains(#""token":"token-of-ada""#), "\(token)")

        try home.writeAtHome(
            """
            [[credential]]
            service = "https://pypi.example/"
            username = "ada"
            scheme = "basic"
            password = "pw"

            """, to: ".local/share/uv/credentials/credentials.toml")
        try await home.expectImport("uv", "--remove-plain-text", saying: "import    1 new")
        #expect(home.textAtHome(".local/share/uv/credentials/credentials.toml") == nil)
        let password = try await home.command(
            "keyring-lanyard", ["get", "https://pypi.example/simple", "ada"]
        ).run()
        expectAnswer(password, "pw\n")
    }

    /// Maven itself gets the login of a server. What it has encrypted stays.
    @Test(.needs(.maven)) func maven() async throws {
        let encrypted =
            "    <server><id>b</id><username>u</username><password>{c=}</password></server>\n"
        try home.writeAtHome(
            "<settings>\n  <servers>\n    <server>\n      <id>central</id>\n"
                + "      <username>ada</username>\n      <password>p&amp;w</password>\n"
                + "    </server>\n\(encrypted)  </servers>\n</settings>\n", to: ".m2/settings.xml")
        try home.writeAtHome(
            "<settingsSecurity><master>{d=}</master></settingsSecurity>\n",
            to: ".m2/settings-security.xml")
        let outcome = try await home.imports("maven", "--remove-plain-text")
        #expect(
            outcome.status == 0 && outcome.outputText.hasPrefix("import    2 new"), "\(outcome)")
        #expect(
            outcome.errorText.contains(
                "was skipped: it is encrypted with the master password in settings-security.xml\n"),
            "\(outcome)")
        #expect(outcome.errorText.contains("was skipped: it is encrypted by maven\n"), "\(outcome)")
        #expect(
            home.textAtHome(".m2/settings.xml")
                == "<settings>\n  <servers>\n\(encrypted)  </servers>\n</settings>\n")

        let server = ScriptedServer(
            script: """
                class Handler(Base):
                    def do_GET(self):
                        given = self.headers.get("Authorization")
                        if not given:
                            return self.reply(401, WWW_Authenticate='Basic realm="x"')
                        with open(arguments[0], "a") as log:
                            log.write(given + "\\n")
                        self.reply(404)
                """, arguments: ["\(home.path)/log"])
        let home = home
        try await server.serve(home) { port in
            try home.writeAtHome(
                """
                <project><modelVersion>4.0.0</modelVersion><artifactId>y</artifactId>
                <parent><groupId>x</groupId><artifactId>p</artifactId><version>1</version><relativePath/></parent>
                <repositories><repository><id>central</id><url>http://127.0.0.1:\(port)/</url></repository></repositories>
                </project>
                """, to: "project/pom.xml")
            _ = try await home.command(
                "lanyard",
                [
                    "run", "mvn", "-B", "-q", "-f", "\(home.folder)/project/pom.xml",
                    "-Duser.home=\(home.folder)", "validate",
                ]
            ).run()
        }
        let log = try String(decoding: home.read("\(home.path)/log"), as: UTF8.self)
        #expect(log == "Basic \(Data("ada:p&w".utf8).base64EncodedString())\n")
    }

    /// Composer takes all of its file in a variable, and a property of gradle is a reference away.
    @Test func composerAndGradle() async throws {
        let auth = #"{"http-basic": {"a.example": {"username": "ada", "password": "p"}}}"#
        try home.writeAtHome(auth + "\n", to: ".config/composer/auth.json")
        try await home.expectImport("composer", "--remove-plain-text", saying: "import    1 new")
        #expect(home.textAtHome(".config/composer/auth.json") == nil)
        expectAnswer(
            try await run("composer"), "composer\nCOMPOSER_AUTH=\(auth)\n")

        try home.writeAtHome("a=b\nrepoPassword=p w\n", to: ".gradle/gradle.properties")
        try await home.expectImport("gradle", "--remove-plain-text", saying: "import    1 new")
        #expect(home.textAtHome(".gradle/gradle.properties") == "a=b\n")
        let env = try home.write(
            "ORG_GRADLE_PROJECT_repoPassword=lanyard:gradle#repoPassword\n", to: "x.env")
        expectAnswer(
            try await home.lanyard(
                "exec", "--env-file", env, "--", "sh", "-c",
                "echo \"$ORG_GRADLE_PROJECT_repoPassword\""),
            "p w\n")
    }

    /// A tool that is not set up finds a login that has moved no longer.
    @Test(arguments: [
        (
            "aws", ".aws/credentials", "[a]\naws_access_key_id=A\naws_secret_access_key=b\n",
            "aws 'a'"
        ),
        ("cargo", ".cargo/credentials.toml", "[registry]\ntoken = \"t\"\n", "cargo"),
        (
            "terraform", ".terraform.d/credentials.tfrc.json",
            #"{"credentials":{"a.example":{"token":"t"}}}"#, "terraform"
        ),
        (
            "uv", ".local/share/uv/credentials/credentials.toml",
            "[[credential]]\nservice = \"https://a.example\"\nusername = \"a\"\npassword = \"t\"\n",
            "keyring"
        ),
        ("gh", ".config/gh/hosts.yml", "github.com:\n    oauth_token: t\n", "gh"),
        ("pypirc", ".pypirc", "[pypi]\npassword = t\n", "keyring"),
        ("vault", ".vault-token", "t\n", "vault"),
    ])
    func theMissingSetupIsNamed(
        tool: String, file: String, text: String, setup: String
    ) async throws {
        let path = try home.environment()["PATH"] ?? ""
        let variables: [String: String?] = [
            "PATH": "\(home.folder)/.local/bin:\(programs):\(path)",
            "VAULT_ADDR": "https://v.example",
        ]
        let place = try home.writeAtHome(text, to: file)
        let tried = try await home.imports(
            tool, "--dry-run", variables: variables)
        #expect(tried.error.isEmpty, "\(tried)")
        let warning = """
            lanyard: warning: programs that read '\(place)' no longer find these logins
            lanyard: hint: lanyard setup \(setup)

            """
        let moved = try await home.imports(
            tool, "--remove-plain-text", variables: variables)
        #expect(moved.status == 0 && moved.errorText.hasPrefix(warning), "\(moved)")
        let done = try await home.command(
            "sh", ["-c", "lanyard setup \(setup)"], variables: variables
        ).run()
        #expect(done.status == 0, "\(done)")
        try home.writeAtHome(text, to: file)
        let again = try await home.imports(
            tool, "--remove-plain-text", variables: variables)
        #expect(again.status == 0 && !again.errorText.contains("no longer find"), "\(again)")
    }

    /// twine looks in keyring, once that is set up.
    @Test func aScanMovesToTheHelperThatIsSetUp() async throws {
        try await home.succeeds("lanyard", "setup", "keyring")
        try home.writeAtHome("[pypi]\nusername = __token__\npassword = t0ken\n", to: ".pypirc")
        let fixed = try await home.command("lanyard", ["scan", "--fix"]).run()
        #expect(home.textAtHome(".pypirc")?.contains("t0ken") == false, "\(fixed)")
        let got = try await home.command(
            "keyring-lanyard", ["get", "https://upload.pypi.org/legacy/", "__token__"]
        ).run()
        expectAnswer(got, "t0ken\n")
    }

    /// Without the flag, the file still has what was imported: the hint is the command that takes it out.
    @Test(arguments: [
        ("gradle", ".gradle/gradle.properties", "aPassword=t\n", "gradle"),
        ("npm", ".npmrc", "//registry.npmjs.org/:_authToken=t\n", "npm"),
        ("gh", ".config/gh/hosts.yml", "github.com:\n    oauth_token: t\n", "gh"),
        ("tool", ".pgpass", "db:5432:*:ada:t\n", "psql"),
        (
            "nuget", ".nuget/NuGet/NuGet.Config",
            #"<configuration><packageSources><add key="a" value="https://a.example/i.json"/>"#
                + #"</packageSources><packageSourceCredentials><a><add key="Username" value="u"/>"#
                + #"<add key="ClearTextPassword" value="t"/></a></packageSourceCredentials></configuration>"#,
            "nuget"
        ),
        ("netrc", ".netrc", "machine a.example login b password t\n", "netrc"),
    ])
    func thePlainTextIsStillThere(
        source: String, file: String, text: String, tool: String
    ) async throws {
        let place = try home.writeAtHome(text, to: file)
        let words = (source == "tool" ? ["tool", tool] : [source]) + [place]
        let kept = try await home.command("lanyard", ["import"] + words).run()
        let command =
            "lanyard import \(source) --remove-plain-text"
            + " \((source == "tool" ? "\(tool) " : ""))\(place)"
        #expect(
            kept.status == 0
                && kept.errorText.hasSuffix("hint: the plain text is still there: \(command)\n"),
            "\(kept)")
        #expect(home.textAtHome(file) == text)
        let done = try await home.command("sh", ["-c", command]).run()
        #expect(done.status == 0 && home.textAtHome(file) != text, "\(done)")
    }

    /// Only a setup can replace the tokens of a kubeconfig.
    @Test func theSetupOfAKubeconfigIsNamed() async throws {
        try home.writeAtHome(
            "apiVersion: v1\nkind: Config\nclusters:\n- name: c\n  cluster:\n    server: https://c.example\n"
                + "contexts:\n- name: x\n  context: {cluster: c, user: ada}\ncurrent-context: x\n"
                + "users:\n- name: ada\n  user:\n    token: t0ken\n", to: ".kube/config")
        let kept = try await home.imports("kubectl")
        #expect(
            kept.errorText.hasSuffix(
                "hint: the plain text is still there: lanyard setup kubectl\n"), "\(kept)")
        let done = try await home.lanyard("setup", "kubectl")
        #expect(done.status == 0, "\(done)")
        #expect(home.textAtHome(".kube/config")?.contains("t0ken") == false)
    }

    /// git and docker, whose sources have other names. Docker's setup is in the file itself.
    @Test(
        .needs(.git),
        arguments: [
            (
                "git-credentials", ".git-credentials", "https://a:b@c.example\n",
                ".git-credentials", "git"
            ),
            (
                "docker-config", ".docker/config.json", #"{"auths":{"a.example":{"auth":"YTpi"}}}"#,
                ".config/containers/auth.json", "docker"
            ),
        ])
    func theMissingSetupOfGitAndDockerIsNamed(
        source: String, file: String, text: String, otherFile: String, setup: String
    ) async throws {
        let place = try home.writeAtHome(text, to: file)
        let moved = try await home.imports(source, "--remove-plain-text")
        let warning = """
            lanyard: warning: programs that read '\(place)' no longer find these logins
            lanyard: hint: lanyard setup \(setup)

            """
        #expect(moved.status == 0 && moved.errorText.hasPrefix(warning), "\(moved)")
        let done = try await home.lanyard("setup", setup)
        #expect(done.status == 0, "\(done)")
        try home.writeAtHome(text, to: otherFile)
        let again = try await home.imports(source, "--remove-plain-text")
        #expect(again.status == 0 && again.errorText.contains("backups"), "\(again)")
        #expect(!again.errorText.contains("no longer find"), "\(again)")
    }

    /// The file has no address.
    private static let ofVault = ["VAULT_ADDR": "https://v.example"]

    /// Whether the first import has removed the file or its logins.
    @Test(arguments: [
        ("aws", ".aws/credentials", "[a]\naws_access_key_id=A\naws_secret_access_key=b\n"),
        ("cargo", ".cargo/credentials.toml", "[registry]\ntoken = \"t\"\n"),
        ("gh", ".config/gh/hosts.yml", "github.com:\n    oauth_token: t\n"),
        ("docker-config", ".docker/config.json", #"{"auths":{"a.example":{"auth":"YTpi"}}}"#),
        ("git-credentials", ".git-credentials", "https://a:b@c.example\n"),
        ("netrc", ".netrc", "machine a login b password c\n"),
        ("psql", ".pgpass", "db:5432:*:ada:pw\n"),
        (
            "terraform", ".terraform.d/credentials.tfrc.json",
            #"{"credentials":{"a.example":{"token":"t"}}}"#
        ),
        ("vault", ".vault-token", "t\n"),
    ])
    func aSecondImportFindsNothing(tool: String, file: String, text: String) async throws {
        try home.writeAtHome(text, to: file)
        try await home.expectImport(
            tool, "--remove-plain-text", saying: "import    1 new",
            variables: Self.ofVault)
        let nothing =
            home.textAtHome(file) == nil
            ? "nothing to import: there is no file in the usual place" : "nothing to import"
        try await home.expectImport(
            tool, "--remove-plain-text", saying: "import    \(nothing)",
            variables: Self.ofVault)
        let named = try await home.imports(tool, "\(home.folder)/none")
        #expect(named.status == 44 && named.output.isEmpty, "\(named)")
        #expect(named.errorText.contains("file '\(home.folder)/none' not found"), "\(named)")
    }

    /// Nothing waits for whoever writes to a pipe.
    @Test func aPipeInTheUsualPlaceIsNoFile() async throws {
        for name in [".git-credentials", ".netrc", ".pgpass", ".vault-token", ".stripe"] {
            mkfifo("\(home.folder)/\(name)", 0o600)
        }
        try await home.expectImport(
            "psql", saying: "import    nothing to import: there is no file in the usual place")
        #expect(!FileManager.default.fileExists(atPath: home.keychain), "a keychain was made")
        let path = try home.environment()["PATH"] ?? ""
        for arguments in [["scan", "--fix"], ["doctor"], ["setup", "psql"], ["setup", "--yes"]] {
            var command = try home.command(
                "lanyard", arguments, variables: ["PATH": "\(programs):\(path)"])
            command.timeLimit = .seconds(30)
            let outcome = try await command.run()
            #expect(outcome.status != nil, "\(outcome)")
        }
    }

    /// aws has keys in either of its files.
    @Test func keysInTheConfigurationOfAWS() async throws {
        try home.writeAtHome(
            "[profile work]\nregion = eu-west-1\naws_access_key_id = A\naws_secret_access_key = b\n",
            to: ".aws/config")
        try await home.expectImport("aws", "--remove-plain-text", saying: "import    1 new")
        #expect(home.textAtHome(".aws/config") == "[profile work]\nregion = eu-west-1\n")
        try await home.expectImport("aws", saying: "import    nothing to import")
    }

    /// Lines that a tool ignores may have secrets.
    @Test(arguments: [
        ("git-credentials", ".git-credentials", "https://t0ken@a.example\nada:pw@b.example\n"),
        ("vault", ".vault-token", "hvs.one\nhvs.two\n"),
    ])
    func whatIsNamedIsAFailure(tool: String, file: String, text: String) async throws {
        try home.writeAtHome(text, to: file)
        let outcome = try await home.imports(tool, "--remove-plain-text")
        #expect(outcome.status == 64, "\(outcome)")
        #expect(home.textAtHome(file) == text)
    }

    @Test func whatCannotBeImportedStays() async throws {
        let text = #"{"claudeAiOauth":{"accessToken":"sk-ant-oat","refreshToken":"r"}}"#
        try home.writeAtHome(text, to: ".claude/.credentials.json")
        let outcome = try await home.imports("claude", "--remove-plain-text")
        #expect(outcome.status == 0, "\(outcome)")
        #expect(
            outcome.errorText.contains("was skipped: it belongs to a session that claude renews\n"))
        #expect(
            outcome.errorText.contains("lanyard: hint: lanyard set claude stores a secret from "))
        #expect(home.textAtHome(".claude/.credentials.json") == text)
        let unknown = try await home.imports("openai")
        #expect(unknown.errorText.contains("knows no plain-text file of openai\n"), "\(unknown)")
        try home.writeAtHome(
            "<settings><servers><server><id>a</id><password>{e=}</password></server></servers></settings>",
            to: ".m2/settings.xml")
        let maven = try await home.imports("maven")
        #expect(
            maven.errorText.contains("lanyard: hint: lanyard set maven ID stores a secret from "),
            "\(maven)")
    }
}
