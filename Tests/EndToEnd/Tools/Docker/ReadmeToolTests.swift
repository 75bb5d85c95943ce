import Foundation
import Testing
@testable import EndToEndRig

/// What the README has one type for each tool works with that tool itself: with the right secret it does its
/// work, and with none or another one it does not.
@Suite(.timeLimit(.minutes(10)))
struct ReadmeToolTests {
    let home: ScratchHome

    private static let secret = #"hunter2 ä"x"#

    init() throws {
        home = try ScratchHome()
    }

    /// Runs a script in the home folder.
    private func run(_ script: String, _ variables: [String: String] = [:]) async throws -> Outcome
    {
        try await home.command(
            "sh", ["-euc", "cd; \(script)"], variables: variables.mapValues { $0 }
        ).run()
    }

    private func expectSuccess(
        _ outcome: Outcome, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(outcome.status == 0, "\(outcome)", sourceLocation: sourceLocation)
    }

    private func expectRefusal(
        _ outcome: Outcome, _ reason: String, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let text = outcome.outputText + outcome.errorText
        #expect(outcome.status != 0, "\(outcome)", sourceLocation: sourceLocation)
        #expect(text.contains(reason), "\(outcome)", sourceLocation: sourceLocation)
    }

    @Test(.needs(.restic, .python)) func restic() async throws {
        let setting = try Readme.command("lanyard set backup")
        let session = try await Dialogue(home: home).run(
            setting,
            steps: [
                .asked("secret for backup: "), .types("\(Self.secret)\n"), .asked("again: "),
                .types("\(Self.secret)\n"),
            ])
        session.expect(status: 0)
        let variables = ["RESTIC_REPOSITORY": "\(home.path)/repository"]
        let asking = try Readme.command("restic --password-command")
        let making = asking.replacing(" snapshots", with: " init")
        try #require(making != asking)
        expectSuccess(try await run(making, variables))
        // It is the whole secret that the repository has.
        let file = try home.write("\(Self.secret)\n", to: "password")
        expectSuccess(
            try await run(
                "echo note >note && restic backup --host here note",
                variables.merging(["RESTIC_PASSWORD_FILE": file]) { $1 }))

        for command in [asking, try Readme.command("lanyard exec --file RESTIC_PASSWORD_FILE=")] {
            let outcome = try await run(command, variables)
            expectSuccess(outcome)
            #expect(outcome.outputText.contains("1 snapshots"), "\(outcome)")
        }
        try await home.set("backup", secret: "another")
        expectRefusal(try await run(asking, variables), "wrong password")
    }

    @Test(.needs(.borg)) func borg() async throws {
        try await home.set("backup", secret: Self.secret)
        let variables = [
            "BORG_REPO": "\(home.path)/repository", "BORG_BASE_DIR": "\(home.path)/borg",
        ]
        let listing = try Readme.command("BORG_PASSCOMMAND=")
        let making = listing.replacing("borg list", with: "borg init --encryption repokey")
        try #require(making != listing)
        expectSuccess(try await run(making, variables))
        let own = variables.merging(["BORG_PASSPHRASE": Self.secret]) { $1 }
        expectSuccess(try await run("echo note >note && borg create ::first note", own))
        let outcome = try await run(listing, variables)
        expectSuccess(outcome)
        #expect(outcome.outputText.hasPrefix("first "), "\(outcome)")
        try await home.set("backup", secret: "another")
        expectRefusal(try await run(listing, variables), "is incorrect")
    }

    @Test(.needs(.msmtp, .tls, .python)) func msmtp() async throws {
        try await home.set("mail", secret: Self.secret)
        let line = try Readme.command("passwordeval ")
        let account = Account(name: "ada", password: Self.secret)
        let server = try await MailServer.serve(home, for: account) { [home] server in
            try home.writeAtHome(
                """
                account default
                host 127.0.0.1
                port \(server.port)
                from ada@example.com
                tls on
                tls_starttls off
                tls_trust_file \(server.certificate)
                auth on
                user ada
                \(line)

                """, to: ".msmtprc")
            let sending = "printf 'Subject: note\\n\\nhello\\n' | msmtp bob@example.com"
            expectSuccess(try await run(sending))
            try await home.set("mail", secret: "another")
            expectRefusal(try await run(sending), "535 who are you")
            return server
        }
        let letters = try server.log().split(separator: "\n").filter { $0 == "hello" }
        #expect(letters.count == 1)
    }

    @Test(.needs(.root, .anotherUser, .postgres)) func psql() async throws {
        try await home.set("database", secret: Self.secret)
        let asking = try Readme.command("lanyard exec --env PGPASSWORD=")
        try await Database.serve(home, for: Account(name: "ada", password: Self.secret)) {
            [home] database in
            let query = "echo 'SELECT 6 * 7' | "
            let outcome = try await run("\(query)\(asking)", database.variables)
            expectSuccess(outcome)
            #expect(outcome.outputText.contains("\n       42\n"), "\(outcome)")
            expectRefusal(
                try await run("\(query)psql --no-password", database.variables),
                "no password supplied")
            try await home.set("database", secret: "another")
            expectRefusal(
                try await run("\(query)\(asking)", database.variables),
                "password authentication failed")
        }
    }

    @Test(.needs(.curl, .lighttpd, .tls)) func curl() async throws {
        let asking = try Readme.command("lanyard exec --netrc ")
        let account = Account(name: "ada", password: Self.secret)
        try await LoopbackHosts.serve(home, 1, .pages(for: [account])) { [home] server in
            let site = "https://\(server.hosts[0])"
            try await home.set(site, account.name, secret: account.password)
            let command = asking.replacing(
                "https://example.com/", with: server.page(server.hosts[0])
            )
            .replacing("https://example.com", with: site)
            let variables = ["CURL_CA_BUNDLE": server.certificate]
            let outcome = try await run(command, variables)
            expectSuccess(outcome)
            #expect(outcome.outputText == "a page\n", "\(outcome)")
            let without = try await run("curl \(server.page(server.hosts[0]))", variables)
            #expect(without.outputText.contains("401"), "\(without)")
        }
    }
}

extension Need {
    static let restic = Need(missing: "there is no restic") {
        try await succeeds("restic", "version")
    }
    static let borg = Need(missing: "there is no borg") {
        try await succeeds("borg", "--version")
    }
    static let msmtp = Need(missing: "there is no msmtp") {
        try await succeeds("msmtp", "--version")
    }
    static let postgres = Need(missing: "there is no postgres") {
        try await succeeds("sh", "-euc", "\(Database.programs); psql --version; postgres --version")
    }
}
