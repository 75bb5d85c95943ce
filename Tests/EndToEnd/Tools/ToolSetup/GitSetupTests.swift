import Testing

@testable import ToolSetup

@Suite("setting git up, with the real git")
struct GitSetupTests {
    @Test("odd configurations: git asks lanyard, undo leaves every byte", arguments: oddGitConfigs)
    func oddConfiguration(config: GitConfigCase) async throws {
        let home = try SetupHome()
        for (name, text) in config.others {
            try home.write(name, text)
        }
        if let text = config.text {
            try home.write(".gitconfig", text)
        }
        try home.write("../gitconfig", config.system)
        let before = try home.tree()
        let entries = try await home.git("config", "--list", "-z")
        for _ in 0..<2 {
            let plan = try home.setUp(.git)
            #expect(plan.isEmpty == config.isSetUp)
            let helpers = try await home.git("config", "--get-all", "credential.helper")
                .split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            let inForce = helpers.split(separator: "", omittingEmptySubsequences: false).last ?? []
            #expect(inForce.map(String.init) == config.helpers)
            #expect(try await home.git("config", "--list", "-z").hasPrefix(entries))
            for change in plan.changes {
                let name = String(change.path.dropFirst(home.path("").count))
                #expect(
                    try home.bytes(name).starts(
                        with: Array((config.text ?? config.others[name] ?? "").utf8)))
            }
            try await expectLoginsFromLanyard(home)
            if !config.isSetUp {
                try home.undo(.git)
            }
            var after = try home.tree()
            after[".git-credentials"] = before[".git-credentials"]
            #expect(after == before)
        }
    }

    /// git gets a login from lanyard, and a new one is written nowhere in plain text.
    private func expectLoginsFromLanyard(_ home: SetupHome) async throws {
        let before = try home.tree()
        let request = "protocol=https\nhost=example.org\n"
        let answer = try await home.git("credential", "fill", input: request)
        #expect(answer.contains("password=from-lanyard"))
        try await home.git("credential", "approve", input: request + "username=me\npassword=new\n")
        #expect(try home.tree() == before)
        #expect(try home.read("../calls").hasSuffix("get\nstore\n"))
    }

    @Test("the helper for one URL stays")
    func helperForOneURL() async throws {
        let home = try SetupHome()
        try home.script("gh", "cat >/dev/null; printf 'username=gh\\npassword=token\\n'")
        try home.write(
            ".gitconfig",
            """
            [credential]
            \thelper = store
            [credential "https://github.com"]
            \thelper =
            \thelper = !gh auth git-credential

            """)
        try home.setUp(.git)
        let github = try await home.git(
            "credential", "fill", input: "protocol=https\nhost=github.com\n")
        #expect(github.contains("password=token"))
        let other = try await home.git(
            "credential", "fill", input: "protocol=https\nhost=gitlab.com\n")
        #expect(other.contains("password=from-lanyard"))
    }

    @Test("the plan says what is no longer used and what stays, without its arguments")
    func planSaysIt() throws {
        let home = try SetupHome()
        try home.write(".git-credentials", "https://a:secret-1@a\n\nhttps://b:secret-2@b\n")
        try home.write(
            ".gitconfig",
            "[credential]\n\thelper = store\n\thelper = \"!echo password=hunter2; true\"\n"
                + "[http]\n\textraHeader = hunter3\n")
        let plan = try home.setup(.git).plan()
        let change = try #require(plan.changes.first)
        #expect(plan.changes.count == 1)
        #expect(change.path == home.path(".gitconfig"))
        #expect(change.kind == .change)
        #expect(
            change.summary == [
                "git stores its logins in lanyard (credential.helper)",
                "the helper 'store', which writes plain text, is no longer used (in"
                    + " '\(change.path)')",
                "the helper '!echo …' stays, after lanyard (in '\(change.path)')",
            ])
        #expect(
            change.lines == [
                "+[credential]", "+\thelper =", "+\thelper = lanyard", "+\thelper = !echo …",
            ])
        let file = "'\(home.path(".git-credentials"))'"
        #expect(
            plan.unusedLogins.map(\.note) == [
                "\(file) contains logins in plain text (2): git no longer reads them;"
                    + " to move them into the keychain: lanyard import git-credentials"
                    + " --remove-plain-text \(file)"
            ])
        #expect(plan.notes == [])
        let said = "\(change.summary) \(change.lines) \(plan.unusedLogins)"
        #expect(!said.contains("hunter") && !said.contains("secret"))
    }

    @Test("a plan alone changes nothing")
    func planIsDry() throws {
        let home = try SetupHome()
        try home.write(".gitconfig", "[credential]\n\thelper = store\n")
        let before = try home.tree()
        _ = try home.setup(.git).plan()
        #expect(try home.tree() == before)
        #expect(try home.setup(.git).records.record(.git).entries.isEmpty)
    }

    @Test("GIT_CONFIG_GLOBAL names the file, and its folder is made and removed")
    func configuredFile() throws {
        let home = try SetupHome()
        home.variables["GIT_CONFIG_GLOBAL"] = home.path("a/b/config")
        let plan = try home.setUp(.git)
        #expect(plan.changes.map(\.kind) == [.create])
        #expect(try home.read("a/b/config") == "[credential]\n\thelper = lanyard\n")
        #expect(try home.mode("a/b/config") == 0o644)
        // The record names the file, and the undo needs no variable.
        home.variables["GIT_CONFIG_GLOBAL"] = nil
        #expect(try home.undo(.git).changes.map(\.kind) == [.remove])
        #expect(try home.tree().isEmpty)
    }

    @Test(
        "a second setup replaces a store that appears later; one undo restores everything")
    func laterStore() throws {
        let home = try SetupHome()
        try home.write(".gitconfig", "[user]\n\tname = A\n")
        let before = try home.tree()
        try home.setUp(.git)
        try home.write("../gitconfig", "[credential]\n\thelper = store\n")
        let plan = try home.setUp(.git)
        #expect(!plan.isEmpty)
        #expect(
            try home.read(".gitconfig")
                == "[user]\n\tname = A\n[credential]\n\thelper =\n\thelper = lanyard\n")
        try home.undo(.git)
        #expect(try home.tree() == before)
    }
}
