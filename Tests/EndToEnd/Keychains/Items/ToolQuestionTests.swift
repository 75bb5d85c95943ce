import Testing
@testable import EndToEndRig

/// `lanyard set` asks at a terminal which tool a login is for.
@Suite(.needs(.python), .timeLimit(.minutes(10)))
struct ToolQuestionTests {
    let home: ScratchHome
    private var terminal: PseudoTerminal { PseudoTerminal(home: home) }

    init() throws {
        home = try ScratchHome()
    }

    @Test(
        "a login of the web may be for a tool",
        arguments: [
            ("https://github.com", "", "GIT/docker/other", "git"),
            ("https://example.com", "", "git/docker/OTHER", "login"),
            ("https://example.com", "g", "git/docker/OTHER", "git"),
            ("https://github.com", "other", "GIT/docker/other", "login"),
            ("ghcr.io", "", "git/DOCKER/other", "docker"),
        ])
    func forWhichTool(what: String, typed: String, choices: String, group: String) async throws {
        let session = try await terminal.run(
            "lanyard", "set", what, "ada", then: .types("\(typed)\n"), .types("pw\n"),
            .types("pw\n"))
        #expect(
            session.shown.hasPrefix(
                "is this login for git, docker or another program? [\(choices)] "), "\(session)")
        #expect(
            session.shown.hasSuffix(
                "lanyard: stored '\(what)' of 'ada'\(group == "login" ? "" : " for \(group)")\r\n"),
            "\(session)")
        expectRestored(session, status: 0)
        expectAnswer(try await home.lanyard("get", what, "ada", "--group", group), "pw\n")
    }

    /// git asks no helper for ssh: there it is ssh's password, or the token of a registry of cargo's.
    @Test(arguments: [
        ("ssh://ada@host.example", "", "ASKPASS/cargo/other", "askpass"),
        ("ssh://git@host.example/a/b", "", "askpass/cargo/OTHER", "login"),
        ("ssh://git@host.example/a/b", "c", "askpass/cargo/OTHER", "cargo"),
    ])
    func forWhichToolBySSH(
        what: String, typed: String, choices: String, group: String
    ) async throws {
        let session = try await terminal.run(
            "lanyard", "set", what, then: .types("\(typed)\n"), .types("pw\n"), .types("pw\n"))
        #expect(
            session.shown.hasPrefix(
                "is this login for askpass, cargo or another program? [\(choices)] "),
            "\(session)")
        expectRestored(session, status: 0)
        expectAnswer(try await home.lanyard("get", what, "--group", group), "pw\n")
    }

    /// lanyard run and aws itself look in different places.
    @Test func aKeyForAWS() async throws {
        let session = try await terminal.run(
            "lanyard", "set", "aws@work", "AKIA1", then: .types("pw\n"), .types("pw\n"))
        #expect(
            session.shown.hasSuffix(
                "lanyard: stored 'aws@work' of 'AKIA1'\r\n"
                    + "lanyard: hint: lanyard run aws finds it; for aws alone: lanyard setup aws work\r\n"
            ), "\(session)")
    }

    @Test func noToolIsAskedForWhereItIsKnown() async throws {
        try await home.set("https://ada@example.com", secret: "old")
        try await home.set("https://ada@forge.example", "--group", "git", secret: "old")
        let other = try await terminal.run(
            "lanyard", "set", "https://ada@example.com", "--yes", then: .types("new\n"),
            .types("new\n"))
        #expect(other.shown.hasPrefix("secret for "), "\(other)")
        let git = try await terminal.run(
            "lanyard", "set", "https://ada@forge.example", "--yes", then: .types("\n"),
            .types("new\n"), .types("new\n"))
        #expect(git.shown.contains("[GIT/docker/other]"), "\(git)")
        #expect(
            git.shown.hasSuffix("replaced 'https://forge.example' of 'ada' for git\r\n"), "\(git)")
    }

    /// A password typed too early is neither stored nor repeated, and the question comes again.
    @Test func anotherAnswerThanAToolIsAskedForAgain() async throws {
        let answered = try await terminal.run(
            "lanyard", "set", "https://bob@example.com", then: .types("hunter2\n"),
            .types("other\n"), .types("pw\n"), .types("pw\n"))
        let question = "is this login for git, docker or another program? [git/docker/OTHER] "
        #expect(
            answered.shown == """
                \(question)hunter2\r
                lanyard: error: answer git, docker or other; the secret comes next\r
                \(question)other\r
                secret for https://bob@example.com: \r
                secret again: \r
                lanyard: stored 'https://example.com' of 'bob'\r

                """, "\(answered)")
        expectRestored(answered, status: 0)
        let never = try await terminal.run(
            "lanyard", "set", "https://eve@example.com", then: .types("what\n"), .types("what\n"),
            .types("what\n"))
        #expect(
            never.shown.hasSuffix("lanyard: hint: choose with --for or --group\r\n"), "\(never)")
        expectRestored(never, status: 128)
    }
}
