import Testing
@testable import EndToEndRig

/// Real git, real HTTP: the main job.
@Suite(.needs(.git, .lighttpd), .timeLimit(.minutes(10)))
struct GitOverHTTPTests {
    let home: ScratchHome

    init() async throws {
        home = try ScratchHome()
        try await home.configureGit()
    }

    @Test func clonesFetchesAndPushesWithAStoredLogin() async throws {
        try await GitServer.serve(home) { [home] server in
            let clone = "\(home.path)/clone"
            let asked = try await home.git("clone", server.url(), clone, asking: "ada", "right")
            #expect(asked.outcome.status == 0, "\(asked.outcome)")
            #expect(asked.questions.count == 2, "\(asked.questions)")
            try await home.expectGet(server.request, "username=ada\npassword=right\n")

            // From here on prompts are impossible.
            try await home.aColleagueWrites(in: server.repository())
            try await home.succeeds("git", "-C", clone, "fetch")
            #expect(
                try await home.commit("origin/main", in: clone)
                    == home.commit("main", in: server.repository()))
            try await home.succeeds("git", "-C", clone, "merge", "--ff-only", "origin/main")
            try await home.succeeds("git", "-C", clone, "commit", "--allow-empty", "-m", "mine")
            try await home.succeeds("git", "-C", clone, "push", "origin", "main")
            #expect(
                try await home.commit("main", in: clone)
                    == home.commit("main", in: server.repository()))
            try await home.succeeds("git", "clone", server.url(), "\(home.path)/another")
        }
    }

    @Test func refusesWhoHasNoLogin() async throws {
        try await GitServer.serve(home) { [home] server in
            let refused = try await home.git("clone", server.url(), "\(home.path)/clone")
            #expect(refused.status == 128, "\(refused)")
            #expect(refused.errorText.contains("could not read Username"), "\(refused)")
        }
        // Nor does asking for one leave a trace.
        #expect(try Snapshot(home.lanyard).entries.keys.sorted() == [])
    }

    @Test func fetchesWithoutTouchingAnyFile() async throws {
        let server = try await GitServer.serve(home) { [home] server in
            try await home.store("\(server.request)username=ada\npassword=right\n")
            let clone = "\(home.path)/clone"
            try await home.succeeds("git", "clone", server.url(), clone)
            let before = try Snapshot(home.lanyard)
            #expect(before.contents.count == 3)
            try await home.aColleagueWrites(in: server.repository())
            try await home.succeeds("git", "-C", clone, "fetch")
            // Times, inodes and folders included: git said `store`, and nothing was written.
            let after = try Snapshot(home.lanyard)
            #expect(after.differences(from: before) == [])
            return server
        }
        #expect(try server.log().filter { $0 == "ada 200" }.count >= 4)
    }
}
