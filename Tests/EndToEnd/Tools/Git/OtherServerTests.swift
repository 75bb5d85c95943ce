import Testing
@testable import EndToEndRig

/// A login goes to the server it was stored for, host and port, and to no other.
@Suite(.needs(.git, .lighttpd), .timeLimit(.minutes(10)))
struct OtherServerTests {
    let home: ScratchHome

    init() async throws {
        home = try ScratchHome()
        try await home.configureGit()
    }

    @Test func anotherPortOfTheHostGetsNothing() async throws {
        let other = try await GitServer.serve(home) { [home] server in
            // Both know the login: whichever gets it lets git in.
            try await GitServer.serve(home) { other in
                try await home.store("\(server.request)username=ada\npassword=right\n")
                try await home.store(
                    "protocol=http\nhost=127.0.0.1\nusername=ada\npassword=right\n")
                try await home.succeeds("git", "ls-remote", server.url())
                for user in [nil, "ada"] {
                    let refused = try await home.git("ls-remote", other.url(user: user))
                    #expect(refused.status == 128, "\(refused)")
                    #expect(refused.errorText.contains("could not read"), "\(refused)")
                }
                try await home.expectGet(server.request, "username=ada\npassword=right\n")
                return other
            }
        }
        #expect(try server401(other))
    }

    @Test(.needs(.loopback6)) func anIPv6LiteralWorksAsAHost() async throws {
        try await GitServer.serve(home, at: GitServer.Address(host: "[::1]")) { [home] server in
            let asked = try await home.git("ls-remote", server.url(), asking: "ada", "right")
            #expect(asked.outcome.status == 0, "\(asked.outcome)")
            try await home.succeeds("git", "ls-remote", server.url())
            let request = "protocol=http\nhost=\(server.host)\n"
            #expect(server.host.hasPrefix("[::1]:"))
            try await home.expectGet(request, "username=ada\npassword=right\n")
            try await home.expectGet("protocol=http\nhost=[::1]\n", "")
        }
    }

    /// Whether no client even tried to log in.
    private func server401(_ server: GitServer) throws -> Bool {
        let log = try server.log()
        return !log.isEmpty && log.allSatisfy { $0 == "- 401" }
    }
}
