import KeychainServices
import Testing

@testable import ToolSetup

@Suite("undoing git's setup after the configuration was changed")
struct GitChangedTests {
    private static let start = "[user]\n\tname = A\n[credential]\n\thelper = store\n"

    @Test("git's own additions stay")
    func addedByGit() async throws {
        let home = try SetupHome()
        try home.write(".gitconfig", GitChangedTests.start)
        try home.setUp(.git)
        // git puts this into the section that the setup has made.
        try await home.git("config", "--global", "credential.useHttpPath", "true")
        try await home.git("config", "--global", "init.defaultBranch", "main")
        try home.undo(.git)
        #expect(
            try await home.git("config", "--global", "--list")
                == """
                user.name=A
                credential.helper=store
                credential.usehttppath=true
                init.defaultbranch=main

                """)
    }

    @Test(
        "other changes",
        arguments: [
            // before the setup's lines, behind them, indentation, line ends
            (
                "[a]\n\tb = 1\n\(start)[credential]\n\thelper =\n\thelper = lanyard\n",
                "[a]\n\tb = 1\n\(start)"
            ),
            (
                "\(start)[credential]\n\thelper =\n\thelper = lanyard\n# mine\n[a]\nb = 1",
                "\(start)# mine\n[a]\nb = 1"
            ),
            ("\(start)[credential]\n  helper =\n  helper = lanyard\n", start),
            ("\(start)[credential]\r\n\thelper =\r\n\thelper = lanyard\r\n", start),
            // a line between them: it stays, with a header before it
            (
                "\(start)[credential]\n\thelper =\n\thelper = lanyard\n\thelper = cache\n",
                "\(start)[credential]\n\thelper = cache\n"
            ),
            // the lines were removed by hand, or replaced
            (start, start),
            ("[user]\n", "[user]\n"),
            ("", ""),
        ])
    func changed(now: String, then: String) throws {
        let home = try SetupHome()
        try home.write(".gitconfig", GitChangedTests.start)
        try home.setUp(.git)
        try home.write(".gitconfig", now)
        try home.undo(.git)
        #expect(try home.read(".gitconfig") == then)
        #expect(failure { try home.undo(.git) }?.status == .itemNotFound)
    }

    @Test("a file that was removed does not come back")
    func removed() async throws {
        let home = try SetupHome()
        try home.write(".gitconfig", GitChangedTests.start)
        try home.setUp(.git)
        try await home.run("sh", ["-c", ": >\(home.path(".gitconfig"))"])
        try home.undo(.git)
        #expect(try home.read(".gitconfig") == "")
    }

    @Test("a file that the setup made keeps later additions")
    func madeAndChanged() async throws {
        let home = try SetupHome()
        try home.setUp(.git)
        try await home.git("config", "--global", "user.name", "A")
        try home.undo(.git)
        #expect(try home.read(".gitconfig") == "[user]\n\tname = A\n")
    }

    @Test("changed permissions stay")
    func permissions() throws {
        let home = try SetupHome()
        try home.write(".gitconfig", GitChangedTests.start)
        try home.setUp(.git)
        try home.write(".gitconfig", try home.bytes(".gitconfig"), mode: 0o600)
        try home.undo(.git)
        #expect(try home.mode(".gitconfig") == 0o600)
        #expect(try home.read(".gitconfig") == GitChangedTests.start)
    }

    @Test("restored bytes stay, even if they name lanyard")
    func putBackByHand() throws {
        let home = try SetupHome()
        let text = "[credential]\n\thelper = store\n\thelper = lanyard\n"
        try home.write(".gitconfig", text)
        try home.setUp(.git)
        try home.write(".gitconfig", text)
        let plan = try home.undo(.git)
        #expect(plan.isEmpty)
        #expect(plan.notes == ["'\(home.path(".gitconfig"))' holds nothing of the setup"])
        #expect(try home.read(".gitconfig") == text)
        #expect(failure { try home.undo(.git) }?.status == .itemNotFound)
    }

    @Test(
        "lanyard's helper is found by any of its names",
        arguments: [
            ("\thelper = lanyard\n", ""),
            ("\thelper = /opt/a\\\\ b/git-credential-lanyard --keychain x\n", ""),
            ("\thelper = cache\n", "[credential]\n\thelper = cache\n"),
        ])
    func otherForm(now: String, then: String) throws {
        let home = try SetupHome()
        home.jobFolders = []
        let path = "\(home.folder)/bin/git-credential-lanyard"
        let own = "[credential \"https://x.example\"]\n\thelper = \(path)\n"
        try home.write(".gitconfig", own)
        let plan = try home.setUp(.git)
        #expect(plan.changes.first?.lines.last == "+\thelper = \(path)")
        try home.write(".gitconfig", "\(own)[credential]\n\(now)")
        try home.undo(.git)
        #expect(try home.read(".gitconfig") == own + then)
    }

    @Test("an outdated plan is refused and changes nothing")
    func overtaken() throws {
        let home = try SetupHome()
        try home.write(".gitconfig", GitChangedTests.start)
        let plan = try home.setup(.git).plan()
        try home.write(".gitconfig", "[user]\n\tname = B\n")
        let before = try home.tree()
        #expect(failure { try home.setup(.git).apply(plan) }?.status == .databaseLocked)
        #expect(try home.tree() == before)
        #expect(failure { try home.undo(.git) }?.status == .itemNotFound)
    }
}
