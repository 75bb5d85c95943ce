import Foundation
import Testing
@testable import EndToEndRig

/// `lanyard doctor` describes the cause as it is, and its advice works.
@Suite(.needs(.git, .python, .sqlite), .timeLimit(.minutes(10)))
struct DoctorAdviceTests {
    let home: ScratchHome

    init() async throws {
        home = try ScratchHome()
        try await home.setToolsUp()
    }

    private func finding(
        _ code: String, _ variables: [String: String?] = [:], after command: String = ":"
    ) async throws -> Doctor.Finding {
        let script = "eval \"$1\" >/dev/null && exec lanyard doctor --json"
        let doctor = try Doctor(
            try await home.inRepository(script, command, variables: variables))
        return try #require(doctor.findings.first { $0.code == code }, "\(doctor)")
    }

    @Test(
        "a configuration of git without settings",
        arguments: [
            ("/dev/null", "GIT_CONFIG_GLOBAL names '/dev/null', which has no settings"),
            ("/nowhere/x", "GIT_CONFIG_GLOBAL names '/nowhere/x', which does not exist"),
            ("", "GIT_CONFIG_GLOBAL is empty"),
        ])
    func gitsFile(path: String, what: String) async throws {
        let found = try await finding("git-global-hidden", ["GIT_CONFIG_GLOBAL": path])
        #expect(found.what == what)
    }

