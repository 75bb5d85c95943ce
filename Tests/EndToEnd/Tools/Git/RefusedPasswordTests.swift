import Testing
@testable import EndToEndRig

/// A password that the server refuses is forgotten, and nothing else is.
@Suite(.needs(.git, .lighttpd), .timeLimit(.minutes(10)))
struct RefusedPasswordTests {
    let home: ScratchHome

    init() async throws {
        home = try ScratchHome()
        try await home.configureGit()
    }

    @Test func erasesTheWrongPasswordAfterOneRefusalAndOnlyThat() async throws {
        try await GitServer.serve(home) { [home] server in
            let port = try #require(server.host.split(separator: ":").last.flatMap { Int($0) })
            let others = [
                "protocol=http\nhost=\(server.host)\nusername=bob\n",
                "protocol=http\nhost=127.0.0.1\nusername=ada\n",
                "protocol=http\nhost=127.0.0.1:\(port + 1)\nusername=ada\n",
                "protocol=http\nhost=localhost:\(port)\nusername=ada\n",
                "protocol=https\nhost=\(server.host)\nusername=ada\n",
                "protocol=http\nhost=\(server.host)\npath=git/notes.git\nusername=eve\n",
            ]
            for other in others {
                try await home.store("\(other)password=wrong\n")
            }
            let wrong = "\(server.request)username=ada\n"
            try await home.store("\(wrong)password=wrong\n")

            let refused = try await home.git(
                "ls-remote", server.url(), asking: "stranger", "nothing")
            #expect(refused.outcome.status == 128, "\(refused.outcome)")
            #expect(refused.outcome.errorText.contains("Authentication failed"))
            #expect(refused.questions.isEmpty)

            try await home.expectGet(wrong, "")
            for other in others {
                try await home.expectGet(
                    other, "\(other.split(separator: "\n").last ?? "")\npassword=wrong\n")
            }
        }
    }

    @Test func asksAndKeepsTheRightOneTheNextTime() async throws {
        try await GitServer.serve(home) { [home] server in
            try await home.store("\(server.request)username=ada\npassword=wrong\n")
            _ = try await home.git("ls-remote", server.url())
            let asked = try await home.git("ls-remote", server.url(), asking: "ada", "right")
            #expect(asked.outcome.status == 0, "\(asked.outcome)")
            #expect(asked.questions.count == 2)
            try await home.succeeds("git", "ls-remote", server.url())
        }
    }
}
