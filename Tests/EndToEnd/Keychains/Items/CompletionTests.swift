import Foundation
import KeychainServices
import SealedStore
import Testing
@testable import EndToEndRig

/// What real shells make of the completions, with a locked keychain and no prompts.
@Suite(.serialized, .needs(.python, .bash, .zsh, .fish), .timeLimit(.minutes(10)))
struct CompletionTests {
    let home: ScratchHome

    init() throws {
        home = try ScratchHome()
    }

    private func fill() async throws {
        try await home.set("https://ada@example.com", "--group", "git", secret: "s")
        try await home.set("https://bob@example.com", "--group", "git", secret: "s")
        try await home.set("https://git.example.org:8443/a/b.git", secret: "s")
        try await home.set("my wi-fi", "home", secret: "s")
        try await home.set("naïve", secret: "s")
        try await home.succeeds("lanyard", "keychain", "create", "work")
        try await home.set("only at work", "--keychain", "work", secret: "s")
        try await home.setPassphrase()
    }

    @Test(arguments: CompletingShell.allCases)
    func storedNames(_ shell: CompletingShell) async throws {
        try await fill()
        // Each line as it is typed, and the words that it becomes.
        let lines: [(typed: String, words: [String])] = [
            ("lanyard get https://ex", ["lanyard", "get", "https://example.com"]),
            ("lanyard set --for kub", ["lanyard", "set", "--for", "kubectl"]),
            (
                "lanyard get https://git.example.org:",
                [
                    "lanyard", "get", "https://git.example.org:8443/a/b.git",
                ]
            ),
            (
                "lanyard remove https://g",
                [
                    "lanyard", "remove", "https://git.example.org:8443/a/b.git",
                ]
            ),
            ("lanyard get my", ["lanyard", "get", "my wi-fi"]),
            ("lanyard get my\\ w", ["lanyard", "get", "my wi-fi"]),
            ("lanyard get na", ["lanyard", "get", "naïve"]),
            (
                "lanyard get https://example.com a",
                ["lanyard", "get", "https://example.com", "ada"]
            ),
            (
                "lanyard get https://example.com b",
                ["lanyard", "get", "https://example.com", "bob"]
            ),
            ("lanyard get my\\ wi-fi ", ["lanyard", "get", "my wi-fi", "home"]),
            ("lanyard setup --dr", ["lanyard", "setup", "--dry-run"]),
            ("lanyard setup --und", ["lanyard", "setup", "--undo"]),
            ("lanyard list --group gi", ["lanyard", "list", "--group", "git"]),
            ("lanyard list --account ho", ["lanyard", "list", "--account", "home"]),
            ("lanyard list --server git", ["lanyard", "list", "--server", "git.example.org"]),
            ("lanyard status --keychain wo", ["lanyard", "status", "--keychain", "work"]),
            ("lanyard keychain default wo", ["lanyard", "keychain", "default", "work"]),
            (
                "lanyard get --keychain work on",
                [
                    "lanyard", "get", "--keychain", "work", "only at work",
                ]
            ),
            ("lanyard get only", ["lanyard", "get", "only"]),
            (
                "lanyard config get lanyard.auto",
                ["lanyard", "config", "get", "lanyard.autolock"]
            ),
            ("lanyard recovery-k", ["lanyard", "recovery-key"]),
            ("lanyard help recovery-k", ["lanyard", "help", "recovery-key"]),
            ("lanyard import aw", ["lanyard", "import", "aws"]),
            ("lanyard import bitw", ["lanyard", "import", "bitwarden"]),
            ("lanyard setup supab", ["lanyard", "setup", "supabase"]),
            ("lanyard setup terraf", ["lanyard", "setup", "terraform"]),
            ("lanyard list --exp", ["lanyard", "list", "--expired"]),
        ]
        let shown = try await shell.complete(lines.map(\.typed), in: home)
        for (line, words) in zip(lines, shown) {
            #expect(words == line.words, "\(line.typed)")
        }
        #expect(shown.count == lines.count)
        #expect(try await home.lockState() == "locked")
    }

