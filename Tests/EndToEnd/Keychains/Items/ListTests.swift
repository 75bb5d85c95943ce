import Foundation
import KeychainServices
import SealedStore
import Testing
@testable import EndToEndRig

/// `lanyard list` at a terminal, and what it knows of git's logins.
@Suite(.serialized, .needs(.python), .timeLimit(.minutes(10)))
struct ListTests {
    private static let path = "team/some/very/long/path/to/a/repository/with-many-parts.git"
    private static let account = "ada.lovelace-the-first@mathematics.example.com"

    let home: ScratchHome

    init() throws {
        home = try ScratchHome()
    }

    /// Three logins of git's, of which one has expired and one expires, and one of docker's.
    private func fill() throws {
        let location = KeychainLocation(file: home.keychain, stateFolder: home.state)
        let keychain = Keychain(try SealedStore.openOrMake(at: location), accessGroups: .all())
        let soon = Int(Date.now.timeIntervalSince1970) + 5 * 86_400 + 43_200
        for (server, group, account, secret) in [
            ("registry.example.com", "docker", "bob", "pw\npassword_expiry_utc=100"),
            ("old.example.com", "git", "ada", "pw\npassword_expiry_utc=100"),
            ("soon.example.com", "git", "漢字", "pw\npassword_expiry_utc=\(soon)"),
            ("git.example.com", "git", ListTests.account, "pw"),
        ] {
            var attributes = ItemAttributes()
            attributes.server = ByteString(server)
            attributes.protocol = .https
            attributes.accessGroup = ByteString(group)
            attributes.account = ByteString(account)
            attributes.path = server == "git.example.com" ? ByteString(ListTests.path) : nil
            try keychain.add(.internetPassword, attributes, secret: Secret(secret))
        }
    }

    private func list(
        _ script: String, variables: [String: String?] = ["TERM": "xterm"]
    ) async throws -> Dialogue.Session {
        try await Dialogue(home: home, variables: variables).run(script)
    }

    /// The cells of each line, which are two blanks apart; an age is `AGE`.
    private func rows(_ shown: String) -> [[String]] {
        shown.replacing("\r\n", with: "\n").replacing(/\x1B\[\d+m/, with: "")
            .split(separator: "\n").map { line in
                line.split(separator: /\ {2,}/).map { cell in
                    String(cell).replacing(/^\d+ (s|min)$/, with: "AGE")
                }
            }
    }

    @Test func theTableFitsTheTerminal() async throws {
        try fill()
        let wide = try await list("stty cols 200; lanyard list")
        wide.expect(status: 0)
        #expect(
            rows(wide.shown) == [
                ["GROUP", "NAME", "ACCOUNT", "AGE", "EXPIRES"],
                ["docker", "https://registry.example.com", "bob", "AGE"],
                ["git", "https://git.example.com/\(ListTests.path)", ListTests.account, "AGE"],
                ["git", "https://old.example.com", "ada", "AGE", "expired"],
                ["git", "https://soon.example.com", "漢字", "AGE", "in 5 d"],
            ])
        let narrow = try await list("stty cols 80; NO_COLOR=1 lanyard list")
        narrow.expect(status: 0)
        let lines = narrow.shown.replacing("\r\n", with: "\n").split(separator: "\n")
        #expect(lines.count == 5)
        for line in lines {
            // Each of the two signs takes two columns.
            #expect(line.count + line.count { $0 == "漢" || $0 == "字" } <= 80, "\(line)")
        }
        let cut = try #require(rows(narrow.shown).dropFirst(2).first)
        #expect(cut[1].contains(/^git\.example\.com\/…\S+\.git$/))
        #expect(cut[2].contains(/^ada\S*…\S*\.com$/))
        let chosen = try await list("stty cols 80; COLUMNS=200 lanyard list")
        #expect(rows(chosen.shown) == rows(wide.shown))
    }

