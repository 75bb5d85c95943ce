import Testing
@testable import EndToEndRig

/// With credential.useHttpPath every repository has a login of its own.
@Suite(.needs(.git, .lighttpd), .timeLimit(.minutes(10)))
struct RepositoryLoginTests {
    let home: ScratchHome

    init() async throws {
        home = try ScratchHome()
        try await home.configureGit()
    }

    @Test func keepsALoginForEachRepository() async throws {
        let repositories = [
            GitServer.Repository(name: "one", users: ["ada": "for one"]),
            GitServer.Repository(name: "two", users: ["ada": "for two"]),
        ]
        try await GitServer.serve(home, repositories) { [home] server in
            try await home.succeeds("git", "config", "--global", "credential.useHttpPath", "true")
            for name in ["one", "two"] {
                let asked = try await home.git(
                    "ls-remote", server.url(name), asking: "ada", "for \(name)")
                #expect(asked.outcome.status == 0, "\(asked.outcome)")
                #expect(asked.questions.count == 2)
            }
            for name in ["one", "two", "one"] {
                try await home.succeeds("git", "ls-remote", server.url(name))
                try await home.expectGet(
                    "\(server.request)path=git/\(name).git\n",
                    "username=ada\npassword=for \(name)\n")
            }
            // A login of another repository is not good enough.
            try await home.expectGet("\(server.request)path=git/three.git\n", "")
        }
    }
}
