import KeychainServices
import Testing

@testable import ToolSetup

@Suite("obstacles to git's setup")
struct GitFailureTests {
    @Test("git is not installed")
    func notInstalled() throws {
        let home = try SetupHome(programs: [])
        let error = failure { _ = try home.setup(.git).plan() }
        #expect(error?.status == .notAvailable)
        #expect(error?.reason == "git is not installed")
        #expect(try home.tree().isEmpty)
    }

    @Test("git hangs", arguments: ["exec sleep 600", "sleep 600"])
    func hangs(script: String) throws {
        let home = try SetupHome(programs: [])
        try home.script("git", script)
        var git = GitProgram(environment: home.environment)
        git.timeLimit = 1000
        let start = ContinuousClock.now
        let error = failure { _ = try git.configuration() }
        #expect(error?.reason == "git did not finish in time")
        #expect(start.duration(to: .now) < .seconds(300))
    }

    @Test("git ends without reading what it is given")
    func endsEarly() throws {
        let home = try SetupHome(programs: [])
        try home.script("git", "exit 0")
        // More than a pipe holds.
        let text = FileBytes(String(repeating: "\n", count: 1 << 20))
        let git = GitProgram(environment: home.environment)
        #expect(try git.entries(of: text).isEmpty)
    }

    @Test(
        "a configuration that git can't parse",
        arguments: [
            "[user\nname = A\n", "[a]\n\tb = \"c\n", "hunter2 = [\nhunter2 hunter2\n",
            "[credential]\n\thelper\n",
        ])
    func unparsable(text: String) throws {
        let home = try SetupHome()
        try home.write(".gitconfig", text)
        let before = try home.tree()
        let error = failure { _ = try home.setup(.git).plan() }
        #expect(error?.status == .decode)
        #expect(error?.reason.contains(".gitconfig") == true)
        #expect(error?.reason.contains("hunter2") == false)
        #expect(try home.tree() == before)
    }

    @Test(
        "there is no global configuration to write",
        arguments: ["/dev/null", "", "relative/path"])
    func noFile(path: String) throws {
        let home = try SetupHome()
        home.variables["GIT_CONFIG_GLOBAL"] = path
        #expect(failure { _ = try home.setup(.git).plan() }?.status == .param)
    }

    @Test("another git is writing")
    func locked() throws {
        let home = try SetupHome()
        try home.write(".gitconfig", "[user]\n")
        try home.write(".gitconfig.lock", "")
        let before = try home.tree()
        #expect(failure { _ = try home.setup(.git).plan() }?.status == .databaseLocked)
        #expect(try home.tree() == before)
    }

    @Test("undo without a setup, and undo twice")
    func nothingToUndo() throws {
        let home = try SetupHome()
        let first = failure { try home.undo(.git) }
        #expect(first?.status == .itemNotFound)
        #expect(first?.reason == "there is no setup of git to undo")
        try home.setUp(.git)
        try home.undo(.git)
        #expect(failure { try home.undo(.git) }?.status == .itemNotFound)
        #expect(try home.tree().isEmpty)
    }
}
