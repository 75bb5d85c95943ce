import Foundation
import KeychainServices
import TestSupport
import Testing

@testable import LanyardDiagnosis
@testable import ToolSetup

@Suite("the files that checks read")
struct CheckPartsTests {
    @Test("a user's share of the kernel's keys, proc_key-users(5)")
    func quota() throws {
        let text = """
                0:   120 119/119 6/1000000 120/25000000
             1000:     4 4/4 199/200 3000/20000
             1001:     4 4/4 2/200 19000/20000

            """
        #expect(KeyringQuota(text, user: 7) == nil)
        #expect(try !#require(KeyringQuota(text, user: 0)).isNearlyUsedUp)
        let full = try #require(KeyringQuota(text, user: 1000))
        #expect(full.keys == 199 && full.keyLimit == 200 && full.isNearlyUsedUp)
        let bytes = try #require(KeyringQuota(text, user: 1001))
        #expect(bytes.bytes == 19000 && bytes.byteLimit == 20000 && bytes.isNearlyUsedUp)
        #expect(KeyringQuota("1000: x", user: 1000) == nil)
    }

    @Test(
        "a URL without its password",
        arguments: [
            ("https://ada:pw@a.example/r.git", "https://ada@a.example/r.git"),
            ("https://:pw@a.example", "https://a.example"),
            ("http://ada:p@w@a.example:80/", "http://ada@a.example:80/"),
            ("ssh://ada:pw@a.example/r.git", "ssh://ada@a.example/r.git"),
            ("svn::http://ada:pw@a.example/", "svn::http://ada@a.example/"),
            ("https://ada@a.example/x:y@z", nil), ("https://a.example/", nil),
            ("https://ada:@a.example/", nil), ("git@a.example:r.git", nil),
            ("/srv/a:b@c//d", nil),
        ] as [(String, String?)])
    func passwordInURL(url: String, clean: String?) {
        #expect(GitConfiguration.withoutPassword(FileBytes(url)) == clean.map { FileBytes($0) })
    }

