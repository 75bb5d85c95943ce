import Foundation
import Glibc
import Testing
@testable import EndToEndRig

/// `lanyard import` from files.
@Suite(.timeLimit(.minutes(10)))
struct ImportFilesTests {
    let home: ScratchHome

    init() throws {
        home = try ScratchHome()
    }

    private let lines = """
        https://ada:right@example.com
        https://bob:b%40d@example.com:8443/path
        not a login at all

        """

    @Test func aDryRunLeavesNothing() async throws {
        try home.writeAtHome(lines, to: ".git-credentials")
        let before = try Snapshot(home.path)
        let outcome = try await home.imports("git-credentials", "--dry-run", "--remove-plain-text")
        #expect(outcome.status == 0, "\(outcome)")
        #expect(outcome.outputText.hasPrefix("import    2 new, "), "\(outcome)")
        #expect(
            outcome.outputText.hasSuffix("\ndry run   nothing was changed\n"),
            "\(outcome)")
        #expect(try Snapshot(home.path).differences(from: before) == [])
    }

    @Test func twiceIsTheSameAsOnce() async throws {
        try home.writeAtHome("https://ada:right@example.com\n", to: ".git-credentials")
        try await home.expectImport("git-credentials", saying: "import    1 new")
        let before = try Snapshot(home.lanyard).contents
        try await home.expectImport("git-credentials", saying: "import    1 unchanged")
        #expect(try Snapshot(home.lanyard).contents == before)
        #expect(home.textAtHome(".git-credentials") == "https://ada:right@example.com\n")
        try await home.expectGet(
            "protocol=https\nhost=example.com\n", "username=ada\npassword=right\n")
    }

    /// git and curl look there first, so it also hides the keychain's login.
    @Test func aDefaultLoginThatStaysInNetrcIsNamed() async throws {
        let file = try home.writeAtHome(
            "machine example.com login ada password right\ndefault login anon password anon\n",
            to: ".netrc")
        let outcome = try await home.imports("netrc", "--remove-plain-text")
        #expect(outcome.status == 0, "\(outcome)")
        #expect(home.textAtHome(".netrc") == "default login anon password anon\n")
        #expect(
            outcome.errorText.contains(
                """
                lanyard: warning: '\(file)' still has a 'default' login, which git and curl now send to \
                these hosts
                lanyard: hint: remove 'default' from the file, or name its hosts with 'machine'

                """), "\(outcome)")
        // Without another login nothing changes for the hosts.
        let again = try await home.imports("netrc", "--remove-plain-text")
        #expect(!again.errorText.contains("now send"), "\(again)")
    }

    /// No command moves an item to another group: nothing is changed.
    @Test(arguments: ["--json", "--dry-run", "--replace"])
    func aGroupInWhichTheToolFindsNothingIsRefused(_ option: String) async throws {
        let auth = #"{"auths":{"registry.example.com":{"auth":"dTpz"}}}"#
        try home.writeAtHome("https://ada:right@example.com\n", to: ".git-credentials")
        try home.writeAtHome(auth, to: ".docker/config.json")
        for (source, tool) in [("git-credentials", "git"), ("docker-config", "docker")] {
            let outcome = try await home.imports(
                source, "--remove-plain-text", "--group", "other", option)
            #expect(outcome.status == 64, "\(outcome)")
            #expect(
                outcome.errorText == """
                    lanyard: error: \(tool) does not look in the group 'other': it would lose these \
                    logins
                    lanyard: hint: leave out --group, or --remove-plain-text

                    """, "\(outcome)")
        }
        #expect(home.textAtHome(".git-credentials") == "https://ada:right@example.com\n")
        #expect(home.textAtHome(".docker/config.json") == auth)
        #expect(!FileManager.default.fileExists(atPath: home.keychain), "a keychain was made")
        try await home.expectImport(
            "git-credentials", "--group", "other", saying: "import    1 new")
        try await home.expectImport(
            "git-credentials", "--group", "git", "--remove-plain-text", saying: "import    1 new")
        #expect(home.textAtHome(".git-credentials") == nil)
    }

    /// The hint leads on.
    @Test func aKeychainThatToolsDoNotSearchIsNamed() async throws {
        let created = try await home.lanyard("keychain", "create", "work")
        #expect(created.status == 0, "\(created)")
        try home.writeAtHome("https://ada:right@example.com\n", to: ".git-credentials")
        let outcome = try await home.imports(
            "git-credentials", "--remove-plain-text", "--keychain", "work")
        #expect(outcome.status == 0, "\(outcome)")
        #expect(home.textAtHome(".git-credentials") == nil)
        let lines = outcome.errorText.split(separator: "\n")
        #expect(
            lines.contains(
                "lanyard: warning: tools don't search the keychain 'work', which has these logins"),
            "\(outcome)")
        let hint = try #require(
            lines.first { $0.hasPrefix("lanyard: hint: lanyard keychain search-list ") },
            "\(outcome)")
        try await home.shell(String(hint.dropFirst("lanyard: hint: ".count)))
        try await home.expectGet(
            "protocol=https\nhost=example.com\n", "username=ada\npassword=right\n")
        try home.writeAtHome("https://bob:right@example.org\n", to: ".git-credentials")
        let second = try await home.imports(
            "git-credentials", "--remove-plain-text", "--keychain", "work")
        #expect(!second.errorText.contains("search"), "\(second)")
        let export = try home.writeAtHome(
            "url,username,password\nhttps://x.example/,eve,pw\n", to: "export.csv")
        _ = try await home.lanyard("keychain", "create", "spare")
        let third = try await home.imports(
            "csv", export, "--remove-plain-text", "--keychain", "spare")
        #expect(third.status == 0 && !third.errorText.contains("search"), "\(third)")
    }

    /// npm shows a token only once, so the hint must not ask for it again.
    @Test func npmGetsItsTokenBack() async throws {
        try home.writeAtHome(
            "//npm.example.com/:_authToken=other\n//registry.npmjs.org/:_authToken=npm_hunter2\n",
            to: ".npmrc")
        let outcome = try await home.imports("npm", "--remove-plain-text")
        #expect(outcome.status == 0, "\(outcome)")
        let hint = try #require(
            outcome.errorText.split(separator: "\n")
                .first { $0.hasSuffix(" && lanyard setup npm") }?
                .dropFirst("lanyard: hint: ".count))
        #expect(
            outcome.errorText.contains(
                "lanyard: hint: //npm.example.com/:_authToken=${NPM_TOKEN} in ~/.npmrc takes the token of "
                    + "lanyard exec --env NPM_TOKEN=https://npm.example.com -- npm\n"), "\(outcome)"
        )
        let copy = String(hint.dropLast(" && lanyard setup npm".count))
        let run = try await home.command("lanyard", ["run", "npm", "whoami"]).run()
        #expect(run.status == 44 && run.errorText.hasSuffix("hint: \(copy)\n"), "\(run)")
        try await home.shell(copy)
        expectAnswer(try await home.lanyard("get", "npm"), "npm_hunter2\n")
    }

    /// What git's own helper kept is the same login.
    @Test func whatTheHelpersHaveIsTheSame() async throws {
        try await home.store(
            "protocol=https\nhost=example.com\nusername=ada\npassword=right\n"
                + "password_expiry_utc=99999999999\n")
        try await home.store(
            "protocol=https\nhost=example.com:8443\npath=path\nusername=bob\npassword=b@d\n")
        try await home.storeForDocker(
            #"{"ServerURL":"registry.example.com","Username":"u","Secret":"s"}"#)
        try home.writeAtHome(
            lines.replacing("not a login at all\n", with: ""), to: ".git-credentials")
        try home.writeAtHome(
            #"{"auths":{"registry.example.com":{"auth":"dTpz"}}}"#, to: ".docker/config.json")
        try await home.expectImport("git-credentials", saying: "import    2 unchanged")
        try await home.expectImport("docker-config", saying: "import    1 unchanged")
    }

    @Test(.needs(.git)) func whatDiffersStaysOnBothSides() async throws {
        try await home.store("protocol=https\nhost=example.com\nusername=ada\npassword=old\n")
        let file = try home.writeAtHome(
            "https://ada:new@example.com\nhttps://bob:bob@example.com\n", to: ".git-credentials")
        let outcome = try await home.imports("git-credentials", "--remove-plain-text")
        #expect(outcome.status == 45, "\(outcome)")
        #expect(
            outcome.outputText == """
                import    1 new, 1 differs from the keychain (--replace takes the imported one)
                removed   1 login from '\(file)'

                """, "\(outcome)")
        #expect(
            outcome.errorText == """
                lanyard: warning: line 1 of '\(file)', 'https://example.com' of 'ada', differs from \
                what the keychain has
                lanyard: warning: 'https://example.com' has 2 accounts ('ada', 'bob'): 'ada' answers, \
                as before
                lanyard: hint: git uses another account if the URL names it: https://bob@example.com
                lanyard: warning: '\(file)' still has 1 entry in plain text, because of line 1
                lanyard: hint: store what the keychain lacks with lanyard set, then take it out of the file
                lanyard: warning: programs that read '\(file)' no longer find these logins
                lanyard: hint: lanyard setup git
                lanyard: hint: backups, snapshots and editor copies may still have these passwords: change them
                lanyard: error: 1 entry was not imported

                """, "\(outcome)")
        #expect(home.textAtHome(".git-credentials") == "https://ada:new@example.com\n")
        try await home.expectImport(
            "git-credentials", "--replace", "--remove-plain-text",
            saying: "import    1 replaced")
        #expect(home.textAtHome(".git-credentials") == nil)
        try await home.expectGet(
            "protocol=https\nhost=example.com\nusername=ada\n", "username=ada\npassword=new\n")
    }

    @Test func countsAsJSON() async throws {
        let file = try home.writeAtHome(
            "https://ada:right@example.com\nhttps://ada:other@example.com\n",
            to: "c")
        let outcome = try await home.imports(
            "git-credentials", file, "--json", "--remove-plain-text")
        #expect(
            try JSONText(outcome.output) == [
                "dry_run": false, "new": 1, "same": 0, "changed": 0, "uncompared": 0,
                "differing": 0, "skipped": 0, "shadowed": 1, "left": [], "lost": [],
                "shared_hosts": [],
                "plain_text": [
                    [
                        "file": .string(file), "removed": 1, "kept": 1, "file_removed": false,
                        "overwritten": true,
                    ]
                ],
            ], "\(outcome)")
        try await home.set("https://u@example.org", secret: "other")
        try home.writeAtHome(
            "name,url,username,password\nx,https://example.org,u,p\n", to: "d.csv")
        let second = try await home.imports("csv", "\(home.folder)/d.csv", "--json")
        let left = try JSONText(second.output).members["left"]?.elements.first?.members
        #expect(left?["name"] == "https://example.org" && left?["account"] == "u", "\(second)")
        #expect(second.status == 45, "\(second)")
    }

    /// The file has secrets that are not in the keychain, and could be deleted after a success.
    @Test(arguments: [
        (
            "csv", "url,username,password\nhttps://a.example,ada,one\nhttps://a.example,ada,two\n",
            "line 3", 45
        ),
        (
            "hcloud",
            "[[contexts]]\nname = \"a\"\ntoken = \"one\"\n[[contexts]]\nname = \"a\"\ntoken = \"two\"\n",
            "line 6", 45
        ),
        (
            "cargo", "[registry]\ntoken = \"t\"\n[registries.unknown]\ntoken = \"u\"\n", "line 4",
            64
        ),
        (
            "csv", "url,username,password\nhttps://a.example,ada,one\nhttps://b.example,ada\n",
            "line 3", 64
        ),
        (
            "bitwarden",
            """
            {"encrypted": false, "items": [{"type": 2, "name": "a", "notes": "n"},
            {"type": 3, "name": "card", "card": {"number": "4111"}}]}
            """, "entry 2", 64
        ),
        (
            "keychain-dump",
            """
            keychain: "k"
            class: "genp"
            attributes:
                "svce"<blob>="a"
            data:
            "one"
            keychain: "k"
            class: 0x00000010 
            attributes:
            data:
            0x3082  "0\\202"

            """, "line 7", 64
        ),
        (
            "keepassxc",
            """
            <KeePassFile><Root><Group><Name>Root</Name>
            <Entry><String><Key>Title</Key><Value>a</Value></String>
            <String><Key>Password</Key><Value>one</Value></String></Entry>
            <Entry><String><Key>Title</Key><Value>b</Value></String>
            <String><Key>Password</Key><Value>{REF:P@I:0011}</Value></String></Entry>
            </Group></Root></KeePassFile>
            """, "entry 2", 64
        ),
        (
            "1password",
            """
            {"accounts": [{"vaults": [{"items": [
            {"categoryUuid": "005", "overview": {"title": "a"}, "details": {"password": "one"}},
            {"categoryUuid": "001", "overview": {"title": "b"}, "details": {"passkey": {"id": 1}}}
            ]}]}]}
            """, "entry 2", 64
        ),
    ])
    func aLeftSecretIsNoSuccess(_ source: String, _ text: String, _ place: String, status: Int32)
        async throws
    {
        let file = try home.writeAtHome(text, to: "file")
        let outcome = try await home.imports(source, file)
        #expect(outcome.outputText == "import    1 new, 1 skipped\n", "\(outcome)")
        #expect(outcome.status == status, "\(outcome)")
        #expect(outcome.errorText.contains("\(place) of '\(file)' was skipped: "), "\(outcome)")
    }

    /// No secret in use is left behind: a status that is never 0 would be of no use.
    @Test(arguments: [
        (
            "keychain-dump",
            """
            keychain: "k"
            class: "genp"
            attributes:
                "svce"<blob>="a"
            data:
            "one"
            keychain: "k"
            class: 0x80001000 
            attributes:
            data:
            0x3082  "0\\202"
            keychain: "k"
            class: 0x0000000F 
            attributes:
            data:
            0x3082  "0\\202"
            keychain: "k"
            class: 0x00000010 
            attributes:

            """, ["line 7", "line 12", "line 17"].map { "\($0) of" }
        ),
        (
            "keepassxc",
            """
            <KeePassFile><Meta><RecycleBinUUID>DD==</RecycleBinUUID></Meta>
            <Root><Group><Name>Root</Name>
            <Entry><String><Key>Title</Key><Value>a</Value></String>
            <String><Key>Password</Key><Value>one</Value></String>
            <History><Entry><String><Key>Password</Key><Value>old</Value></String></Entry></History>
            </Entry><Group><UUID>DD==</UUID>
            <Entry><String><Key>Title</Key><Value>b</Value></String>
            <String><Key>Password</Key><Value>deleted</Value></String></Entry>
            </Group></Group></Root></KeePassFile>
            """, ["entry 2 of", "without the earlier passwords (entry 1)"]
        ),
        (
            "1password",
            """
            {"accounts": [{"vaults": [{"items": [
            {"categoryUuid": "005", "overview": {"title": "a"}, "details": {"password": "one",
            "passwordHistory": [{"value": "old"}]}}]}]}]}
            """, ["without the earlier passwords (entry 1)"]
        ),
    ])
    func whatIsNotInUseIsNoFailure(_ source: String, _ text: String, named: [String]) async throws {
        let file = try home.writeAtHome(text, to: "file")
        let outcome = try await home.imports(source, file)
        #expect(outcome.status == 0, "\(outcome)")
        #expect(outcome.outputText.hasPrefix("import    1 new"), "\(outcome)")
        for name in named {
            #expect(outcome.errorText.contains(name), "\(name): \(outcome)")
        }
    }

    /// Those of a browser are for no helper.
    @Test func aBrowsersFile() async throws {
        let file = try home.writeAtHome(
            "\u{FEFF}name,url,username,password,note\r\n"
                + "Shop,https://shop.example/login,ada,\"a\"\"b,c\",\"two\nlines\"\r\n"
                + "Mail,https://mail.example/,bob,pw,\r\n",
            to: "Chrome Passwords.csv")
        try await home.expectImport("csv", file, saying: "import    2 new")
        let got = try await home.lanyard("get", "--group", "login", "https://mail.example", "bob")
        expectAnswer(got, "pw\n")
        try await home.expectImport(
            "csv", "-", "--group", "git", saying: "import    1 new",
            input: "url,username,password\nhttps://git.example/,carl,pw2\n")
        try await home.expectGet(
            "protocol=https\nhost=git.example\n", "username=carl\npassword=pw2\n")
        // git would look for none of these.
        let misspelled = try await home.imports(
            "csv", "-", "--group", "gti",
            input: "url,username,password\nhttps://x.example/,eve,pw\n")
        #expect(
            misspelled.errorText
                == "lanyard: warning: no tool looks in the group 'gti'; did you mean 'git'?\n",
            "\(misspelled)")
        // As a shell's <(…) names it.
        try await home.expectImport(
            "csv", "/dev/fd/0", saying: "import    1 new",
            input: "url,username,password\nhttps://fd.example/,dora,pw3\n")
        try await home.expectImport(
            "csv", file, "--remove-plain-text", saying: "import    2 unchanged")
        #expect(home.textAtHome("Chrome Passwords.csv") == nil)
    }

    /// Of two accounts the one answers that its program used, whatever comes later.
    @Test func theFirstAccountAnswers() async throws {
        func auth(_ user: String) -> String {
            let login = Data("\(user):pw".utf8).base64EncodedString()
            return #"{"auths":{"r.example":{"auth":"\#(login)"}}}"#
        }
        try home.writeAtHome(auth("docker"), to: ".docker/config.json")
        try home.writeAtHome(auth("podman"), to: "run/containers/auth.json")
        let docker = try await home.imports("docker-config")
        #expect(docker.status == 0, "\(docker)")
        #expect(
            docker.errorText == """
                lanyard: warning: 'r.example' has 2 accounts ('docker', 'podman'): 'docker' answers, \
                as before
                lanyard: hint: the plain text is still there: lanyard import docker-config \
                --remove-plain-text

                """, "\(docker)")
        let got = try await home.command(
            "docker-credential-lanyard", ["get"], input: Array("r.example".utf8)
        ).run()
        #expect(got.outputText.contains(#""Username":"docker""#), "\(got)")

        // git had a login, and got that of netrc first.
        try await home.store("protocol=https\nhost=n.example\nusername=eve\npassword=pw\n")
        try home.writeAtHome(
            "machine n.example login ada password a\nmachine n.example login bob password b\n",
            to: ".netrc")
        let netrc = try await home.imports("netrc")
        #expect(netrc.errorText.contains("('ada', 'bob', 'eve'): 'ada' answers"), "\(netrc)")
        try await home.expectGet(
            "protocol=https\nhost=n.example\n", "username=ada\npassword=a\n")
        // Of a file that nothing reads, the keychain's own account comes first.
        let other = try home.writeAtHome("https://ada:pw@k.example\n", to: "other")
        try await home.store("protocol=https\nhost=k.example\nusername=eve\npassword=k\n")
        #expect(try await home.imports("git-credentials", other).status == 0)
        try await home.expectGet(
            "protocol=https\nhost=k.example\n", "username=eve\npassword=k\n")
    }

    /// The logins are there: nothing sounds as if they were not.
    @Test func whatIsLostIsNamed() async throws {
        let file = try home.writeAtHome(
            """
            "Group","Title","Username","Password","URL","Notes","TOTP","Tags"
            "Root/a","A","ada","pw","https://a.example","","",""
            "Root/b","B","ada","pw","https://b.example","","otpauth://totp/x?secret=ABC","x"
            "Root","B","eve","pw","","","",""

            """, to: "keepass.csv")
        let outcome = try await home.imports("csv", file, "--remove-plain-text")
        #expect(outcome.outputText == "import    3 new\n", "\(outcome)")
        #expect(
            outcome.errorText == """
                lanyard: warning: '\(file)': 1 entry was imported without the one-time password key \
                (line 3)
                lanyard: warning: '\(file)' still has 3 entries in plain text, because of line 3
                lanyard: hint: store what the keychain lacks with lanyard set, then remove the file: \
                rm '\(file)'
                lanyard: error: some entries were imported in part

                """, "\(outcome)")
        #expect(outcome.status == 64)
        #expect(home.textAtHome("keepass.csv") != nil)
        let got = try await home.lanyard("get", "https://b.example")
        expectAnswer(got, "pw\n")
        let found = try await home.lanyard("find", "--json", "folder: b")
        #expect(found.outputText.contains(#""comment":"Folder: b\nTags: x""#), "\(found)")
        // A folder with such a name is no reason to keep the file.
        let other = try home.writeAtHome(
            "Group,Title,Username,Password\n\"Root/a\nb\",C,ada,pw\n", to: "other.csv")
        let second = try await home.imports("csv", other, "--remove-plain-text")
        #expect(second.status == 0, "\(second)")
        #expect(
            second.errorText.hasPrefix(
                "lanyard: warning: '\(other)': 1 entry was imported without the folder\n"))
        #expect(
            second.outputText == """
                import    1 new
                removed   '\(other)' with its 1 login

                """, "\(second)")
    }

    @Test func allOfAnExportOrNothingIsRemoved() async throws {
        let text = """
            {"encrypted":false,"items":[
            {"type":1,"name":"a","login":{"uris":[{"uri":"https://a.example"}],"username":"u",
            "password":"p"}},
            {"type":3,"name":"card","card":{"number":"4111"}}]}
            """
        let file = try home.writeAtHome(text, to: "bitwarden.json")
        let outcome = try await home.imports("bitwarden", file, "--remove-plain-text")
        #expect(outcome.status == 64, "\(outcome)")
        #expect(outcome.outputText == "import    1 new, 1 skipped\n", "\(outcome)")
        #expect(
            outcome.errorText.contains(
                "still has 2 entries in plain text, because of entry 2\n"
                    + "lanyard: hint: store what the keychain lacks with lanyard set, then remove the file: rm '\(file)'\n"
            ), "\(outcome)")
        #expect(home.textAtHome("bitwarden.json") == text)
        let json = try JSONText(try await home.imports("bitwarden", file, "--json").output)
        let left = json.members["left"]?.elements.map { $0.members["unsupported"] }
        #expect(left == [true], "\(json)")
    }

    /// A tool's file has settings, too: it is never to be removed for an entry that stays.
    @Test func whatStaysIsTakenOutOfAToolsFile() async throws {
        func token(_ token: String) throws -> String {
            try home.writeAtHome(
                "registry=https://a.example/\n//a.example/:_authToken=\(token)\n", to: ".npmrc")
        }
        _ = try token("one")
        try await home.expectImport("npm", saying: "import    1 new")
        _ = try token("two")
        let outcome = try await home.imports("npm", "--remove-plain-text")
        #expect(outcome.errorText.contains("then take it out of the file\n"), "\(outcome)")
        #expect(!outcome.errorText.contains("rm "), "\(outcome)")
    }

    @Test(arguments: [
        ["bitwarden", "FILE"], ["docker-config", "FILE"], ["csv", "FILE"], ["netrc", "FOLDER"],
        ["csv", "nothing"], ["git-credentials", "-", "--remove-plain-text"], ["netrc", "nothing"],
        ["csv", "FILE", "--group", ""], ["pass"], ["docker-helper", "missing"],
        ["git-helper", "!x"],
        ["docker-helper", "../x"], ["git-helper", "store", "no URL"], ["secret-service"],
        ["csv", "FILE", "--keychain", "nothing"], ["csv"],
    ])
    func whatCantBeImported(_ words: [String]) async throws {
        let file = try home.writeAtHome("{\"not\": SECRETWORD\n", to: "file")
        let arguments = words.map {
            $0.replacing("FILE", with: file).replacing("FOLDER", with: home.path)
        }
        var command = try home.command("lanyard", ["import"] + arguments)
        command.environment["XDG_RUNTIME_DIR"] = "\(home.folder)/run"
        let outcome = try await command.run()
        #expect(outcome.status != 0 && outcome.status != nil, "\(outcome)")
        #expect(outcome.errorText.hasPrefix("lanyard: error: "), "\(outcome)")
        #expect(!outcome.errorText.contains("SECRETWORD"), "\(outcome)")
        #expect(!FileManager.default.fileExists(atPath: home.keychain), "a keychain was made")
        #expect(home.textAtHome("file") == "{\"not\": SECRETWORD\n")
    }

    /// The person's answer takes time, in which another program logs in.
    @Test func aFileThatChangesMeanwhileStays() async throws {
        try await home.store("protocol=https\nhost=other.example\nusername=x\npassword=y\n")
        try await home.setPassphrase()
        let file = try home.writeAtHome("https://ada:right@example.com\n", to: ".git-credentials")
        let askpass = try home.write(
            "#!/bin/sh\necho https://bob:new@example.com >>'\(file)'\necho 'the passphrase'\n",
            to: "askpass", mode: 0o700)
        try await home.forgettingKeys {
            let outcome = try await home.imports(
                "git-credentials", "--remove-plain-text", variables: ["LANYARD_ASKPASS": askpass])
            #expect(outcome.status == 227, "\(outcome)")
            #expect(outcome.outputText == "import    1 new\n", "\(outcome)")
            #expect(outcome.errorText.contains("has changed in the meantime"), "\(outcome)")
        }
        #expect(
            home.textAtHome(".git-credentials")
                == "https://ada:right@example.com\nhttps://bob:new@example.com\n")
    }

    /// A setup keeps the file as it was before.
    @Test func theCopyOfASetupIsRidOfThemToo() async throws {
        try home.writeAtHome(
            #"{"auths":{"registry.example.com":{"auth":"dTpz"}}}"#, to: ".docker/config.json")
        let run = "\(home.folder)/run"
        let setup = try await home.lanyard("setup", "docker", variables: ["XDG_RUNTIME_DIR": run])
        #expect(setup.status == 0, "\(setup)")
        let words = ReadableForms(words: ["login": "dTpz"])
        #expect(words.search(try Snapshot(home.path).contents).count == 2)
        try await home.expectImport(
            "docker-config", "--remove-plain-text", saying: "import    1 new")
        #expect(words.search(try Snapshot(home.path).contents) == [])
        let undo = try await home.lanyard(
            "setup", "docker", "--undo", variables: ["XDG_RUNTIME_DIR": run])
        #expect(undo.status == 0, "\(undo)")
        #expect(
            home.textAtHome(".docker/config.json") == #"{"auths":{"registry.example.com":{}}}"#)
        #expect(try Snapshot(home.state).contents.keys.allSatisfy { !$0.hasPrefix("setup") })
    }

    @Test func aLockedKeychain() async throws {
        try home.writeAtHome(
            "https://ada:right@example.com\nhttps://bob:pw@example.com\n", to: ".git-credentials")
        try await home.store("protocol=https\nhost=example.com\nusername=ada\npassword=right\n")
        try await home.setPassphrase()
        let dry = try await home.imports("git-credentials", "--dry-run")
        #expect(dry.status == 0, "\(dry)")
        #expect(
            dry.outputText
                == "import    1 new, 1 not compared (the keychain is locked)\n"
                + "dry run   nothing was changed\n", "\(dry)")
        #expect(dry.errorText.contains("('ada', 'bob'): 'ada' answers"), "\(dry)")
        let outcome = try await home.imports("git-credentials", "--remove-plain-text")
        #expect(outcome.status == 36, "\(outcome)")
        #expect(home.textAtHome(".git-credentials")?.contains("bob") == true)
        try await home.expectImport(
            "git-credentials", "--remove-plain-text", saying: "import    1 new, 1 unchanged",
            variables: ["LANYARD_PASSPHRASE_FILE": "\(home.path)/passphrase"])
        #expect(home.textAtHome(".git-credentials") == nil)
    }
}