    @Test func aMisspeltDefaultKeychain() async throws {
        try await home.succeeds("lanyard", "keychain", "create", "work")
        try home.configure("[lanyard]\n\tdefault = wrok\n")
        let found = try await finding("keychain-missing")
        #expect(
            found.what
                == "the setting lanyard.default names a keychain 'wrok', which does not exist; "
                + "did you mean 'work'?")
        #expect(found.command == "lanyard keychain default 'work'")
        _ = try await home.shell(found.command ?? "")
        expectAnswer(try await home.lanyard("keychain", "default"), "work\n")
    }

    @Test("the commands that go on without the file", arguments: [true, false])
    func keychainsFile(isMissing: Bool) async throws {
        let file = "\(home.lanyard)/data/login.keychain"
        let copy = "\(home.path)/copy"
        try await home.shell("cp \"$1\" \"$2\"", file, copy)
        let found = try await finding(
            isMissing ? "keychain-missing" : "keychain-wrong-format",
            after: isMissing ? "rm '\(file)'" : "echo nonsense >'\(file)'")
        #expect(
            found.advice
                == "restore it from a backup: lanyard restore FILE; or forget it: lanyard keychain delete login"
        )
        try await home.succeeds("lanyard", "restore", "--yes", copy)
        try await home.succeeds("lanyard", "get", "https://a.example")
        try await home.shell(isMissing ? "rm \"$1\"" : "echo nonsense >\"$1\"", file)
        try await home.succeeds("lanyard", "keychain", "delete", "--yes", "login")
        try await home.set("x", secret: "s")
    }

    @Test(arguments: [
        ("XDG_DATA_HOME", "keychain-missing", "share/lanyard/login.keychain"),
        ("XDG_STATE_HOME", "machine-key-missing", "state/lanyard/machine-key"),
    ])
    func aVariableThatLeadsElsewhere(name: String, code: String, file: String) async throws {
        try await home.shell("unset LANYARD_HOME; printf s | lanyard set --stdin x")
        let found = try await finding(
            code, ["LANYARD_HOME": nil, name: "\(home.folder)/elsewhere"])
        #expect(found.what.contains(" is '\(home.folder)/.local/\(file)', but \(name) leads to "))
        #expect(found.command == "unset \(name)")
    }

    @Test func damagedItems() async throws {
        try await home.set("x", secret: "secret of x")
        let found = try await finding(
            "keychain-damaged",
            after: "sqlite3 '\(home.keychain)' 'UPDATE item SET secret = zeroblob(80)"
                + " WHERE change = (SELECT max(change) FROM item)'")
        #expect(
            found.advice
                == "lanyard verify --quarantine moves damaged items aside and keeps the others; "
                + "or restore it from a backup: lanyard restore FILE")
        try await home.succeeds("lanyard", "verify", "--quarantine", "--yes")
        try await home.succeeds("lanyard", "get", "https://a.example")
    }

    @Test("a command that can't work is not proposed")
    func anImportThatMovesNothing() async throws {
        func advice(_ file: String) async throws -> String {
            let doctor = try Doctor(try await home.inRepository("exec lanyard doctor --json"))
            let found = doctor.findings.first {
                $0.code.hasPrefix("plain-text") && $0.what.contains("/\(file)'")
            }
            let finding = try #require(found, "\(doctor)")
            #expect(finding.command == nil, "\(finding)")
            return finding.advice ?? ""
        }
        try home.writeAtHome("hvs.token", to: ".vault-token")
        #expect(
            try await advice(".vault-token")
                == "line 1 can't be imported: the file does not name its server; name it: "
                + "VAULT_ADDR=https://HOST:8200 lanyard import vault")
        let vault = try await home.lanyard("import", "vault", "--remove-plain-text")
        #expect(
            vault.status == 64
                && vault.errorText.hasSuffix(
                    "hint: name it: VAULT_ADDR=https://HOST:8200 lanyard import vault\n"),
            "\(vault)")
        #expect(home.textAtHome(".vault-token") == "hvs.token")
        try home.writeAtHome(
            "[registries.corp]\ntoken = \"abc\"\n", to: ".cargo/credentials.toml")
        #expect(
            try await advice(".cargo/credentials.toml")
                == "line 2 can't be imported: cargo's configuration has no index for its registry; "
                + "add it to cargo's config.toml, or lanyard set --for cargo URL")
        let path = try home.writeAtHome(
            "github.com:\n    oauth_token: gho_a\n    user: ada\n", to: ".config/gh/hosts.yml")
        try await home.set("gh@github.com", "ada", secret: "gho_b")
        #expect(
            try await advice(".config/gh/hosts.yml")
                == "the keychain has another secret for 'gh@github.com': lanyard import gh "
                + "--remove-plain-text '\(path)' --replace stores that of the file; to keep the "
                + "other one, take it out of the file")
        try await home.succeeds(
            "sh", "-c", "lanyard import gh --remove-plain-text '\(path)' --replace")
        #expect(home.textAtHome(".config/gh/hosts.yml")?.contains("gho_a") == false)
        try home.writeAtHome("https://ada:other@a.example\n", to: ".git-credentials")
        #expect(
            try await advice(".git-credentials").hasPrefix(
                "the keychain has another secret for 'a.example': lanyard import git-credentials "))
    }

    /// The import unlocks the keychain with the passphrase that programs are given, and finds the difference.
    @Test func anImportThatUnlocks() async throws {
        try home.writeAtHome("db.example:5432:*:ada:other\n", to: ".pgpass")
        try await home.set("psql@db.example:5432:*", "ada", secret: "pw")
        let passphrase = try home.write("the passphrase\n", to: "passphrase")
        try await home.succeeds(
            "lanyard", "passphrase", "set", "--yes", "--new-passphrase-file", passphrase)
        let given: [String: String?] = ["LANYARD_PASSPHRASE_FILE": passphrase]
        let doctor = try Doctor(
            try await home.inRepository("exec lanyard doctor --json", variables: given))
        let found = doctor.findings.first { $0.code == "plain-text-tool" }
        #expect(
            found?.advice?.hasPrefix("the keychain has another secret for 'psql@db.example")
                == true,
            "\(doctor)")
        // Without it, the import can't know.
        let moved = try await home.lanyard("import", "psql", "--remove-plain-text")
        expectLocked(moved)
    }

    @Test func aHelperThatCannotBeRun() async throws {
        let programs = try home.copiesOfPrograms(["lanyard", "lanyard-helper"])
        let script = """
            for name in git docker cargo; do ln -s lanyard-helper "$1/$name-credential-lanyard"; done
            PATH=$1:/usr/bin:/bin
            git config --global credential.helper lanyard
            lanyard setup docker >/dev/null
            chmod 644 "$1/lanyard-helper"
            lanyard setup cargo 2>&1 || :
            chmod 755 "$1/lanyard-helper"
            lanyard setup cargo >/dev/null 2>&1
            chmod 644 "$1/lanyard-helper"
            lanyard doctor || :
            """
        let shown = try await home.shell(script, programs).outputText
        let reason = "'\(programs)/lanyard-helper' can't be run, as its permissions say"
        #expect(
            shown.hasPrefix(
                "lanyard: error: \(reason)\nlanyard: hint: chmod 755 '\(programs)/lanyard-helper'\n"
            ),
            "\(shown)")
        #expect(shown.components(separatedBy: "\(reason) [").count == 2, "\(shown)")
        #expect(!shown.contains("missing [tool-helper-missing]"), "\(shown)")
    }

    @Test func aSearchListWithAnUnknownKeychain() async throws {
        try home.configure("[lanyard]\n\tsearchList = nope login\n")
        let doctor = try Doctor(try await home.inRepository("exec lanyard doctor --json"))
        let codes = doctor.findings.map(\.code)
        #expect(codes.contains("keychain-missing"), "\(doctor)")
        #expect(!codes.contains("git-helper-fails"), "\(doctor)")
        let get = try await home.helper("get", input: "protocol=https\nhost=a.example\n")
        #expect(get.outputText == "username=ada\npassword=pw\n", "\(get)")
    }

    /// After a backup that was restored with another owner, say.
    @Test(.needs(.root)) func aFolderOfAnotherOwner() async throws {
        let found = try await finding("wrong-owner", after: "chown -R 12345 '\(home.lanyard)/data'")
        #expect(found.command == "chown -R 0 '\(home.lanyard)/data'")
        let all = try await home.shell(
            """
            chown -R 12345 "$1"
            lanyard doctor --json | grep -o '"code":"wrong-owner"' | sort -u
            lanyard get https://a.example 2>&1 | grep hint
            """, home.lanyard)
        #expect(all.outputText.contains("lanyard: hint: chown -R 0 '\(home.lanyard)'"), "\(all)")
    }

    @Test func memoryThatCannotBeLocked() async throws {
        let outcome = try await home.command(
            "setpriv",
            [
                "--bounding-set=-ipc_lock", "--inh-caps=-ipc_lock", "sh", "-c",
                "ulimit -l 0 && exec lanyard doctor",
            ]
        ).run()
        #expect(outcome.outputText.contains("[memory-not-locked]"), "\(outcome)")
        #expect(!(try await home.lanyard("doctor")).outputText.contains("[memory-not-locked]"))
    }

    /// What nothing has to be done about is shown on request only.
    @Test func remarks() async throws {
        _ = try await home.inRepository(
            "git config --global credential.https://c.example.helper cache")
        let screen = try await home.inRepository("lanyard doctor")
        #expect(!screen.outputText.contains("[git-helper-for-url]"), "\(screen)")
        #expect(screen.outputText.contains("remark"), "\(screen)")
        let all = try await home.inRepository("lanyard doctor --verbose")
        #expect(all.outputText.contains("[git-helper-for-url]"), "\(all)")
        let found = try await finding("git-helper-for-url")
        #expect(found.severity == "note")
    }

    /// Another helper is the user's choice, unless lanyard has a login for the remote.
    @Test(arguments: ["a.example": true, "c.example": false])
    func aRemoteWithAHelperOfItsOwn(host: String, isWarning: Bool) async throws {
        let key = "credential.\(host).helper"
        let outcome = try await home.inRepository(
            """
            git config --global \(key) '' && git config --global --add \(key) cache
            git remote add origin https://\(host)/x.git && exec lanyard doctor --json
            """)
        let doctor = try Doctor(outcome)
        let found = doctor.findings.first { $0.code == "git-helper-for-remote" }
        #expect((found?.severity == "warning") == isWarning, "\(doctor)")
        #expect(doctor.codes.contains("git-helper-for-url") == !isWarning, "\(doctor)")
        guard let found else {
            return
        }
        #expect(found.what.hasPrefix("git does not ask lanyard for the remote 'origin'"))
        let fix = try #require(found.advice?.firstMatch(of: /else (.*)/)?.1, "\(found)")
        #expect(try await home.inRepository(String(fix)).status == 0)
        let after = try Doctor(try await home.inRepository("exec lanyard doctor --json"))
        #expect(!after.codes.contains("git-helper-for-remote"), "\(after)")
    }

    /// As `sudo git config --global` may leave it: git passes over the file without a word.
    @Test(.needs(.root), arguments: [0, AnotherUser.id])
    func aConfigurationThatGitCannotRead(owner: uid_t) async throws {
        let programs = try home.copiesOfPrograms(["lanyard", "git-credential-lanyard"])
        let own = try home.folder("own", of: AnotherUser.id)
        let file = "\(own)/.gitconfig"
        try Data("[credential]\n\thelper = lanyard\n".utf8).write(to: URL(filePath: file))
        chown(file, owner, owner)
        chmod(file, owner == 0 ? 0o600 : 0)
        func lanyard(_ arguments: String...) async throws -> Outcome {
            try await home.command(
                "setpriv", AnotherUser.arguments + ["\(programs)/lanyard"] + arguments,
                variables: [
                    "HOME": own, "LANYARD_HOME": "\(own)/lanyard", "GIT_CONFIG_GLOBAL": nil,
                    "XDG_CONFIG_HOME": nil, "XDG_RUNTIME_DIR": own, "TMPDIR": nil,
                ]
            ).run()
        }
        let command =
            owner == 0
            ? "sudo chown \(AnotherUser.id) '\(file)'" : "chmod u+rw '\(file)'"
        let doctor = try Doctor(try await lanyard("doctor", "--json"))
        let found = doctor.findings.first { $0.code == "git-global-hidden" }
        #expect(found?.what == "git can't read '\(file)'", "\(doctor)")
        #expect(found?.command == command, "\(doctor)")
        #expect(!doctor.codes.contains("git-not-set-up"), "\(doctor)")
        let setup = try await lanyard("setup", "git")
        #expect(
            setup.errorText.hasSuffix(
                "can't read '\(file)': Permission denied\nlanyard: hint: \(command)\n"),
            "\(setup)")
    }

    /// Copies of the programs, one of which names a library that no system has.
    @Test(.needs(.plugin)) func aLibraryThatAProgramLacks() async throws {
        let names = ["lanyard", "lanyard-secret-service", "git-credential-lanyard"]
        let folder = try home.copiesOfPrograms(names)
        let path = "\(folder)/lanyard-secret-service"
        var program = try Data(contentsOf: URL(filePath: path))
        let library = try #require(program.firstRange(of: Data("libgio-2.0.so.0".utf8)))
        program.replaceSubrange(library, with: Data("libgix-2.0.so.0".utf8))
        try program.write(to: URL(filePath: path))
        let outcome = try await home.command(
            "\(folder)/lanyard", ["doctor", "--json"],
            variables: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere"]
        ).run()
        let doctor = try Doctor(outcome)
        let found = try #require(
            doctor.findings.first { $0.code == "secret-service-library-missing" }, "\(doctor)")
        #expect(
            found.what == "'\(path)' can't start: the library libgix-2.0.so.0 is missing",
            "\(doctor)")
        // Nothing was set up or chosen.
        #expect(found.severity == "note", "\(doctor)")
    }

    /// The program of a keychain in the Secret Service.
    @Test(.needs(.plugin)) func statusNamesTheLibraryThatAPluginLacks() async throws {
        let folder = try home.copiesOfPrograms(["lanyard", "lanyard-keychain-secret-service"])
        let path = "\(folder)/lanyard-keychain-secret-service"
        var program = try Data(contentsOf: URL(filePath: path))
        let library = try #require(program.firstRange(of: Data("libsecret-1.so.0".utf8)))
        program.replaceSubrange(library, with: Data("libsecrex-1.so.0".utf8))
        try program.write(to: URL(filePath: path))
        let outcome = try await home.command(
            "\(folder)/lanyard", ["status"],
            variables: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere"]
        ).run()
        #expect(
            outcome.outputText.contains(
                "no, the library libsecrex-1.so.0 is missing\n"
                    + "          install the package that has it\n"), "\(outcome)")
        #expect(!outcome.outputText.contains("without an answer"), "\(outcome)")
    }
}
