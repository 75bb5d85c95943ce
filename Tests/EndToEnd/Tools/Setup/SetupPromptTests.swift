import Foundation
import Testing
@testable import EndToEndRig

/// `lanyard setup` as users see it.
@Suite(.needs(.git, .python), .timeLimit(.minutes(20)))
struct SetupPromptTests {
    let home: ScratchHome

    init() throws {
        home = try ScratchHome()
        try home.configureClients(.nothing)
        try FileManager.default.removeItem(
            atPath: "\(home.path)/home/.config/containers/registries.conf")
    }

    @Test(arguments: ["y\n", "\n", "yes\n"])
    func aYesSetsUp(typed: String) async throws {
        let session = try await PseudoTerminal(home: home).run(
            "lanyard", "setup", variables: home.toolVariables, then: .types(typed))
        #expect(session.status == 0, "\(session)")
        #expect(session.before == session.after, "\(session)")
        #expect(session.shown.contains("make these changes? [Y/n] "), "\(session)")
        #expect(session.shown.contains("ok        git works with a trial login\r\n"), "\(session)")
        #expect(session.shown.contains("lanyard passphrase set"), "\(session)")
    }

    /// The setup of one tool asks as that of all does.
    @Test(arguments: ["git", "askpass"])
    func theSetupOfOneToolAsks(_ tool: String) async throws {
        func files() throws -> [String] {
            try FileManager.default.subpathsOfDirectory(atPath: "\(home.path)/home").sorted()
        }
        let before = try files()
        let no = try await PseudoTerminal(home: home).run(
            "lanyard", "setup", tool, variables: home.toolVariables, then: .types("n\n"))
        #expect(no.shown.contains("make these changes? [Y/n] "), "\(no)")
        #expect(no.status == 128 && no.shown.contains("nothing was changed"), "\(no)")
        #expect(try files() == before)
        let dialogue = Dialogue(home: home, variables: home.toolVariables)
        let agreed = try await dialogue.run("lanyard setup \(tool) --yes")
        #expect(agreed.status == 0 && !agreed.shown.contains("[Y/n]"), "\(agreed)")
        let again = try await dialogue.run("lanyard setup \(tool)")
        #expect(again.status == 0 && !again.shown.contains("[Y/n]"), "\(again)")
    }

    /// So does that of one tool, whichever stops reading its file: what it moves comes back.
    @Test(
        arguments: [
            ("git", ".git-credentials", "https://ada:hunter2@a.example\n"),
            ("docker", ".docker/config.json", #"{"auths":{"d.example":{"auth":"dTpodW50ZXIy"}}}"#),
            ("cargo", ".cargo/credentials.toml", "[registry]\ntoken = \"hunter2\"\n"),
            ("vault", ".vault-token", "hunter2"),
        ], ["y\n", "n\n"])
    func theSetupOfOneToolMovesPlainText(
        _ tool: (name: String, file: String, text: String), typed: String
    ) async throws {
        let file = try home.writeAtHome(tool.text, to: tool.file)
        _ = try home.write("[credential]\n\thelper = store\n", to: "gitconfig", mode: 0o644)
        let variables = home.toolVariables.merging(["VAULT_ADDR": "https://v.example"]) { $1 }
        let session = try await PseudoTerminal(home: home).run(
            "lanyard", "setup", tool.name, variables: variables, then: .types("y\n"),
            .types(typed))
        #expect(session.status == 0 && !session.shown.contains("hunter"), "\(session)")
        #expect(session.shown.contains("remove the plain text? [Y/n] "), "\(session)")
        let left = home.textAtHome(tool.file)
        let hasSecret = ["hunter2", "dTpodW50ZXIy"].contains { left?.contains($0) == true }
        #expect(hasSecret == (typed == "n\n"), "\(file): \(session)")
        let undone = try await home.command(
            "lanyard", ["setup", tool.name, "--undo"], variables: variables
        ).run()
        #expect(undone.status == 0, "\(undone)")
        #expect(home.textAtHome(tool.file) == tool.text)
    }

    /// No helper can ask in a trial.
    @Test(.needs(.keyrings)) func aLockedKeychainIsUnlockedFirst() async throws {
        try await home.setPassphrase()
        try await home.forgettingKeys {
            try await home.forgetKeys()
            let session = try await PseudoTerminal(home: home).run(
                "lanyard", "setup", variables: home.toolVariables,
                then: .types("y\n"), .types("the passphrase\n"))
            #expect(session.status == 0, "\(session)")
            #expect(
                session.shown.contains("ok        git works with a trial login\r\n"), "\(session)")
            #expect(!session.shown.contains("is locked"), "\(session)")
        }
    }

