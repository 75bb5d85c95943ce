import Foundation
import Testing
@testable import EndToEndRig

/// `lanyard status`: what it says of items, and how it looks at a terminal.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct StatusTests {
    let home: ScratchHome

    init() throws {
        home = try ScratchHome()
    }

    private func lines(_ arguments: String...) async throws -> [String] {
        let outcome = try await home.command("lanyard", ["status"] + arguments).run()
        #expect(outcome.status == 0, "\(outcome)")
        return outcome.outputText.split(separator: "\n").map(String.init)
    }

    private func fill() async throws {
        try await home.set("https://ada@example.com", "--group", "git", secret: "s")
        try await home.set("https://ada@example.org", "--group", "git", secret: "s")
        try await home.set("a", "--accessible", "dk", secret: "s")
        try await home.set("b", "--accessible", "dku", secret: "s")
        try await home.set("c", "--accessible", "ck", secret: "s")
    }

    @Test func countsByGroupAndByWhatNeedsNoUnlocking() async throws {
        try await fill()
        var lines = try await lines("--keychain", "login")
        #expect(lines.contains("items     5 (login 3, git 2)"))
        #expect(lines.contains("opens     on this machine only"))
        // All of them can be read at any time.
        #expect(!lines.contains { $0.hasPrefix("readable") })

        try await home.setPassphrase(isPortable: true)
        lines = try await self.lines("--keychain", "login")
        #expect(lines.contains("items     5 (login 3, git 2)"))
        #expect(lines.contains("state     locked: lanyard unlock"))
        #expect(
            lines.contains("readable  always: 2 items (accessible dk or dku, as public keys are)"))
        #expect(lines.contains("          from the next unlock on: 1 item (accessible ck or cku)"))
        #expect(
            lines.contains(
                "opens     on another machine with the passphrase, except 1 item"
            ))
        #expect(lines.contains { $0.contains("lanyard passphrase change --no-portable") })
        let members = try await home.json("status", "--json").elements[0].members
        #expect(
            members["groups"]
                == [["group": "login", "items": 3], ["group": "git", "items": 2]])
        #expect(members["items"] == 5)
        #expect(members["items_always_readable"] == 2)
        #expect(members["items_after_first_unlock"] == 1)
        #expect(members["items_this_device_only"] == 1)
        #expect(members["portable"] == true)
    }

    @Test(.needs(.keyrings)) func afterTheFirstUnlock() async throws {
        try await fill()
        try await home.setPassphrase()
        try await home.forgettingKeys {
            try await home.unlock()
            expectAnswer(try await home.lanyard("lock"), "")
            let lines = try await lines("--keychain", "login")
            #expect(
                lines.contains(
                    "          now and until lanyard lock --all: 1 item (accessible ck or cku)"))
        }
    }

    @Test func thatThePassphraseAloneDoesNotOpenItElsewhere() async throws {
        try await home.set("x", secret: "s")
        try await home.setPassphrase()
        let all = try await lines()
        #expect(all.contains { $0.hasPrefix("safe      if your files leak") })
        #expect(
            all.contains {
                $0.hasPrefix(
                    "note      if you forget the passphrase or lose the folder with the machine key, "
                )
            }, "\(all)")
        #expect(try await lines().contains("opens     on this machine only"))
        let members = try await home.json("status", "--json").elements[0].members
        #expect(members["portable"] == false)
        let made = try await home.lanyardUnlocked("recovery-key", "create")
        #expect(made.status == 0, "\(made)")
        #expect(try await lines().contains("opens     on another machine with the recovery key"))
    }

    @Test func whatIsNotInUseIsToldInShort() async throws {
        try await home.set("x", secret: "s")
        try await home.succeeds("lanyard", "keychain", "create", "other")
        let all = try await lines()
        let other = all.drop { $0 != "keychain  other (sealed file)" }
        #expect(other.count == 5, "\(all)")
        let alone = try await lines("--keychain", "other")
        #expect(alone.contains { $0.hasPrefix("safe ") })
    }

    /// Everything there is to say of a usual set-up, and the person's prompt below it.
    @Test(.needs(.python)) func fitsOneScreen() async throws {
        let session = try await Dialogue(home: home, variables: ["TERM": "xterm"]).run(
            """
            folder=$(mktemp -d /tmp/lanyard-XXXXXX)
            export LANYARD_HOME="$folder/home"
            for code in ak ck dk dku; do
                printf s | lanyard set "$code" --stdin --accessible $code --yes --group "$code"
            done
            printf 'a passphrase\\n' >"$folder/passphrase"
            lanyard passphrase set --new-passphrase-file "$folder/passphrase"
            printf 'SCREEN\\n'
            lanyard status
            rm -r "$folder"
            """)
        session.expect(status: 0)
        let screen = try #require(session.shown.split(separator: "SCREEN\r\n").last)
        let lines = screen.replacing("\r\n", with: "\n").split(
            separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.contains("items     4 (ak 1, ck 1, dk 1, dku 1)"), "\(session)")
        #expect(lines.contains("in use    no, there is no session bus here"), "\(session)")
        #expect(lines.count <= 24, "\(session)")
        for line in lines {
            #expect(line.count <= 80, "\(line)")
        }
    }
}