    @Test("only what no command creates has to be there")
    func variables() throws {
        let folder = try ScratchFolder()
        func reasons(_ variables: [String: String]) -> [String] {
            let environment = SetupEnvironment(variables: variables, stateFolder: folder.path)
            return VariablesCheck.findings(environment, nil).map(\.what.full)
        }
        #expect(reasons(["LANYARD_HOME": "\(folder.path)/new/lanyard"]) == [])
        #expect(
            reasons(["LANYARD_PASSPHRASE_FILE": "/nonexistent/x"])
                == ["LANYARD_PASSPHRASE_FILE has an invalid value: file '/nonexistent/x' not found"]
        )
    }

    @Test("accounts that git could mix up", arguments: [false, true])
    func accounts(usesPath: Bool) {
        func item(
            _ account: String, _ host: ByteString, path: ByteString? = nil,
            _ scheme: ProtocolType = .https
        ) -> ItemAttributes {
            var item = ItemAttributes()
            item.account = ByteString(account)
            item.server = host
            item.path = path
            item.protocol = scheme
            return item
        }
        let hosts = GitAccountsCheck.hosts(
            [
                item("bob", "dev.example", path: "org2"), item("ada", "dev.example", path: "org1"),
                item("ada", "mail.example"),
                item("bob", "mail.example", ProtocolType(scheme: "smtp")),
                item("ada", "a.example"), item("bob", "a.example"), item("ada", "a.example"),
                item("eve", "a.example", path: "x"),
            ]) { url in
                #expect(["https://dev.example", "https://a.example"].contains(url))
                return usesPath
            }
        let rest = GitAccountsCheck.Host(
            url: "https://a.example", accounts: ["ada", "bob"] + (usesPath ? [] : ["eve"]))
        let split = GitAccountsCheck.Host(url: "https://dev.example", accounts: ["bob", "ada"])
        #expect(hosts == (usesPath ? [] : [split]) + [rest])
    }

    @Test(
        "only a file's error names a line",
        arguments: [
            (Status.decode, "fatal: bad config line 3 in file /h/.gitconfig", true),
            (.decode, "fatal: bad numeric config value 'x' for 'a.b' in GIT_CONFIG_COUNT", false),
            (.decode, "error: bogus count in GIT_CONFIG_COUNT", false),
            (.notAvailable, "can't start git: Resource temporarily unavailable", false),
        ])
    func unreadable(status: Status, reason: String, isOfFile: Bool) {
        let finding = GitConfigurationCheck.unreadable(KeychainError(status, reason))
        guard case .advice(let advice) = finding.remedy else {
            Issue.record("\(finding)")
            return
        }
        #expect(advice.full.contains("line") == isOfFile, "\(advice.full)")
    }

    @Test("passwords in git's URLs, and no other place shows them")
    func passwordsInGit() {
        let helper = "credential.helper\nlanyard"
        let push = "remote.origin.pushurl\nhttps://ada:bilby@a.example/r.git"
        let replacement = "url.https://x:bilby@b.example/.insteadof\nhttps://b.example/"
        let safe = "url.ssh://git@b.example/.pushinsteadof\nhttps://b.example/"
        func findings(_ variables: [String]) -> [(what: String, remedy: String)] {
            let list = variables.map { "global\0file:/h/.gitconfig\0\($0)\0" }.joined()
            let entries = GitConfigEntry.parse(FileBytes(list), withOrigins: true)
            return RepositoryCheck.findings(GitConfiguration(entries: entries)).map { finding in
                switch finding.remedy {
                case .command(let text), .advice(let text): (finding.what.full, text.full)
                }
            }
        }
        #expect(findings([safe, "remote.origin.pushurl\nhttps://ada@a.example/r.git"]).isEmpty)
        let all = findings([helper, push, replacement, safe])
        #expect(
            all.map(\.what) == [
                "the push URL of the remote 'origin' contains a password",
                "url.https://x@b.example/.insteadof contains a password (global, /h/.gitconfig)",
            ])
        #expect(
            all.map(\.remedy) == [
                "git config --get 'remote.origin.pushurl' | lanyard import git-credentials -"
                    + " && git remote set-url --push 'origin' 'https://ada@a.example/r.git'",
                "store the password (lanyard set --for git 'https://x@b.example/'),"
                    + " then remove it from the URL: git config --global --edit",
            ])
    }

    @Test(
        "a token in place of the user counts, and is not shown",
        arguments: [
            ("https://ghp_bilby@b.example/", true), ("https://glpat-bilby:@b.example/", true),
            ("https://\(String(repeating: "0a", count: 20)):x-oauth-basic@b.example/", true),
            ("https://a-user-of-the-company-with-a-long-name@b.example/", false),
            ("https://ada:@b.example/", false),
        ])
    func tokenInPlaceOfTheUser(url: String, isFound: Bool) {
        let list = ["url.\(url).insteadof\nx", "remote.origin.url\n\(url)"]
            .map { "global\0file:/h/.gitconfig\0\($0)\0" }.joined()
        let entries = GitConfigEntry.parse(FileBytes(list), withOrigins: true)
        let findings = RepositoryCheck.findings(GitConfiguration(entries: entries))
        let expected = [
            "the URL of the remote 'origin' contains a password",
            "url.https://b.example/.insteadof contains a password (global, /h/.gitconfig)",
        ]
        #expect(findings.map(\.what.full) == (isFound ? expected : []))
        let remedies = findings.map { finding in
            switch finding.remedy {
            case .command(let text), .advice(let text): text.full
            }
        }
        #expect(
            remedies.last.map { $0.contains("lanyard set --for git 'https://ACCOUNT@b.example/'") }
                ?? true)
        #expect(!remedies.contains { $0.contains("bilby") || $0.contains("0a0a") })
    }

    @Test(
        "a file counts if it has a secret, also one that no import takes",
        arguments: [
            ("//a.example/:_authToken=${NPM_TOKEN}\n", false),
            ("//a.example/:_authToken=\n", false),
            ("//a.example/:_authToken=npm_1\n", true), ("//a.example/:_password=cHc=\n", true),
        ])
    func plainText(text: String, isFound: Bool) throws {
        let folder = try ScratchFolder()
        _ = try folder.write(".npmrc", text.utf8)
        let findings = ToolsCheck.plainText(
            SetupEnvironment(variables: ["HOME": folder.path], stateFolder: folder.path))
        #expect(findings.map(\.code) == (isFound ? [.plainTextTool] : []))
        // The imported items are not for npm.
        for case .command(let command) in findings.map(\.remedy) {
            Issue.record("\(command.full)")
        }
    }

    @Test("the tool is set up before its file loses the logins")
    func setupBeforeImport() throws {
        let folder = try ScratchFolder()
        let keys = "aws_access_key_id = AKIA\naws_secret_access_key = s\n"
        _ = try folder.write("aws", "[default]\n\(keys)[work]\n\(keys)".utf8)
        let findings = ToolsCheck.plainText(
            SetupEnvironment(
                variables: [
                    "HOME": folder.path, "AWS_SHARED_CREDENTIALS_FILE": "\(folder.path)/aws",
                ], stateFolder: folder.path))
        guard case .command(let command)? = findings.first?.remedy else {
            Issue.record("\(findings)")
            return
        }
        let setup = "lanyard setup aws 'default' 'work' && "
        #expect(
            command.full == "\(setup)lanyard import aws --remove-plain-text '\(folder.path)/aws'",
            "\(findings)")
    }

    /// A profile's name may be that of one program: its setup leaves the others as they are.
    @Test("each installed program gets a shim before its file loses the secret")
    func shimsBeforeScan() throws {
        let folder = try ScratchFolder()
        _ = try folder.write(".linode-cli", "[DEFAULT]\n[ada]\ntoken = abc\n".utf8)
        try FileManager.default.createDirectory(
            atPath: "\(folder.path)/bin", withIntermediateDirectories: true)
        for name in ["lanyard", "lin", "linode-cli"] {
            _ = try folder.script("bin/\(name)", "#!/bin/sh\n")
        }
        let path = "\(folder.path)/.local/bin:\(folder.path)/bin"
        var environment = SetupEnvironment(
            variables: ["HOME": folder.path, "PATH": path], stateFolder: folder.path)
        environment.programFolder = "\(folder.path)/bin"
        for command in ["lanyard setup linode-cli lin", "lanyard setup lin"] {
            let finding = ToolsCheck.profiles(environment).first
            guard case .command(let text) = finding?.remedy else {
                Issue.record("\(String(describing: finding))")
                continue
            }
            #expect(text.full == "\(command) && lanyard scan --fix")
            let setup = ToolSetup(.program("linode-cli"), environment)
            try setup.apply(try setup.plan())
        }
    }

    @Test("a script that answers, and one that asks")
    func askpass() {
        #expect(AskpassCheck.isAnswer(Array("#!/bin/sh\necho hunter2\n".utf8)))
        #expect(AskpassCheck.isAnswer(Array("#!/bin/sh\nexec printf '%s' x\n".utf8)))
        #expect(!AskpassCheck.isAnswer(Array("#!/bin/sh\n# echo nothing\nexec ask \"$@\"\n".utf8)))
        for nothing in ["echo \"\"", "echo -n ''; exit 0", "printf '%s\\n' \"\"", "echo "] {
            #expect(!AskpassCheck.isAnswer(Array("#!/bin/sh\n\(nothing)\n".utf8)), "\(nothing)")
        }
        #expect(AskpassCheck.isAnswer(Array("#!/bin/sh\necho \"-n\" 'x y'\n".utf8)))
        #expect(!AskpassCheck.isAnswer(Array("\u{7F}ELF echo x".utf8)))
    }
}