    /// Both questions, as on the first day.
    @Test(arguments: ["y\n", "n\n", "\u{3}"])
    func plainTextIsMovedIfThatIsWanted(typed: String) async throws {
        let file = try home.write(
            "https://ada:hunter2@a.example\n", to: "home/.git-credentials")
        _ = try home.write("[credential]\n\thelper = store\n", to: "gitconfig", mode: 0o644)
        let session = try await PseudoTerminal(home: home).run(
            "lanyard", "setup", variables: home.toolVariables,
            then: .types("y\n"), .types(typed))
        #expect(session.status == 0, "\(session)")
        #expect(session.before == session.after, "\(session)")
        #expect(!session.shown.contains("hunter"), "\(session)")
        let isMoved = typed == "y\n"
        #expect(FileManager.default.fileExists(atPath: file) == !isMoved, "\(session)")
        #expect(session.shown.contains("lanyard import git-credentials") == !isMoved, "\(session)")
        // Its result follows the question, if at all.
        let shown = session.shown.split(separator: "remove the plain text?")
        try #require(shown.count == 2, "\(session)")
        let note = "note the logins in '\(file)': git no longer reads them"
        #expect(!shown[0].contains("no longer reads"), "\(session)")
        // Broken between words and after slashes, as the terminal is narrow.
        let words = shown[1].replacing(/\/\r\n +/, with: "/").split(whereSeparator: \.isWhitespace)
            .joined(separator: " ")
        #expect(words.contains(note) == !isMoved, "\(session)")
        #expect(shown[1].contains("\nnext      git clone"), "\(session)")
        let request = Array("protocol=https\nhost=a.example\n".utf8)
        let filled = try await home.command("git", ["credential", "fill"], input: request).run()
        #expect(filled.outputText.contains("password=hunter2\n") == isMoved, "\(filled)")
    }

    /// What is set up is set up: an entry that can't be moved is no reason to fail.
    @Test func whatCanNotBeMovedIsNamed() async throws {
        let file = try home.write(
            "https://ada:hunter2@a.example\nnot a login\n", to: "home/.git-credentials")
        _ = try home.write("[credential]\n\thelper = store\n", to: "gitconfig", mode: 0o644)
        let session = try await PseudoTerminal(home: home).run(
            "lanyard", "setup", variables: home.toolVariables,
            then: .types("y\n"), .types("y\n"))
        #expect(session.status == 0, "\(session)")
        let words = session.shown.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(
            words.contains("line 1 of '\(file)' was skipped: it is not a login"), "\(session)")
        #expect(session.shown.contains("\r\nnext "), "\(session)")
        #expect(!session.shown.contains("no longer reads"), "\(session)")
    }

    /// Neither yes nor no is no answer: the question comes again.
    @Test(arguments: ["NO\n", "\n"]) func nonsenseIsAskedForAgain(typed: String) async throws {
        let session = try await PseudoTerminal(home: home).run(
            "lanyard", "setup", variables: home.toolVariables, then: .types("hunter2\n"),
            .types(typed))
        let question = "make these changes? [Y/n] "
        #expect(
            session.shown.contains(
                "\(question)hunter2\r\nlanyard: error: answer y or n\r\n\(question)"), "\(session)")
        #expect(session.status == (typed == "\n" ? 0 : 128), "\(session)")
        #expect(session.before == session.after, "\(session)")
    }

    @Test(arguments: ["n\n", "\u{3}"])
    func anythingElseChangesNothing(typed: String) async throws {
        let before = try Snapshot(home.path)
        let session = try await PseudoTerminal(home: home).run(
            "lanyard", "setup", variables: home.toolVariables, then: .types(typed))
        #expect(session.status == 128, "\(session)")
        #expect(session.before == session.after, "\(session)")
        #expect(session.shown.contains("nothing was changed"), "\(session)")
        #expect(try Snapshot(home.path).differences(from: before) == [])
    }
}
