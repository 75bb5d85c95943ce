import Foundation
import Glibc
import Testing
@testable import EndToEndRig

/// `lanyard scan`: secrets in plain text.
@Suite(.timeLimit(.minutes(10)))
struct ScanTests {
    let home: ScratchHome
    /// Needs percent codes and JSON escapes.
    static let secret = #"Tr0ub"4dor&3/x"#

    init() async throws {
        home = try ScratchHome()
        try await home.set("--for", "git", "https://git.example.com", "ada", secret: Self.secret)
    }

    /// Runs `lanyard scan`. The secret must not be in what it prints.
    private func scan(
        _ arguments: String..., status: Int32, variables: [String: String?] = [:],
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Outcome {
        let outcome = try await home.command(
            "lanyard", ["scan"] + arguments, variables: variables
        ).run()
        #expect(outcome.status == status, "\(outcome)", sourceLocation: sourceLocation)
        let printed = outcome.outputText + outcome.errorText
        #expect(
            !printed.contains("Tr0ub") && !printed.contains("4dor"),
            sourceLocation: sourceLocation)
        return outcome
    }

    /// The lines on standard output, without the home folder.
    private func lines(_ outcome: Outcome) -> [String] {
        outcome.outputText.replacing("\(home.folder)/", with: "~/").split(separator: "\n")
            .map(String.init)
    }

    private static let copy = "copy of 'https://git.example.com' of 'ada', group git"

