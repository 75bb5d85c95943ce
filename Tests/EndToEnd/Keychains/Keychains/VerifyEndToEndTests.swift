import Foundation
import Testing
@testable import EndToEndRig

/// `lanyard verify`: what it tells users and scripts about a keychain that was tampered with.
@Suite(.needs(.sqlite), .timeLimit(.minutes(10)))
struct VerifyEndToEndTests {
    let home: ScratchHome

    init() async throws {
        home = try ScratchHome()
        for name in ["one", "two", "three"] {
            try await home.set("https://ada@\(name).example", secret: "secret of \(name)")
        }
    }

    private func sql(_ sql: String) async throws {
        try await home.succeeds("sqlite3", home.keychain, sql)
    }

    /// Expects the lines on standard output and the error, and that nothing is changed.
    private func expect(
        _ output: String, error: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let before = try Snapshot(home.lanyard)
        let outcome = try await home.command("lanyard", ["verify"]).run()
        #expect(outcome.outputText == output, "\(outcome)", sourceLocation: sourceLocation)
        #expect(outcome.errorText == error, "\(outcome)", sourceLocation: sourceLocation)
        #expect(
            outcome.status == (error.isEmpty ? 0 : 93), "\(outcome)",
            sourceLocation: sourceLocation)
        let after = try Snapshot(home.lanyard)
        // What is verified is a copy, made beside the keychain.
        #expect(
            after.differences(from: before, exceptTimeOf: "data") == [],
            sourceLocation: sourceLocation)
    }

    private func error(_ reason: String) -> String {
        """
        lanyard: error: \(reason)
        lanyard: hint: restore the keychain file from a backup, or see lanyard verify --help

        """
    }

    @Test func aSoundKeychain() async throws {
        try await expect("3 items, no damage found\n", error: "")
        #expect(
            try await home.json("verify", "--json") == [
                "keychain": "login", "path": .string(home.keychain), "sound": true, "reason": nil,
                "items": 3, "locked_secrets": 0, "foreign_secrets": 0, "structure_damaged": false,
                "item_set": "complete", "missing_items": 0, "surplus_items": 0, "quarantine": nil,
                "damaged": [],
            ])
    }

    @Test func everyDamagedItemIsNamed() async throws {
        try await sql(
            """
            UPDATE item SET secret = substr(secret, 1, 24) WHERE change = 1;
            UPDATE item SET attributes = zeroblob(176) WHERE change = 3
            """)
        try await expect(
            """
            ROW  GROUP  NAME                 ACCOUNT  DAMAGE
            1    login  https://one.example  ada      the secret
            3           ?                             the attributes

            """, error: error("2 of 3 items are damaged or were tampered with"))
        let outcome = try await home.lanyard("verify", "--json")
        #expect(outcome.status == 93)
        let answer = try JSONText(outcome.output).members
        #expect(answer["sound"] == false)
        #expect(answer["item_set"] == "unknown")
        let damaged = answer["damaged"]?.elements ?? []
        #expect(damaged.map { $0.members["row"] } == [1, 3])
        #expect(damaged.map { $0.members["damage"] } == ["secret", "attributes"])
        #expect(damaged.map { $0.members["server"] } == ["one.example", nil])
    }

    @Test func whatIsMissingOrTooMuchIsSaidPlainly() async throws {
        try await sql("VACUUM INTO '\(home.path)/copy'; DELETE FROM item WHERE change = 2")
        try await expect("", error: error("1 item is missing"))
        try await sql(
            "ATTACH '\(home.path)/copy' AS copy; INSERT INTO item SELECT * FROM copy.item "
                + "WHERE change = 2")
        try await expect("3 items, no damage found\n", error: "")
        let removing = try await home.lanyard("remove", "https://two.example")
        #expect(removing.status == 0)
        try await sql(
            "ATTACH '\(home.path)/copy' AS copy; INSERT INTO item SELECT * FROM copy.item "
                + "WHERE change = 2")
        try await expect(
            """
            ROW  GROUP  NAME                 ACCOUNT  DAMAGE
            2    login  https://two.example  ada      restored from an older copy

            """, error: error("1 item was restored from an older copy of the keychain"))
        try await home.set("https://ada@one.example", secret: "newer")
        try await sql(
            """
            DELETE FROM item WHERE change IN (2, 4);
            ATTACH '\(home.path)/copy' AS copy;
            INSERT INTO item SELECT * FROM copy.item WHERE change = 1
            """)
        try await expect(
            "",
            error: error("items were swapped or restored from an older copy of the keychain"))
    }

    /// It does not prompt, and says how far the check went.
    @Test func aLockedKeychain() async throws {
        try await home.set("d", "--accessible", "dk", secret: "always")
        try await home.setPassphrase()
        let outcome = try await home.lanyard("verify")
        #expect(
            outcome.outputText
                == "4 items, no damage found, but the secrets of 3 could not be "
                + "checked: the keychain is locked\n")
        #expect(outcome.errorText == "lanyard: hint: lanyard unlock\n")
        #expect(outcome.status == 0)
        expectAnswer(try await home.lanyardUnlocked("verify"), "4 items, no damage found\n")
        let json = try JSONText(try await home.lanyard("verify", "--json").output).members
        #expect(json["locked_secrets"] == 3)
        #expect(json["sound"] == true)
        #expect(try await home.lockState() == "locked")
    }

    @Test func aKeychainThatCannotBeOpened() async throws {
        try await sql("UPDATE keychain SET keybag = zeroblob(100)")
        let outcome = try await home.lanyard("verify", "--json")
        #expect(outcome.status == 34 || outcome.status == 93, "\(outcome)")
        try await sql("CREATE TABLE more (a)")
        let other = try await home.lanyard("verify", "--json")
        #expect(other.status == 49)
        let answer = try JSONText(other.output).members
        #expect(answer["sound"] == false)
        #expect(
            answer["reason"] == .string("'\(home.keychain)' is not a keychain or is damaged"))
        #expect(answer["items"] == .null)
        #expect(answer["damaged"] == [])
    }

    @Test func otherKindsAndNothingAtAll() async throws {
        let other = try await home.lanyard("verify", "--keychain", "secret-service")
        #expect(other.status == 64)
        #expect(
            other.errorText == """
                lanyard: error: 'secret-service' is a keychain of kind 'secret-service', not a sealed \
                file
                lanyard: hint: name a sealed one with --keychain

                """)
        let empty = try ScratchHome()
        let outcome = try await empty.lanyard("verify")
        #expect(outcome.status == 50)
        #expect(try Snapshot(empty.lanyard).entries.isEmpty)
        let both = try await home.lanyard("verify", "--file", "x", "--keychain", "login")
        #expect(both.status == 64)
    }

    @Test func damagedItemsAreMovedAside() async throws {
        try await sql("UPDATE item SET secret = substr(secret, 1, 24) WHERE change = 1")
        let unasked = try await home.command(
            "setsid", ["--wait", "lanyard", "verify", "--quarantine"]
        ).run()
        #expect(unasked.status == 36)
        #expect(
            unasked.errorText == """
                lanyard: error: 1 item is moved to a file, and lanyard can no longer tell whether \
                others came from an older copy: lanyard can't prompt here
                lanyard: hint: add --yes to go ahead

                """)
        let file = "\(home.keychain).quarantine-1"
        expectAnswer(
            try await home.lanyard("verify", "--quarantine", "--yes"),
            """
            ROW  GROUP  NAME                 ACCOUNT  DAMAGE
            1    login  https://one.example  ada      the secret
            1 item moved to '\(file)'

            """)
        try await expect("2 items, no damage found\n", error: "")
        try await home.succeeds("sqlite3", file, "SELECT change FROM item")
        try await sql("DELETE FROM item WHERE change = 2")
        let partly = try await home.lanyard("verify", "--quarantine", "--yes")
        #expect(partly.status == 64)
        #expect(partly.errorText.contains("--accept-missing"))
        let all = try await home.lanyard(
            "verify", "--quarantine", "--yes", "--accept-missing", "--json")
        #expect(all.status == 0)
        let answer = try JSONText(all.output).members
        #expect(answer["missing_items"] == 1)
        #expect(answer["quarantine"] == .null)
        try await expect("1 item, no damage found\n", error: "")
        for arguments in [["--yes"], ["--accept-missing"], ["--quarantine", "--file", "x"]] {
            let outcome = try await home.command("lanyard", ["verify"] + arguments).run()
            #expect(outcome.status == 64)
        }
    }
}
