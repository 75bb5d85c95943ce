import Foundation
import Testing
@testable import EndToEndRig

/// What reads every item prints what it has, and ends with 93 if that was not everything.
@Suite(.needs(.sqlite), .timeLimit(.minutes(10)))
struct MissingItemsTests {
    let home: ScratchHome

    init() async throws {
        home = try ScratchHome()
        _ = try home.write(
            "url,username,password\n"
                + (1...6).map { "https://host\($0).example,ada,pw\n" }.joined(), to: "in.csv")
        try await home.succeeds("lanyard", "import", "csv", "\(home.path)/in.csv")
        for number in 1...2 {
            let outcome = try await home.command(
                "docker-credential-lanyard", ["store"],
                input: Array(
                    #"{"ServerURL":"r\#(number).example","Username":"u","Secret":"s"}"#.utf8)
            ).run()
            #expect(outcome.status == 0, "\(outcome)")
        }
        try await home.succeeds("lanyard", "keychain", "create", "other")
    }

    private func sql(_ sql: String) async throws {
        try await home.succeeds("sqlite3", home.keychain, sql)
    }

    private func expectIncomplete(
        _ outcome: Outcome, _ reason: String, status: Int32 = 93,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(outcome.status == status, "\(outcome)", sourceLocation: sourceLocation)
        #expect(
            outcome.errorText.contains(reason), "\(outcome)", sourceLocation: sourceLocation)
    }

    @Test func rowsThatWereDeleted() async throws {
        try await sql("DELETE FROM item WHERE change IN (2, 7)")
        let reason = "the keychain should have 8 items, but its file has 6"
        let table = try await home.lanyard("list")
        expectIncomplete(table, reason)
        #expect(table.outputText.split(separator: "\n").count == 7, "\(table)")
        #expect(
            table.errorText.hasSuffix("lanyard: hint: lanyard verify --keychain login\n"),
            "\(table)")
        let json = try await home.lanyard("list", "--json")
        expectIncomplete(json, reason)
        #expect(try JSONText(json.output).elements.count == 6)

        let file = "\(home.path)/export.json"
        let export = try await home.lanyard("export", "--plain-text", file)
        expectIncomplete(export, reason)
        expectIncomplete(export, "the export was written, but is incomplete: ")
        #expect(export.outputText == "6 exported\n")
        #expect(try JSONText(home.read(file)).members["items"]?.elements.count == 6)

        let copy = try await home.lanyard("keychain", "copy", "login", "other")
        expectIncomplete(copy, "the copy is not complete: \(reason)")
        #expect(copy.outputText == "6 copied, 0 already there, 0 skipped\n")

        let docker = try await home.command("docker-credential-lanyard", ["list"]).run()
        #expect(docker.status == 1, "\(docker)")
        #expect(docker.outputText.contains(#"{"r2.example":"u"}"#), "\(docker)")
    }

    @Test func allRowsWereDeleted() async throws {
        try await sql("DELETE FROM item")
        for arguments in [
            ["list"], ["list", "--json"], ["list", "--group", "git"],
            ["export", "--plain-text", "\(home.path)/export.json"],
            ["keychain", "copy", "login", "other"],
        ] {
            let outcome = try await home.command("lanyard", arguments).run()
            expectIncomplete(outcome, "the keychain should have 8 items, but its file has 0")
        }
        // Docker asks for the list before it says that there is no login.
        let docker = try await home.command("docker-credential-lanyard", ["list"]).run()
        #expect(docker.status == 1 && !docker.outputText.contains("{}"), "\(docker)")
    }

    /// One damaged item hides none of the others.
    @Test func damagedItems() async throws {
        try await sql("UPDATE item SET attributes = zeroblob(176) WHERE change = 3")
        let list = try await home.lanyard("list")
        #expect(list.status == 93, "\(list)")
        #expect(list.outputText.split(separator: "\n").count == 8, "\(list)")
        let export = try await home.lanyard("export", "--plain-text", "\(home.path)/export.json")
        #expect(export.status == 93, "\(export)")
        #expect(export.outputText == "7 exported\n")
        let copy = try await home.lanyard("keychain", "copy", "login", "other")
        #expect(copy.status == 93, "\(copy)")
        #expect(copy.outputText == "7 copied, 0 already there, 0 skipped\n")
    }

    /// The rows are there, but can't be found by their ids.
    @Test func anIndexThatIsDamaged() async throws {
        try await home.shell(
            """
            python3 - "$1" <<'END'
            import sqlite3, sys
            file = sqlite3.connect(sys.argv[1])
            page, size = file.execute(
                "SELECT rootpage, (SELECT page_size FROM pragma_page_size) FROM sqlite_schema "
                "WHERE name = 'sqlite_autoindex_item_1'").fetchone()
            ids = [row[0] for row in file.execute("SELECT id FROM item")]
            file.close()
            with open(sys.argv[1], "r+b") as file:
                file.seek((page - 1) * size)
                leaf = bytearray(file.read(size))
                # One that sorts in the same place, and is another one's.
                at = leaf.find(sorted(ids)[-1])
                leaf[at + 15] ^= 1
                file.seek((page - 1) * size)
                file.write(leaf)
            END
            """, home.keychain)
        let copy = try await home.lanyard("keychain", "copy", "login", "other")
        expectIncomplete(copy, "1 item")
        #expect(copy.outputText == "7 copied, 0 already there, 0 skipped\n")
        let export = try await home.lanyard("export", "--plain-text", "\(home.path)/export.json")
        expectIncomplete(export, "1 item was left out: damaged")
        #expect(export.outputText == "7 exported\n")
    }

    @Test func theOtherKeychainsAreListed() async throws {
        try await home.set("x", "--keychain", "other", secret: "s")
        try await home.succeeds("lanyard", "keychain", "search-list", "login", "other")
        try await sql("DELETE FROM item WHERE change = 1")
        let list = try await home.lanyard("list")
        expectIncomplete(list, "keychain 'login': the keychain should have 8 items")
        #expect(list.outputText.split(separator: "\n").count == 9, "\(list)")
        #expect(list.outputText.contains("other"), "\(list)")
    }
}
