import Foundation
import Testing
@testable import EndToEndRig

/// The program that exchanges a team's items with a git repository, over HTTP with a password from the keychain.
@Suite(.needs(.git, .lighttpd), .timeLimit(.minutes(5))) struct GitSyncTests {
    let home: ScratchHome

    init() throws {
        home = try ScratchHome()
    }

    private static let team = String(repeating: "0", count: 30) + "63"
    private static let record = String(repeating: "0", count: 31) + "1"

    /// Gives the program these requests, and returns its answers.
    private func exchange(
        _ address: String, _ requests: String...
    ) async throws -> [Substring] {
        let hello = """
            {"id":1,"method":"hello","versions":[1],"address":"\(address)","team":"\(Self.team)",\
            "folder":"\(home.path)/team"}
            """
        let input = ([hello] + requests).map { "\($0)\n" }.joined()
        let outcome = try await home.command("lanyard-sync-git", [], input: Array(input.utf8)).run()
        #expect(outcome.status == 0, "\(outcome)")
        return outcome.outputText.split(separator: "\n")
    }

    @Test func theLoginComesFromTheKeychain() async throws {
        try await GitServer.serve(home) { server in
            let login = "\(server.request)username=ada\npassword=right\n"
            #expect(try await home.helper("store", input: login).status == 0)
            let answers = try await exchange(
                server.url(),
                #"{"id":2,"method":"create","timeout":20000}"#,
                #"{"id":3,"method":"putRoster","timeout":20000,"sequence":0,"rosterCount":0,"roster":["AQI="]}"#,
                #"{"id":4,"method":"put","timeout":20000,"rosterCount":1,"records":[{"id":"\#(Self.record)","version":0,"content":"AwQ="}]}"#,
                #"{"id":5,"method":"changes","timeout":20000,"sequence":0,"rosterCount":0}"#)
            #expect(answers.count == 5)
            #expect(answers[1] == #"{"id":2}"#)
            #expect(answers[2] == #"{"id":3,"stored":true}"#)
            #expect(answers[3] == #"{"id":4,"stored":true}"#)
            #expect(answers[4].contains(#""content":"AwQ=""#))
            let log = try await home.succeeds(
                "git", "--git-dir", server.repository(), "log", "--format=%an %cn", "lanyard")
            #expect(log.outputText == "Lanyard Lanyard\nLanyard Lanyard\n")
        }
    }

    @Test func aWrongPasswordHasAnErrorOfItsOwn() async throws {
        try await GitServer.serve(home) { server in
            let login = "\(server.request)username=ada\npassword=wrong\n"
            #expect(try await home.helper("store", input: login).status == 0)
            let answers = try await exchange(
                server.url(), #"{"id":2,"method":"head","timeout":20000}"#)
            #expect(answers.last?.contains(#""status":-25293"#) == true, "\(answers)")
            #expect(answers.last?.contains("wrong") == false)
            let hint = "lanyard set --group git http://ACCOUNT@\(server.host)"
            #expect(answers.last?.contains(hint) == true, "\(answers)")
        }
    }

    @Test func anAddressWithAPasswordIsRefused() async throws {
        let answers = try await exchange("https://ada:hunter2@example.com/team.git")
        #expect(answers.count == 1 && answers[0].contains(#""status":-50"#), "\(answers)")
        #expect(!answers[0].contains("hunter2"))
    }

    @Test func twoMachinesShareAKeychainThroughIt() async throws {
        let other = try ScratchHome()
        try await GitServer.serve(home) { server in
            for machine in [home, other] {
                let login = "\(server.request)username=ada\npassword=right\n"
                #expect(try await machine.helper("store", input: login).status == 0)
                expectAnswer(try await machine.lanyard("keychain", "create", "work"), "")
            }
            try await home.set("db", "--keychain", "work", secret: "one")
            let created = try await team(
                home, "create", server.url(), "--person", "ada", "--device", "a")
            #expect(created.status == 0, "\(created)")
            let invitation = try await team(home, "invite").outputText
            let teamCode = try #require(invitation.split { " \n".contains($0) }.dropLast(2).last)
            let joined = try await team(
                other, "join", server.url(), String(teamCode), "--person", "grace", "--device",
                "g")
            let code = String(joined.outputText.dropLast())
            #expect(try await team(home, "approve", code).status == 0)
            expectAnswer(try await team(other, "sync", "--quiet"), "")
            #expect(try await other.secret("db", in: "work") == "one")
        }
        // Without the server the other machine still has it.
        let away = try await team(other, "sync")
        #expect(away.status != 0)
        #expect(try await other.secret("db", in: "work") == "one")
    }

    /// Over TLS, with the login stored by the command that the error names.
    @Test(.needs(.tls)) func overTLS() async throws {
        let made = try await MadeCertificates(home)
        let address = GitServer.Address(certificate: made.path("server-with-key.pem"))
        try await GitServer.serve(home, at: address) { server in
            expectAnswer(try await home.lanyard("keychain", "create", "work"), "")
            // The user's git has to trust the server.
            let create = ["create", server.url(), "--person", "ada"]
            let untrusted = try await team(home, create)
            #expect(untrusted.status == 53, "\(untrusted)")
            try await home.succeeds(
                "git", "config", "--global", "http.sslCAInfo", made.path("root.pem"))
            let refused = try await team(home, create)
            #expect(refused.status == 51, "\(refused)")
            // Nothing of the attempts stays.
            let files = try FileManager.default.contentsOfDirectory(atPath: home.state)
            #expect(!files.contains { $0.contains(".sync") || $0.contains(".team") })
            let login = "\(server.origin.replacing("://", with: "://ada@"))"
            #expect(
                refused.errorText.contains(
                    "lanyard set --group git \(login.replacing("ada", with: "ACCOUNT"))"))
            try await home.set("--group", "git", login, secret: "right")
            #expect(try await team(home, create).status == 0)
            #expect(try await team(home, "sync").errorText == "lanyard: 0 received, 0 sent\n")
        }
    }

    private func team(_ machine: ScratchHome, _ arguments: String...) async throws -> Outcome {
        try await team(machine, arguments)
    }

    private func team(_ machine: ScratchHome, _ arguments: [String]) async throws -> Outcome {
        try await machine.command("lanyard", ["team"] + arguments + ["--keychain", "work"]).run()
    }
}