    /// A name can come from anywhere, and a shell must not take a part of it for a command.
    @Test(arguments: CompletingShell.allCases)
    func namesThatAShellWouldRun(_ shell: CompletingShell) async throws {
        for (number, name) in [
            "$(touch ran-%)", "`touch ran-%`", "x;touch ran-%", "x'\"$(touch ran-%)", "*", "~",
            "-n",
            "${HOME}", "x\\$(touch ran-%)", "x|touch ran-%", "<(touch ran-%)",
        ].enumerated() {
            // In place of every name.
            let name = name.replacing("%", with: "\(number)")
            try await home.set(
                "--yes", "--group", "zz\(name)", "--", "evil\(name)", name, secret: "s")
        }
        let shown = try await shell.complete(
            ["lanyard get evil", "lanyard list --group zz", "lanyard get evil-n "], in: home)
        #expect(
            shown == [
                ["lanyard", "get", "evil-n"], ["lanyard", "list", "--group", "zz-n"],
                // An account like an option is not offered.
                ["lanyard", "get", "evil-n"],
            ])
        let files = try FileManager.default.subpathsOfDirectory(atPath: home.path)
        #expect(!files.contains { $0.contains("ran-") }, "\(files)")
    }

    /// However many items there are, what is offered is bounded, and so is the time it takes.
    @Test func ofManyItems() async throws {
        let location = KeychainLocation(file: home.keychain, stateFolder: home.state)
        let keychain = Keychain(try SealedStore.openOrMake(at: location), accessGroups: .all())
        try keychain.transaction { () throws(KeychainError) in
            for number in 0..<20_000 {
                var attributes = ItemAttributes()
                attributes.server = ByteString("host-\(number).example")
                attributes.protocol = .https
                try keychain.add(.internetPassword, attributes, secret: Secret("s"))
            }
        }
        let start = ContinuousClock.now
        let all = try await complete("get", "positional@0", "https://ho")
        #expect(all.count == 100)
        let none = try await complete("get", "positional@0", "https://xx")
        #expect(none.isEmpty)
        #expect(ContinuousClock.now - start < .seconds(10))
    }

    /// What a shell gets that completes a word of `lanyard COMMAND WORD`.
    private func complete(
        _ command: String, _ argument: String, _ word: String
    ) async throws -> [String] {
        let outcome = try await home.command(
            "lanyard",
            [
                "---completion", command, "--", argument, "2", "\(word.count)", "lanyard", command,
                word,
            ], variables: ["SAP_SHELL": "bash"]
        ).run()
        #expect(outcome.status == 0 && outcome.error.isEmpty, "\(outcome)")
        return outcome.outputText.split(separator: "\n").map(String.init)
    }

    /// The names of all tools, by which their programs' names begin.
    /// The tools that lanyard-set(1) lists for --for.
    private func toolNames() throws -> [String] {
        let page = try String(
            contentsOf: ManExample.folder.appending(path: "lanyard-set.1"), encoding: .utf8)
        let list = try #require(page.components(separatedBy: "\n.Ar tool\nis\n").last)
            .components(separatedBy: "\n.Ar what\n")[0]
        return list.matches(of: /\.Li (\S+)/).map { String($0.1) }
    }

    /// Nothing is said that would stand in the middle of the line that is being typed.
    @Test func inSilenceWhateverIsWrong() async throws {
        #expect(try await complete("get", "positional@0", "").isEmpty)
        #expect(!FileManager.default.fileExists(atPath: home.lanyard))
        try await home.set("x", secret: "s")
        #expect(try await complete("get", "positional@0", "") == ["x"])
        try Data("garbage".utf8).write(to: URL(filePath: home.keychain))
        #expect(try await complete("get", "positional@0", "").isEmpty)
        #expect(
            try await complete("list", "--group", "").sorted()
                == (try toolNames() + ["login"]).sorted())
        try await home.shell(
            """
            mkdir -p -m 700 "$LANYARD_HOME/config"
            echo nonsense >"$LANYARD_HOME/config/config"
            """)
        #expect(try await complete("get", "positional@0", "").isEmpty)
        #expect(try await complete("list", "--group", "").isEmpty)
    }
}
