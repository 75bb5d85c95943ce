import Foundation
import Testing
@testable import EndToEndRig

/// What stopped a newcomer in their first hours.
@Suite(.needs(.python), .timeLimit(.minutes(10)))
struct NewcomerTests {
    let home: ScratchHome
    private let terminal: Dialogue

    init() throws {
        home = try ScratchHome()
        terminal = Dialogue(home: home, variables: ["TERM": "dumb", "COLUMNS": "1000"])
    }

    private func expectRefusal(
        _ arguments: [String], _ text: String, status: Int32 = 64,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let outcome = try await home.command("lanyard", arguments).run()
        #expect(
            outcome.status == status && outcome.errorText.contains(text), "\(outcome)",
            sourceLocation: sourceLocation)
    }

    @Test func aGroupThatIsMisspelt() async throws {
        try await home.set("stripe", secret: "s")
        let near = try await terminal.run("lanyard list --group gti")
        #expect(
            near.shown == "lanyard: no items in the group 'gti'\r\n"
                + "lanyard: hint: did you mean the group 'git'?\r\n", "\(near)")
        let known = try await terminal.run("lanyard list --group docker")
        #expect(known.shown == "lanyard: no items in the group 'docker'\r\n", "\(known)")
        let far = try await terminal.run("lanyard list --group xyzzy")
        #expect(far.shown == "lanyard: no items in the group 'xyzzy'\r\n", "\(far)")
    }

    /// Of every command that takes a group.
    @Test(arguments: [
        "get x", "edit x --comment y", "rename x --to y", "remove x", "find x",
        "exec --env X=x -- true", "exec --identity X=x -- true", "list", "certificate list",
        "certificate show x", "certificate remove x --yes", "identity list", "key list",
        "key show x", #"export --plain-text --yes "$LANYARD_HOME/x.json""#, "set x", "generate x",
    ])
    func aGroupThatIsMisspelt(by command: String) async throws {
        try await home.set("stripe", secret: "s")
        let words = command.split(separator: " ", maxSplits: 1).map(String.init)
        let isTwo = ["certificate", "identity", "key"].contains(words[0])
        let rest = words.count > 1 ? words[1] : ""
        let first = isTwo ? String(rest.prefix { $0 != " " }) : ""
        let script =
            "lanyard \(words[0]) \(first) --group gti \(rest.dropFirst(first.count)) </dev/null 2>&1 || :"
        let outcome = try await home.shell(script)
        #expect(outcome.outputText.contains("hint: did you mean the group 'git'?"), "\(outcome)")
    }

    @Test func theColumnOfAges() async throws {
        try await home.set("one", secret: "s")
        try await home.set("two", secret: "s")
        let age = try await home.lanyard("list", "--sort", "age")
        #expect(age.status == 0, "\(age)")
        #expect(age.outputText == (try await home.lanyard("list", "--sort", "changed")).outputText)
    }

    /// Files as they were before a setup are Lanyard's own, and no one has to see them.
    @Test func onlyTheUsersInvisibleItemsAreCounted() async throws {
        _ = try home.writeAtHome(
            "https://ada:pw@git.example\n", to: ".git-credentials", mode: 0o600)
        let moved = try await home.command(
            "lanyard", ["import", "git-credentials", "--remove-plain-text"]
        ).run()
        #expect(moved.status == 0, "\(moved)")
        let list = try await terminal.run("lanyard list")
        #expect(!list.shown.contains("invisible"), "\(list)")
        try await home.set("hidden", "--invisible", secret: "s")
        let both = try await terminal.run("lanyard list")
        #expect(both.shown.contains("--all shows 1 invisible item, too"), "\(both)")
    }

    /// An option that does not fit is named before the user types a secret.
    @Test func anExpiryThatNoToolStores() async throws {
        let session = try await terminal.run("lanyard set stripe --expires 5d")
        #expect(session.status == 64, "\(session)")
        #expect(session.shown.contains("logins can expire"), "\(session)")
        #expect(!session.shown.contains("secret for"), "\(session)")
        try await home.set(
            "https://git.example", "ada", "--for", "git", "--expires", "5d", secret: "s")
        let list = try await terminal.run("lanyard list")
        #expect(list.shown.contains("in 5 d"), "\(list)")
    }

    @Test func changingAPassphraseCreatesNoKeychain() async throws {
        for command in [
            ["passphrase", "change"], ["passphrase", "remove"], ["recovery-key", "remove"],
        ] {
            try await expectRefusal(command, "the keychain 'login' does not exist yet", status: 50)
            #expect(!FileManager.default.fileExists(atPath: home.keychain))
        }
    }

    @Test func anAudienceThatNoSetupTakes() async throws {
        for command in [["set", "--stdin", "--for", "gcloud", "x"], ["setup", "gcloud", "x"]] {
            try await expectRefusal(
                command, "an audience of gcloud starts with //iam.googleapis.com/")
        }
        try await home.set("//iam.googleapis.com/x", "--for", "gcloud", secret: "t")
    }

    @Test(arguments: ["bitwarden", "keepassxc", "1password"])
    func aCSVInTheWrongImport(_ source: String) async throws {
        let file = try home.write(
            "name,url,username,password\na,https://a.example,ada,s3cret\n", to: "my export.csv")
        let outcome = try await home.lanyard("import", source, file)
        #expect(
            outcome.errorText == "lanyard: error: '\(file)' can't be imported: this is a CSV\n"
                + "lanyard: hint: lanyard import csv '\(file)'\n", "\(outcome)")
    }
}
