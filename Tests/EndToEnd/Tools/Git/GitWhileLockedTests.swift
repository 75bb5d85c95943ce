import Testing
@testable import EndToEndRig

/// Real git, real HTTP, and a keychain that is locked when git needs a login.
@Suite(.needs(.git, .lighttpd, .python, .keyrings), .timeLimit(.minutes(10)))
struct GitWhileLockedTests {
    private static let prompt = "passphrase for the keychain 'login': "
    private static let login = "username=ada\npassword=right\n"

    let home: ScratchHome

    init() async throws {
        home = try ScratchHome()
        try await home.configureGit()
    }

    /// With a clone of a repository that has news, and a locked keychain.
    private func serve(
        _ body: @escaping @Sendable (GitServer, Dialogue) async throws -> Void
    ) async throws {
        let path = try await home.pathWith("git")
        try await GitServer.serve(home) { [home] server in
            try await home.store("\(server.request)\(GitWhileLockedTests.login)")
            try await home.succeeds("git", "clone", server.url(), "\(home.path)/clone")
            try await home.aColleagueWrites(in: server.repository())
            try await home.setPassphrase()
            // A user at a terminal, whom git itself would ask too.
            let terminal = Dialogue(
                home: home,
                variables: ["PATH": path, "TERM": "xterm", "GIT_TERMINAL_PROMPT": nil])
            try await home.forgettingKeys { try await body(server, terminal) }
        }
    }

    private func expectFetched(_ server: GitServer) async throws {
        #expect(
            try await home.commit("origin/main", in: "\(home.path)/clone")
                == home.commit("main", in: server.repository()))
    }

    private func expectStillStored(_ server: GitServer) async throws {
        let answer = try await home.command(
            "git-credential-lanyard", ["get"], input: Array(server.request.utf8),
            variables: ["LANYARD_PASSPHRASE_FILE": "\(home.path)/passphrase"]
        ).run()
        expectAnswer(answer, GitWhileLockedTests.login)
    }

    @Test func thePassphraseIsTypedOnce() async throws {
        try await serve { server, terminal in
            let fetch = try await terminal.run(
                "git -C \"$1/clone\" fetch --quiet", home.path,
                steps: [.asked(GitWhileLockedTests.prompt), .types("the passphrase\n")])
            fetch.expect(status: 0)
            #expect(fetch.shown == "\(GitWhileLockedTests.prompt)\r\n")
            try await expectFetched(server)

            try await home.aColleagueWrites(in: server.repository())
            let again = try await terminal.run("git -C \"$1/clone\" fetch --quiet", home.path)
            again.expect(status: 0)
            #expect(again.shown == "")
            try await expectFetched(server)

            let clone = try await terminal.run(
                "git clone --quiet \"$2\" \"$1/another\"", home.path, server.url())
            clone.expect(status: 0)
            #expect(clone.shown == "")
        }
    }

    /// ^C ends git with its helper.
    @Test func cancelled() async throws {
        try await serve { server, terminal in
            let fetch = try await terminal.run(
                "git -C \"$1/clone\" fetch --quiet", home.path,
                steps: [.asked(GitWhileLockedTests.prompt), .types("\u{3}")])
            #expect(fetch.status != 0, "\(fetch)")
            #expect(!fetch.shown.contains("Username"), "\(fetch)")
            expectLocked(try await home.lanyard("get", "--group", "git", server.origin))
            try await expectStillStored(server)
        }
    }

    /// git asks for itself what its helper does not answer: who forgot the passphrase can go on. The
    /// login that was typed is not stored, and it does not ask for the passphrase six times.
    @Test func theWrongPassphrase() async throws {
        try await serve { server, terminal in
            let wrong: [Dialogue.Step] = (1...3).flatMap { _ -> [Dialogue.Step] in
                [.asked(GitWhileLockedTests.prompt), .types("wrong\n")]
            }
            let fetch = try await terminal.run(
                "git -C \"$1/clone\" fetch --quiet", home.path,
                steps: wrong + [
                    .sees("Username for"), .types("ada\n"), .asked("Password for"),
                    .types("right\n"), .asked(GitWhileLockedTests.prompt), .types("\u{4}"),
                ])
            fetch.expect(status: 0)
            #expect(fetch.shown.contains("lanyard: error: wrong passphrase"))
            try await expectFetched(server)
            try await expectStillStored(server)
        }
    }

    @Test func anAskpassAnswers() async throws {
        try await serve { server, _ in
            let askpass = try AskpassProgram(home, answers: ["the passphrase"])
            for _ in 1...2 {
                let fetch = try await home.command(
                    "setsid", ["-w", "git", "-C", "\(home.path)/clone", "fetch", "--quiet"],
                    variables: ["SSH_ASKPASS": askpass.path]
                ).run()
                expectAnswer(fetch, "")
                try await expectFetched(server)
                try await home.aColleagueWrites(in: server.repository())
            }
            #expect(try askpass.questions() == [GitWhileLockedTests.prompt])
        }
    }

    @Test func withoutPrompts() async throws {
        try await serve { server, _ in
            let fetch = try await home.command(
                "setsid", ["-w", "git", "-C", "\(home.path)/clone", "fetch", "--quiet"]
            ).run()
            #expect(fetch.status == 128, "\(fetch)")
            #expect(
                fetch.errorText.hasPrefix(
                    """
                    lanyard: error: the keychain 'login' is locked, and lanyard can't prompt here
                    lanyard: hint: lanyard unlock

                    """), "\(fetch)")
            try await expectStillStored(server)
        }
    }
}
