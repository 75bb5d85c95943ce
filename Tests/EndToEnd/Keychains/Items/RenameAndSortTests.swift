import Foundation
import Testing
@testable import EndToEndRig

/// What a first user typed, and expected to work.
@Suite(.needs(.python), .timeLimit(.minutes(10)))
struct RenameAndSortTests {
    let home: ScratchHome

    init() throws {
        home = try ScratchHome()
    }

    @Test func twoNamesRename() async throws {
        try await home.set("backup", secret: "s")
        expectAnswer(try await home.lanyard("rename", "backup", "old-backup"), "")
        expectAnswer(try await home.lanyard("get", "old-backup"), "s\n")
    }

    /// An account without its option must not become a name.
    @Test func anAccountIsNoNewName() async throws {
        try await home.set("stripe", "live", secret: "s")
        let outcome = try await home.lanyard("rename", "stripe", "live")
        #expect(outcome.status == 64)
        #expect(
            outcome.errorText == """
                lanyard: error: missing new name
                lanyard: hint: lanyard rename stripe live --to NAME, or --to-account ACCOUNT

                """, "\(outcome)")
        let alone = try await home.lanyard("rename", "stripe")
        #expect(alone.status == 64 && alone.errorText.contains("lanyard rename stripe --to NAME"))
        expectAnswer(try await home.lanyard("get", "stripe", "live"), "s\n")
    }

    /// The second word may be meant as the new name, if the item has no account.
    @Test func twoNamesAndAnAccount() async throws {
        try await home.set("bkp", secret: "s")
        let outcome = try await home.lanyard("rename", "bkp", "backup", "--to-account", "ada")
        #expect(
            outcome.errorText == """
                lanyard: error: 'bkp' has no account 'backup'
                lanyard: hint: lanyard rename bkp --to backup --to-account ada

                """, "\(outcome)")
        try await home.shell("lanyard rename bkp --to backup --to-account ada")
        expectAnswer(try await home.lanyard("get", "backup", "ada"), "s\n")
        let other = try await home.lanyard("rename", "backup", "adda", "--to-account", "bob")
        #expect(other.errorText.contains("hint: it has the account 'ada'\n"), "\(other)")
        let misspelt = try await home.lanyard("rename", "bakcup", "ada", "--to-account", "bob")
        #expect(misspelt.errorText.contains("hint: did you mean 'backup'?\n"), "\(misspelt)")
        let swapped = try await home.lanyard("rename", "x", "backup", "--to-account", "bob")
        #expect(
            swapped.errorText == """
                lanyard: error: item 'x' not found
                lanyard: hint: to rename 'backup': lanyard rename backup --to-account bob

                """, "\(swapped)")
    }

    /// The hint is a command that works.
    @Test func aNameWithAHyphen() async throws {
        try await home.set("--", "-x", secret: "s")
        let outcome = try await home.lanyard("rename", "--", "-x")
        let hint = "hint: lanyard rename --to NAME -- -x, or --to-account ACCOUNT\n"
        #expect(outcome.status == 64 && outcome.errorText.hasSuffix(hint), "\(outcome)")
        expectAnswer(try await home.lanyard("rename", "--to", "NAME", "--", "-x"), "")
        expectAnswer(try await home.lanyard("get", "NAME"), "s\n")
    }

    @Test func editNamesTheCommandForAnAccount() async throws {
        let outcome = try await home.lanyard("edit", "stripe", "--account", "live")
        #expect(outcome.status == 64)
        #expect(outcome.errorText.contains("hint: lanyard rename WHAT --to-account"), "\(outcome)")
        let expiry = try await home.lanyard("edit", "stripe", "--expires", "90d")
        #expect(
            expiry.errorText.contains("hint: lanyard set WHAT ACCOUNT --expires WHEN"), "\(expiry)")
    }

    /// Two names of the same form are read alike; a name of its own takes an option.
    @Test func twoNamesWithAccounts() async throws {
        try await home.set("stripe", "live", secret: "s")
        let session = try await Dialogue(home: home).run("lanyard rename stripe/live stripe/prod")
        #expect(
            session.shown == "lanyard: renamed 'stripe' of 'live' to 'stripe' of 'prod'\r\n",
            "\(session)")
        expectAnswer(try await home.lanyard("get", "stripe", "prod"), "s\n")
        expectAnswer(try await home.lanyard("rename", "stripe/prod", "--to", "bank/test"), "")
        expectAnswer(try await home.lanyard("get", "bank", "test"), "s\n")
        expectAnswer(try await home.lanyard("rename", "bank", "test", "--to", "a/b"), "")
        expectAnswer(try await home.lanyard("rename", "a/b", "a/c"), "")
        expectAnswer(try await home.lanyard("get", "a/c", "test"), "s\n")
    }

    @Test func aNameOfBlanks() async throws {
        try await home.set("x", secret: "s")
        for arguments in [["set", " \u{A0}", "--stdin"], ["rename", "x", " "]] {
            let outcome = try await home.command(
                "lanyard", arguments, input: Array("s".utf8)
            ).run()
            #expect(outcome.status == 64, "\(outcome)")
            #expect(
                outcome.errorText == "lanyard: error: the name has only blanks\n", "\(outcome)")
        }
    }

    @Test(arguments: [["get"], ["remove"], ["rename", "--to", "x"], ["edit", "--comment", "c"]])
    func aTypingErrorInAName(command: [String]) async throws {
        try await home.set("backup", secret: "s")
        try await home.set("https://ada@example.com", secret: "s")
        for (typed, meant) in [
            ("bakcup", "backup"), ("https://exmaple.com", "https://example.com"),
        ] {
            let outcome = try await home.command(
                "lanyard", [command[0], typed] + command.dropFirst()
            ).run()
            #expect(outcome.status == 44)
            #expect(
                outcome.errorText.hasSuffix("lanyard: hint: did you mean '\(meant)'?\n"),
                "\(outcome)")
        }
    }

    /// As `lanyard get NAME/ACCOUNT`: the exact name comes first.
    @Test func aNameWithAnAccount() async throws {
        try await home.set("stripe", "live", secret: "s")
        try await home.set("stripe", "test", secret: "t")
        expectAnswer(
            try await home.lanyard("edit", "stripe/live", "--comment", "c", "--default"), "")
        expectAnswer(try await home.lanyard("get", "stripe"), "s\n")
        expectAnswer(try await home.lanyard("edit", "stripe/test", "--default"), "")
        expectAnswer(try await home.lanyard("get", "stripe"), "t\n")
        expectAnswer(try await home.lanyard("rename", "stripe/live", "bank"), "")
        expectAnswer(try await home.lanyard("get", "bank", "live"), "s\n")
        try await home.set("bank/live", secret: "exact")
        expectAnswer(try await home.lanyard("remove", "bank/live"), "")
        expectAnswer(try await home.lanyard("get", "bank/live"), "s\n")
        expectAnswer(try await home.lanyard("remove", "bank/live"), "")
        for command in [["get"], ["remove"], ["rename", "--to", "x"], ["edit", "--comment", "c"]] {
            let outcome = try await home.command(
                "lanyard", [command[0], "stripe/tset"] + command.dropFirst()
            ).run()
            #expect(outcome.status == 44)
            #expect(
                outcome.errorText == """
                    lanyard: error: 'stripe' has no account 'tset'
                    lanyard: hint: it has the account 'test'

                    """, "\(outcome)")
        }
    }

    private func fill() async throws {
        try await home.set("https://ada@b.example", "--group", "git", "--yes", secret: "s")
        try await home.set("zebra", secret: "s")
        try await home.set("https://ada@a.example", "--for", "git", secret: "s")
        try await home.set("apple", secret: "s")
    }

    private func names(_ text: String) -> [Substring] {
        text.split(whereSeparator: \.isNewline).dropFirst().compactMap {
            $0.split(separator: " ").dropFirst().first
        }
    }

    @Test func aTerminalShowsGroupsAndNamesInOrder() async throws {
        try await fill()
        let session = try await Dialogue(home: home).run("lanyard list")
        #expect(
            names(session.shown) == ["https://a.example", "https://b.example", "apple", "zebra"],
            "\(session)")
        // For scripts the order stays.
        let pipe = try await home.lanyard("list")
        #expect(
            names(pipe.outputText) == ["https://a.example", "https://b.example", "apple", "zebra"])
    }

    @Test(
        arguments: [
            ("name", ["apple", "https://a.example", "https://b.example", "zebra"]),
            ("group", ["https://a.example", "https://b.example", "apple", "zebra"]),
            ("account", ["apple", "zebra", "https://a.example", "https://b.example"]),
        ])
    func order(_ column: String, _ expected: [Substring]) async throws {
        try await fill()
        let list = try await home.lanyard("list", "--sort", column)
        #expect(names(list.outputText) == expected, "\(list)")
        let json = try await home.json("list", "--json", "--sort", column)
        #expect(json.elements.count == expected.count)
    }

    @Test func unknownOrder() async throws {
        let outcome = try await home.lanyard("list", "--sort", "size")
        #expect(outcome.status == 64)
        #expect(outcome.errorText.contains("use one of 'group', 'name'"), "\(outcome)")
    }

    @Test func aPipeHasTheExpiry() async throws {
        try await home.set(
            "https://ada@git.example", "--for", "git", "--expires", "2099-01-31", secret: "s")
        try await home.set("https://bob@git.example", "--for", "git", secret: "s")
        let lines = try await home.lanyard("list", "--sort", "expires").outputText.split(
            separator: "\n")
        #expect(lines[0].hasSuffix("  EXPIRES") && lines[1].contains(" 2099-01-31"), "\(lines)")
        #expect(lines[2].hasSuffix("  -"), "\(lines)")
    }
}