    @Test func nothingIsFound() async throws {
        try home.writeAtHome("ls\ncd x\n", to: ".bash_history")
        let outcome = try await scan(status: 0)
        #expect(outcome.output.isEmpty)
        #expect(
            outcome.errorText == "lanyard: 0 findings in 1 file, searched for 1 secret\n",
            "\(outcome)")
    }

    @Test func copiesAreFound() async throws {
        try home.writeAtHome(
            "ls\ncurl -u 'ada:\(Self.secret)' https://git.example.com\n", to: ".bash_history")
        try home.writeAtHome("A=1\n\nTOKEN='\(Self.secret)'\n", to: "project/.env")
        try home.writeAtHome(#"{"token": "Tr0ub\"4dor&3/x"}"#, to: "project/log/json")
        try home.writeAtHome(
            "GET https://ada:Tr0ub%224dor%263%2Fx@git.example.com/\n", to: "project/log/url")
        // printf 'ada:Tr0ub"4dor&3/x' | base64
        try home.writeAtHome("Basic YWRhOlRyMHViIjRkb3ImMy94\n", to: "project/log/header")
        let outcome = try await scan(status: 1)
        #expect(
            lines(outcome) == [
                "~/.bash_history:2: \(Self.copy)",
                "~/project/.env:3: \(Self.copy)",
                "~/project/log/header:1: \(Self.copy), in Base64",
                "~/project/log/json:1: \(Self.copy), with JSON escapes",
                "~/project/log/url:1: \(Self.copy), percent-encoded",
            ], "\(outcome)")
        #expect(
            lines(try await scan("\(home.folder)/project/.env", status: 1))
                == ["~/project/.env:3: \(Self.copy)"])
        #expect(lines(try await scan("/usr/share/doc/git", home.runtime, status: 0)) == [])
    }

    @Test func toolsFilesAreFound() async throws {
        try home.writeAtHome("https://bob:other@example.com\n", to: ".git-credentials")
        try home.writeAtHome(
            #"{"auths":{"r.example":{"auth":"Ym9iOm90aGVy"}}}"#, to: ".docker/config.json")
        try home.writeAtHome("machine h login bob\npassword other\n", to: ".netrc")
        try home.writeAtHome("localhost:5432:*:bob:other\n", to: ".pgpass")
        try home.writeAtHome("github.com:\n  oauth_token: gho_x\n", to: ".config/gh/hosts.yml")
        try home.writeAtHome("github.com:\n  oauth_token: gho_x\n", to: "copy/hosts.yml")
        let outcome = try await scan(status: 1)
        #expect(
            Set(lines(outcome)) == [
                "~/.git-credentials:1: secret of git in plain text",
                "~/.docker/config.json:1: secret of docker in plain text",
                "~/.netrc:2: secret of netrc in plain text",
                "~/.pgpass:1: secret of psql in plain text",
                "~/.config/gh/hosts.yml:2: secret of gh in plain text",
            ], "\(outcome)")
        #expect(
            outcome.errorText.hasSuffix(
                "lanyard: hint: lanyard scan --fix moves those of tools into the keychain\n"),
            "\(outcome)")
        #expect(
            lines(try await scan("\(home.folder)/.config", status: 1))
                == ["~/.config/gh/hosts.yml:2: secret of gh in plain text"])
    }

    /// The real client's keys, with and without a passphrase.
    @Test(.needs(.openssl)) func privateKeysAreFound() async throws {
        let ssh = "\(home.folder)/.ssh"
        try home.writeAtHome("", to: ".ssh/config")
        for (name, options) in [
            ("ed25519", ["-t", "ed25519"]), ("ecdsa", ["-t", "ecdsa", "-m", "PEM"]),
            ("rsa", ["-t", "rsa", "-m", "PKCS8"]),
        ] {
            for (prefix, passphrase) in [("open", ""), ("closed", "a passphrase")] {
                let file = "\(ssh)/\(prefix)_\(name)"
                let made = try await home.command(
                    "ssh-keygen", ["-q", "-N", passphrase, "-f", file] + options
                ).run()
                #expect(made.status == 0, "\(made)")
            }
        }
        let key = try String(contentsOfFile: "\(ssh)/open_ed25519", encoding: .utf8)
        try home.writeAtHome("# keys\n\(key)", to: "project/keys.txt")
        let outcome = try await scan(status: 1)
        #expect(
            lines(outcome) == [
                "~/.ssh/open_ecdsa:1: private key without a passphrase",
                "~/.ssh/open_ed25519:1: private key without a passphrase",
                "~/.ssh/open_rsa:1: private key without a passphrase",
                "~/project/keys.txt:2: private key without a passphrase",
            ], "\(outcome)")
        #expect(!outcome.outputText.contains(key.split(separator: "\n")[1]))
        let path = "'\(ssh)/open_ecdsa'"
        #expect(
            outcome.errorText.contains(
                "lanyard: hint: lanyard key import \(path), "
                    + "or give a key a passphrase: ssh-keygen -p -f \(path)\n"), "\(outcome)")
        let found = try JSONText(
            try await scan("--json", "\(home.folder)/project", status: 1).output
        ).members
        #expect(
            found["findings"] == [
                [
                    "file": .string("\(home.folder)/project/keys.txt"), "line": 2,
                    "kind": "private-key",
                ]
            ])
        // What is imported is not to be imported again.
        let imported = try await home.lanyard("key", "import", "\(ssh)/open_ecdsa")
        #expect(imported.status == 0, "\(imported)")
        let others = try await scan(status: 1)
        #expect(
            others.errorText.contains("lanyard: hint: lanyard key import '\(ssh)/open_ed25519', "),
            "\(others)")
        let rest = try await home.lanyard(
            "key", "import", "\(ssh)/open_ed25519", "\(ssh)/open_rsa")
        #expect(rest.status == 0, "\(rest)")
        let left = try await scan("\(ssh)", status: 1)
        #expect(
            left.errorText.contains(
                "lanyard: hint: the keychain has the key: rm \(path), or give the file a passphrase: "
                    + "ssh-keygen -p -f \(path)\n"), "\(left)")
    }

    /// Many names of one file of zeros take long.
    @Test func interruptingReportsWhatWasFound() async throws {
        try home.writeAtHome("\(Self.secret)\n", to: "a")
        let zeros = try home.writeAtHome("", to: "zeros/0")
        truncate(zeros, off_t(16 << 20))
        for number in 1...5_000 {
            link(zeros, "\(home.folder)/zeros/\(number)")
        }
        let session = try await Dialogue(home: home, variables: ["TERM": "xterm"]).run(
            "stty cols 200; lanyard scan",
            steps: [.sees("searching: "), .sends(SIGINT, to: "lanyard")])
        #expect(session.status == 130, "\(session)")
        let lines = TerminalScreen(session.shown, columns: 200).lines
        #expect(lines.first == "\(home.folder)/a:1: \(Self.copy)", "\(session)")
        #expect(
            lines.contains("lanyard: warning: stopped: the other files were not searched"),
            "\(session)")
        #expect(session.before == session.after)
    }

    @Test func json() async throws {
        try home.writeAtHome("x\n\(Self.secret)\n", to: "file")
        try home.writeAtHome("hvs.x\n", to: ".vault-token")
        try await home.set("backup", secret: "short")
        let outcome = try await scan("--json", status: 1)
        #expect(outcome.error.isEmpty, "\(outcome)")
        let item: JSONText = [
            "name": "https://git.example.com", "account": "ada", "group": "git",
            "keychain": "login",
        ]
        let found = try JSONText(outcome.output).members
        #expect(
            found["findings"] == [
                [
                    "file": .string("\(home.folder)/.vault-token"), "line": 1,
                    "kind": "plain-text", "tool": "vault",
                ],
                [
                    "file": .string("\(home.folder)/file"), "line": 2, "kind": "copy",
                    "form": "plain", "items": [item],
                ],
            ], "\(outcome)")
        #expect(found["files"] == 2 && found["secrets"] == 1, "\(outcome)")
        #expect(
            found["omitted_secrets"]
                == ["short": 1, "simple": 0, "asking": 0, "damaged": 0], "\(outcome)")
        for name in ["unreadable", "large", "other_file_systems", "cut_short"] {
            #expect(found[name] == [], "\(outcome)")
        }
    }

    @Test func itemsThatAskAreLeftOut() async throws {
        try await home.setPassphrase()
        try await home.forgettingKeys {
            try await home.unlock()
            let set = try await home.lanyardUnlocked(
                "set", "--stdin", "--ask", "publish", input: "An0ther&secret")
            #expect(set.status == 0, "\(set)")
            try home.writeAtHome("An0ther&secret\n", to: "file")
            let outcome = try await scan(status: 0)
            #expect(
                outcome.errorText == """
                    lanyard: 0 findings in 1 file, searched for 1 secret
                    lanyard: secrets not searched for: 1 protected by a question

                    """, "\(outcome)")
        }
    }

    @Test func aLockedKeychainIsAnError() async throws {
        try home.writeAtHome("\(Self.secret)\n", to: "file")
        try await home.setPassphrase()
        expectLocked(try await scan(status: 36))
        let unlocked = try await home.lanyardUnlocked("scan")
        #expect(unlocked.status == 1, "\(unlocked)")
    }

    @Test func theKeychainItselfIsNotSearched() async throws {
        let outcome = try await scan(home.path, "--json", status: 0)
        let found = try JSONText(outcome.output).members
        #expect(found["unreadable"] == [], "\(outcome)")
        #expect(found["bytes"] == 0, "\(outcome)")
    }

    @Test func oddFilesDoNotStopIt() async throws {
        try home.writeAtHome("\(Self.secret)\n", to: "a/file")
        symlink("..", "\(home.folder)/a/loop")
        mkfifo("\(home.folder)/a/pipe", 0o600)
        let large = try home.writeAtHome("\(Self.secret)\n", to: "a/large")
        truncate(large, 1 << 40)
        let outcome = try await scan(status: 1)
        #expect(lines(outcome) == ["~/a/file:1: \(Self.copy)"], "\(outcome)")
        #expect(
            outcome.errorText.contains(
                "lanyard: warning: '\(large)': not searched: larger than 256 MiB\n"), "\(outcome)")
    }

    /// Not only in the same URL.
    @Test func keysOfOneTimeCodesAreFound() async throws {
        let key = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
        let set = try await home.lanyard("set", "--stdin", "--code", "github", input: key)
        #expect(set.status == 0, "\(set)")
        try home.writeAtHome("the QR code says \(key)\n", to: "note")
        let outcome = try await scan(status: 1)
        #expect(
            lines(outcome) == ["~/note:1: copy of 'github', group code"], "\(outcome)")
        #expect(!outcome.outputText.contains(key))
    }

    /// The copies of what was moved are found, too.
    @Test func fixMovesLoginsIntoTheKeychain() async throws {
        try home.writeAtHome(
            "https://bob:An0ther%26secret@example.com\n", to: ".git-credentials")
        try home.writeAtHome(
            #"{"auths":{"r.example":{"auth":"Ym9iOkFuMHRoZXImc2VjcmV0"}},"credsStore":"lanyard"}"#,
            to: ".docker/config.json")
        // Otherwise podman, if it is installed, still uses docker's file.
        try home.writeAtHome(
            "credential-helpers = [\"lanyard\"]\n", to: ".config/containers/registries.conf")
        try home.writeAtHome("An0ther&secret\n", to: ".bash_history")
        let outcome = try await scan("--fix", status: 1)
        #expect(
            lines(outcome).last
                == "~/.bash_history:1: copy of 'r.example' of 'bob', group docker, "
                + "and of 1 other item", "\(outcome)")
        #expect(home.textAtHome(".git-credentials") == nil)
        #expect(home.textAtHome(".docker/config.json")?.contains("Ym9i") == false)
        try await home.expectGet(
            "protocol=https\nhost=example.com\n", "username=bob\npassword=An0ther&secret\n")
        try home.writeAtHome("", to: ".bash_history")
        _ = try await scan("--fix", status: 0)
    }

    /// curl reads netrc, and git may still use its own file.
    @Test func fixLeavesFilesThatAreInUse() async throws {
        _ = try home.write("[credential]\nhelper = store\n", to: "gitconfig")
        let git = "https://bob:An0ther%26secret@example.com\n"
        let netrc = "machine example.com login bob password An0ther&secret\n"
        try home.writeAtHome(git, to: ".git-credentials")
        try home.writeAtHome(netrc, to: ".netrc")
        let outcome = try await scan("--fix", status: 1)
        #expect(lines(outcome).count == 2, "\(outcome)")
        #expect(outcome.errorText.contains("lanyard: hint: lanyard setup git, then"), "\(outcome)")
        #expect(outcome.errorText.contains("lanyard: nothing was moved: --fix moves"), "\(outcome)")
        #expect(outcome.errorText.contains("lanyard: hint: lanyard import netrc '"), "\(outcome)")
        #expect(home.textAtHome(".git-credentials") == git)
        #expect(home.textAtHome(".netrc") == netrc)
    }

    /// No import takes it.
    @Test func fixSaysWhatToDoWithALoginForAllHosts() async throws {
        let netrc = "default login bob password An0ther&secret\n"
        try home.writeAtHome(netrc, to: ".netrc")
        let outcome = try await scan("--fix", status: 1)
        #expect(!outcome.errorText.contains("import netrc"), "\(outcome)")
        #expect(outcome.errorText.contains("name each host with 'machine'"), "\(outcome)")
        #expect(home.textAtHome(".netrc") == netrc)
    }

    /// The items that are imported from npm's file are for pnpm.
    @Test func fixDoesNotPointToAnImportThatBreaksNpm() async throws {
        try home.writeAtHome("//registry.npmjs.org/:_authToken=\(Self.npmToken)\n", to: ".npmrc")
        let outcome = try await scan("--fix", status: 1)
        #expect(!outcome.errorText.contains("--remove-plain-text"), "\(outcome)")
        #expect(
            outcome.errorText.contains(
                "lanyard: hint: lanyard set npm and lanyard setup npm, then"),
            "\(outcome)")
        #expect(home.textAtHome(".npmrc")?.contains(Self.npmToken) == true)
    }

    /// Where the tool is set up, a setup would change nothing.
    @Test(arguments: ["[registry]\n", "[registries.work]\n"])
    func fixMovesTokensOfCargo(section: String) async throws {
        try home.writeAtHome(
            "[registries.work]\nindex = \"sparse+https://crates.example/\"\n",
            to: ".cargo/config.toml")
        let file = try home.writeAtHome(
            "\(section)token = \"cio-An0ther-secret\"\n", to: ".cargo/credentials.toml")
        let before = try await scan("--fix", status: 1)
        #expect(
            before.errorText.contains(
                "'\(file)' is left as it is: cargo may still use it\nlanyard: hint: lanyard setup cargo, "
                    + "then lanyard import cargo --remove-plain-text '\(file)'\n"), "\(before)")
        let setUp = try await home.lanyard("setup", "cargo")
        #expect(setUp.status == 0, "\(setUp)")
        let outcome = try await scan("--fix", status: 0)
        #expect(outcome.outputText.contains("removed   "), "\(outcome)")
        #expect(home.textAtHome(".cargo/credentials.toml")?.contains("An0ther") != true)
    }

    private static let npmToken = "npm_" + String(repeating: "0a1B", count: 9)

    /// PATH with the programs' shims first.
    private func path(_ programs: String) throws -> [String: String?] {
        let path = try home.environment()["PATH"] ?? ""
        return ["PATH": "\(home.folder)/.local/bin:\(programs):\(path)"]
    }

    private static let hosts =
        "github.com:\n    oauth_token: gho_An0ther-secret\n    user: ada\n"

    /// The program is a script that prints what it gets.
    @Test func fixMovesSecretsOfProgramsWithShims() async throws {
        let variables = try path(try home.folderOfPrintingPrograms(["gh", "hcloud"]))
        let file = try home.writeAtHome(Self.hosts, to: "dotfiles/hosts.yml")
        try home.writeAtHome("", to: ".config/gh/other")
        symlink(file, "\(home.folder)/.config/gh/hosts.yml")
        let contexts =
            "[[contexts]]\nname = \"a\"\ntoken = \"t0ken-0f-a\"\n"
            + "[[contexts]]\nname = \"b\"\ntoken = \"t0ken-0f-b\"\n"
        try home.writeAtHome(contexts, to: ".config/hcloud/cli.toml")

        // Without a shim, gh needs the file.
        let before = try await scan("--fix", status: 1, variables: variables)
        #expect(
            before.errorText.contains(
                "'\(home.folder)/.config/gh/hosts.yml' is left as it is: gh still uses it\n"
                    + "lanyard: hint: lanyard setup gh, then lanyard scan --fix\n"), "\(before)")
        #expect(home.textAtHome("dotfiles/hosts.yml") == Self.hosts)

        for program in ["gh", "hcloud"] {
            let setUp = try await home.command(
                "lanyard", ["setup", program], variables: variables
            ).run()
            #expect(setUp.status == 0, "\(setUp)")
        }
        // PATH has the program first.
        let folder = "\(home.folder)/.local/bin"
        let unreached = try await scan(
            "--fix", status: 1,
            variables: ["PATH": variables["PATH"]??.replacing("\(folder):", with: "")])
        #expect(
            unreached.errorText.contains(
                "is left as it is: shells start gh without lanyard\n"
                    + "lanyard: hint: put '\(folder)' first in PATH, then lanyard scan --fix\n"),
            "\(unreached)")

        try home.writeAtHome("gho_An0ther-secret\n", to: ".bash_history")
        let outcome = try await scan("--fix", status: 1, variables: variables)
        #expect(
            outcome.outputText.contains(
                "removed   1 login from '\(home.folder)/.config/gh/hosts.yml'\n"), "\(outcome)")
        #expect(lines(outcome).contains { $0.hasPrefix("~/.bash_history:1: copy of 'gh") })
        #expect(!outcome.outputText.contains("An0ther"))
        #expect(home.textAtHome(".config/gh/hosts.yml") == "github.com:\n    user: ada\n")
        #expect(home.textAtHome("dotfiles/hosts.yml") == "github.com:\n    user: ada\n")
        let run = try await home.command("gh", [], variables: variables).run()
        expectAnswer(run, "gh\nGH_TOKEN=gho_An0ther-secret\n")

        // Each token stays with its context.
        #expect(
            home.textAtHome(".config/hcloud/cli.toml")?.contains("t0ken") == false, "\(outcome)")
        for context in ["a", "b"] {
            expectAnswer(
                try await home.lanyard("get", "hcloud@\(context)"), "t0ken-0f-\(context)\n")
        }
    }

    /// The profile and one of its programs have one name.
    @Test func hintsNameEachProgramWithoutAShim() async throws {
        let variables = try path(
            try home.folderOfPrintingPrograms(["linode-cli", "linode", "lin"]))
        try home.writeAtHome("[DEFAULT]\n[ada]\ntoken = t0ken-0f-ada\n", to: ".linode-cli")
        for (program, others) in [
            ("linode-cli", "linode-cli linode lin"), ("linode", "linode lin"),
        ] {
            let outcome = try await scan("--fix", status: 1, variables: variables)
            #expect(
                outcome.errorText.contains(
                    "\(program) still uses it\n"
                        + "lanyard: hint: lanyard setup \(others), then lanyard scan --fix\n"),
                "\(outcome)")
            let setUp = try await home.command(
                "lanyard", ["setup", program], variables: variables
            ).run()
            #expect(setUp.status == 0, "\(setUp)")
        }
    }

    /// As a user who can read the file, and not replace it.
    @Test(.needs(.root)) func fixLeavesFilesOfOthers() async throws {
        let programs = try home.copiesOfPrograms(["lanyard"])
        let folder = "\(home.path)/theirs"
        try await home.shell(
            """
            mkdir -p "$1/home/.config/gh" "$1/programs"
            printf '#!/bin/sh\n' >"$1/programs/gh"
            chmod +x "$1/programs/gh"
            printf '%s' "$3" >"$1/home/.config/gh/hosts.yml"
            chown -R "$2:$2" "$1"
            chown -R 0:0 "$1/home/.config/gh"
            chmod 755 "$1/home/.config/gh"
            chmod 644 "$1/home/.config/gh/hosts.yml"
            """, folder, "\(AnotherUser.id)", Self.hosts)
        let path = "\(folder)/home/.local/bin:\(folder)/programs:\(programs):/usr/bin:/bin"
        var command = try home.command(
            "setpriv",
            AnotherUser.arguments + ["sh", "-c", "lanyard setup gh && lanyard scan --fix"],
            variables: [
                "PATH": path, "HOME": "\(folder)/home", "LANYARD_HOME": "\(folder)/lanyard",
                "XDG_RUNTIME_DIR": nil,
            ])
        command.timeLimit = .seconds(60)
        let outcome = try await command.run()
        let file = "\(folder)/home/.config/gh/hosts.yml"
        #expect(outcome.errorText.contains("lanyard: error: '\(file)': "), "\(outcome)")
        #expect(
            outcome.outputText.contains("\(file):2: secret of gh in plain text\n"), "\(outcome)")
        #expect(try String(contentsOfFile: file, encoding: .utf8) == Self.hosts)
    }

    /// Wherever it is killed, the secret is in the keychain or in the file, and the next one ends it.
    @Test(.needs(.tracing)) func aKilledFixLosesNothing() async throws {
        let variables = try path(try home.folderOfPrintingPrograms(["gh"]))
        let setUp = try await home.command(
            "lanyard", ["setup", "gh"], variables: variables
        ).run()
        #expect(setUp.status == 0, "\(setUp)")
        try await home.shell("mv \"$LANYARD_HOME\" \"$1\"", "\(home.path)/template")
        let whole = try await fixAnew(killedAt: nil, variables)
        #expect(whole.status == 0, "\(whole)")
        try await expectFixed("not killed", variables)
        let steps = try traced.count(home)
        try #require(steps > Self.kills, "only \(steps) system calls were seen")
        var killed = 0
        for part in 0..<Self.kills {
            let parts = (part...part + 1).map { steps * $0 / Self.kills }
            let step = Int.random(in: parts[0] + 1...parts[1])
            let outcome = try await fixAnew(killedAt: step, variables)
            killed += outcome.status == nil ? 1 : 0
            if home.textAtHome(".config/gh/hosts.yml") == Self.hosts {
                let again = try await home.command(
                    "lanyard", ["scan", "--fix"], variables: variables
                ).run()
                #expect(again.status == 0, "killed at \(step) of \(steps): \(again)")
            }
            try await expectFixed("killed at \(step) of \(steps)", variables)
        }
        // The last calls are of no single thread.
        #expect(killed > Self.kills / 4, "\(killed) were killed")
    }

    private static let kills = 12

    private var traced: TracedCalls {
        TracedCalls(
            names: "openat,write,pwrite64,fsync,link,linkat,rename,renameat,renameat2,unlink",
            file: "\(home.path)/trace")
    }

    /// Fixes the same file again, with a fresh copy of the keychain.
    private func fixAnew(killedAt step: Int?, _ variables: [String: String?]) async throws
        -> Outcome
    {
        try await home.shell(
            "rm -rf \"$LANYARD_HOME\"; cp -a \"$1\" \"$LANYARD_HOME\"", "\(home.path)/template")
        try home.writeAtHome(Self.hosts, to: ".config/gh/hosts.yml")
        return try await home.command(
            "strace", traced.arguments(killedAt: step) + ["lanyard", "scan", "--fix"],
            variables: variables
        ).run()
    }

    private func expectFixed(_ comment: Comment, _ variables: [String: String?]) async throws {
        let text = home.textAtHome(".config/gh/hosts.yml")
        #expect(text == "github.com:\n    user: ada\n", comment)
        let run = try await home.command("gh", [], variables: variables).run()
        #expect(run.outputText == "gh\nGH_TOKEN=gho_An0ther-secret\n", comment)
    }

    /// As a user who can't read everything.
    @Test(.needs(.root))
    func unreadableFilesAreSaid() async throws {
        let programs = try home.copiesOfPrograms(["lanyard"])
        let folder = "\(home.path)/theirs"
        try await home.shell(
            """
            mkdir -p "$1/home/open" "$1/home/closed"
            echo x >"$1/home/closed/file"
            echo y >"$1/home/secret"
            chown -R "$2:$2" "$1"
            chown -R 0:0 "$1/home/closed" "$1/home/secret"
            chmod 700 "$1/home/closed"
            chmod 600 "$1/home/secret"
            """, folder, "\(AnotherUser.id)")
        var command = try home.command(
            "setpriv", AnotherUser.arguments + ["\(programs)/lanyard", "scan"],
            variables: ["HOME": "\(folder)/home", "LANYARD_HOME": "\(folder)/lanyard"])
        command.timeLimit = .seconds(60)
        let outcome = try await command.run()
        #expect(outcome.status == 0, "\(outcome)")
        #expect(
            outcome.errorText.contains(
                "lanyard: warning: '\(folder)/home/closed' and 1 more: can't be read\n"),
            "\(outcome)")
    }

    @Test func missingPathsAreErrors() async throws {
        let outcome = try await scan("\(home.path)/missing", status: 44)
        #expect(
            outcome.errorText == "lanyard: error: file '\(home.path)/missing' not found\n",
            "\(outcome)")
        let pipe = "\(home.path)/pipe"
        mkfifo(pipe, 0o600)
        _ = try await scan(pipe, status: 64)
        _ = try await scan("--staged", home.path, status: 64)
    }
}