    @Test func coloursAreForTerminalsThatHaveThem() async throws {
        try fill()
        let variables: [String: String?] = ["TERM": "xterm", "NO_COLOR": nil]
        let coloured = try await list("lanyard list", variables: variables)
        #expect(coloured.shown.contains("\u{1B}[2mGROUP\u{1B}[0m"), "\(coloured)")
        #expect(coloured.shown.contains("\u{1B}[31mexpired\u{1B}[0m"), "\(coloured)")
        for script in [
            "NO_COLOR=1 lanyard list", "TERM=dumb lanyard list", "env -u TERM lanyard list",
            "lanyard list | cat", "lanyard list --json",
        ] {
            let plain = try await list(script, variables: variables)
            #expect(plain.shown.contains("git"), "\(plain)")
            #expect(!plain.shown.contains("\u{1B}"), "\(script): \(plain)")
        }
    }

    @Test func aPipeGetsWhatScriptsKnow() async throws {
        try fill()
        let session = try await list("stty cols 40; lanyard list | cat")
        #expect(session.shown.hasPrefix("GROUP   NAME "), "\(session)")
        #expect(session.shown.contains(ListTests.path), "\(session)")
        #expect(session.shown.contains(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ\r\n/), "\(session)")
    }

    @Test func whatHasExpired() async throws {
        try fill()
        let expired = try await home.lanyard("list", "--expired")
        #expect(expired.status == 0, "\(expired)")
        #expect(
            rows(expired.outputText).map { $0.prefix(3) } == [
                ["GROUP", "NAME", "ACCOUNT"], ["git", "https://old.example.com", "ada"],
            ])
        let items = try await home.json("list", "--json").elements
        let expiries = Dictionary(
            uniqueKeysWithValues: items.map { ($0.members["server"], $0.members["expires"]) })
        #expect(expiries["old.example.com"] == "1970-01-01T00:01:40Z")
        #expect(expiries["git.example.com"] == .some(nil))
        #expect(expiries["registry.example.com"] == .some(nil))
        #expect(try await home.json("list", "--json", "--expired").elements.count == 1)
        let other = try await home.lanyard("list", "--expired", "--group", "docker")
        expectAnswer(other, "")
    }

    @Test func aLockedKeychainIsListedWithoutAsking() async throws {
        try fill()
        try await home.setPassphrase()
        let session = try await list("lanyard list")
        session.expect(status: 0)
        let lines = rows(session.shown)
        #expect(lines.first == ["GROUP", "NAME", "ACCOUNT", "AGE"], "\(session)")
        #expect(lines.count == 6, "\(session)")
        #expect(
            lines.last == [
                "lanyard: hint: lanyard unlock shows when logins expire"
            ])

        let json = try await home.json("list", "--json").elements
        #expect(json.count == 4)
        #expect(json.allSatisfy { $0.members["expires"] == nil })
        let expired = try await list("lanyard list --expired")
        expired.expect(status: 36)
        #expect(
            expired.shown.replacing("\r\n", with: "\n") == """
                lanyard: error: the keychain 'login' is locked, so lanyard can't tell when
                  logins expire
                lanyard: hint: lanyard unlock

                """)
        // docker's have no expiry, and nothing of git's is meant.
        let others = try await home.lanyard("list", "--expired", "--server", "registry.example.com")
        expectAnswer(others, "")
    }

    @Test func whatTheProcessWasGivenUnlocksIt() async throws {
        try fill()
        try await home.setPassphrase()
        let expired = try await home.lanyardUnlocked("list", "--expired")
        #expect(expired.status == 0, "\(expired)")
        #expect(expired.outputText.contains("old.example.com"), "\(expired)")
        let wrong = try home.write("wrong\n", to: "wrong")
        let variables = ["LANYARD_PASSPHRASE_FILE": wrong]
        let refused = try await home.lanyard("list", "--expired", variables: variables)
        #expect(refused.status == 51, "\(refused)")
        let listed = try await home.lanyard("list", "--json", variables: variables)
        #expect(listed.status == 0, "\(listed)")
        #expect(try JSONText(listed.output).elements.count == 4)
    }

    @Test(.needs(.sqlite)) func aDamagedSecretHidesNothing() async throws {
        try fill()
        try await home.shell(
            "sqlite3 \"$1\" 'UPDATE item SET secret = substr(secret, 1, 24) WHERE change = 3'",
            home.keychain)
        let items = try await home.json("list", "--json").elements
        #expect(items.count == 4)
        #expect(items.count { $0.members["expires"] != nil } == 1)
    }
}
