import Foundation
import Testing
@testable import EndToEndRig

/// What a command prints if several items match, and no one is named.
@Suite(.timeLimit(.minutes(10)))
struct SeveralMatchesTests {
    let home: ScratchHome
    private let path: String

    init() async throws {
        home = try ScratchHome()
        let programs = try home.folderOfPrintingPrograms(["stripe", "psql"])
        path = "\(programs):\(try home.environment()["PATH"] ?? "")"
        for account in ["live key", "test"] {
            try await home.set("stripe", account, secret: "sk \(account)")
            try await home.set("https://a.example", account, secret: "pw \(account)")
            try await home.set("--code", "gh", account, secret: "GEZDGNBVGY3TQOJQ")
            try await home.set("gh", account, secret: "gho \(account)")
            try await home.set("psql", account, secret: "pw \(account)")
        }
        try await home.set("both", secret: "one")
        try await home.set("--yes", "--group", "work", "both", secret: "two")
        try await home.set("--yes", "--group", "work", "paid", "live key", secret: "three")
        try await home.set("--yes", "--group", "work", "paid", "test", secret: "four")
        try await home.set("paid", secret: "five")
        let key = "otpauth://totp/x?secret=GEZDGNBVGY3TQOJQ"
        try await home.set("url", "live key", secret: key)
        try await home.set("url", "test", secret: key)
        try home.writeAtHome("A={{ lanyard:stripe }}\n", to: "a template")
        try home.writeAtHome("STRIPE_A=lanyard:stripe\n", to: ".env")
    }

    private func run(
        _ command: [String], _ variables: [String: String] = [:]
    ) async throws -> Outcome {
        try await home.command(
            "lanyard", command,
            variables: (["PATH": path] as [String: String?]).merging(variables) { $1 }
        ).run()
    }

    /// Each hint is a command that works when it is typed.
    @Test(arguments: 0..<16)
    func hints(number: Int) async throws {
        let template = "\(home.path)/home/a template"
        let commands = [
            ["get", "stripe"], ["get", "--json", "https://a.example"], ["get", "both"],
            ["get", "--group", "work", "paid"], ["get", "gh"],
            ["code", "gh"], ["code", "url"],
            ["run", "stripe", "x"], ["run", "--", "stripe"],
            ["exec", "--profile", "stripe", "--", "stripe"],
            ["exec", "--env", "STRIPE_A=both", "--", "stripe", "x"],
            ["exec", "--file", "STRIPE_A=stripe", "--env", "B=gh/test", "--", "stripe"],
            ["exec", "--env", "STRIPE_A=https://a.example", "--", "stripe"],
            ["exec", "--env-file", "\(home.path)/home/.env", "--", "stripe"],
            ["inject", "--input", template], ["run", "psql", "-h", "db.example"],
        ]
        let command = commands[number]
        let outcome = try await run(command)
        #expect(outcome.status == 64 && outcome.output.isEmpty, "\(outcome)")
        let lines = outcome.errorText.split(separator: "\n")
        #expect(lines.count == 2 && lines[0].contains(" items match '"), "\(outcome)")
        let prefix = "lanyard: hint: "
        let hint = try #require(lines.last)
        try #require(hint.hasPrefix(prefix), "\(outcome)")
        let typed = hint.dropFirst(prefix.count).split(separator: ", or ").map(String.init)
        #expect(typed.count == 2, "\(outcome)")
        for text in typed {
            let result = try await home.command(
                "/bin/sh", ["-c", text], variables: ["PATH": path]
            ).run()
            #expect(result.status == 0 && result.errorText.isEmpty, "\(text)\n\(result)")
            #expect(text.hasSuffix("--default") == result.output.isEmpty, "\(text)\n\(result)")
        }
        // The second one made an item the default.
        let again = try await run(command)
        #expect(again.status == 0 && !again.output.isEmpty, "\(again)")
    }

    /// An account may look like an option.
    @Test(arguments: [
        ["get", "odd"], ["run", "stripe"], ["exec", "--profile", "stripe", "--", "stripe"],
        ["exec", "--env", "A=odd", "--", "stripe"],
    ])
    func anAccountWithAHyphen(command: [String]) async throws {
        let cleared = try await run(["remove", "--yes", "--all", "stripe"])
        #expect(cleared.status == 0, "\(cleared)")
        for account in ["-x", "--all"] {
            try await home.set("--", "odd", account, secret: "of \(account)")
            try await home.set("--", "stripe", account, secret: "sk of \(account)")
        }
        let outcome = try await run(command)
        #expect(outcome.status == 64, "\(outcome)")
        let hint = try #require(outcome.errorText.split(separator: "hint: ").last)
        let typed = hint.split(separator: ", or ").map { String($0.replacing("\n", with: "")) }
        try #require(typed.count == 2, "\(outcome)")
        for text in typed {
            let result = try await home.command(
                "/bin/sh", ["-c", text], variables: ["PATH": path]
            ).run()
            #expect(result.status == 0 && result.errorText.isEmpty, "\(text)\n\(result)")
        }
    }

    /// Lanyard does not search the second keychain for an item that the first one has: that one may be locked.
    @Test func theFirstKeychainOfTheSearchList() async throws {
        for arguments in [
            ["keychain", "create", "work"], ["keychain", "search-list", "work", "login"],
        ] {
            let outcome = try await run(arguments)
            #expect(outcome.status == 0, "\(outcome)")
        }
        try await home.set("--keychain", "work", "stripe", "test", secret: "of the team")
        expectAnswer(try await run(["get", "stripe"]), "of the team\n")
        expectAnswer(try await run(["get", "stripe", "live key"]), "sk live key\n")
        expectAnswer(
            try await run(["get", "stripe"], ["LANYARD_ACCOUNT": "live key"]), "sk live key\n")
        try await home.set("--keychain", "work", "stripe", "third", secret: "another")
        let several = try await run(["get", "stripe"])
        #expect(several.status == 64 && several.output.isEmpty, "\(several)")
        #expect(several.errorText.contains("2 items match 'stripe': 'test'; 'third'"), "\(several)")
    }

    /// The variable names an account as an option does: an item of another account is not given.
    @Test func theAccountOfTheEnvironment() async throws {
        try await home.set("one", "ada", secret: "of ada")
        try await home.set("none", secret: "of none")
        func value(_ name: String, _ account: String) async throws -> Outcome {
            try await run(["get", name], ["LANYARD_ACCOUNT": account])
        }
        expectAnswer(try await value("stripe", "test"), "sk test\n")
        expectAnswer(try await value("one", "ada"), "of ada\n")
        expectAnswer(try await value("none", "ada"), "of none\n")
        // Before the default, and never instead of an account that is named.
        let edit = try await run(["edit", "stripe", "test", "--default"])
        #expect(edit.status == 0, "\(edit)")
        expectAnswer(try await value("stripe", "live key"), "sk live key\n")
        expectAnswer(
            try await run(["get", "one", "ada"], ["LANYARD_ACCOUNT": "bob"]), "of ada\n")
        for (name, accounts, hint) in [
            ("one", "'ada'", "lanyard get one ada"),
            ("stripe", "'live key'; 'test'", "lanyard get stripe "),
        ] {
            let refused = try await value(name, "bob")
            #expect(refused.status == 44 && refused.output.isEmpty, "\(refused)")
            #expect(
                refused.errorText.hasPrefix(
                    "lanyard: error: '\(name)' has no account 'bob', which LANYARD_ACCOUNT names: it has "
                        + "\(accounts)\nlanyard: hint: \(hint)"), "\(refused)")
        }
        let psql = try await run(["run", "psql"], ["LANYARD_ACCOUNT": "test"])
        expectAnswer(psql, "psql\nPGUSER=test\n")
        for command in [
            ["run", "stripe"], ["exec", "--profile", "stripe", "--", "stripe"], ["run", "psql"],
            ["exec", "--env", "STRIPE_A=one", "--", "stripe"], ["code", "gh"],
            ["inject", "--input", "\(home.path)/home/a template"],
        ] {
            let refused = try await run(command, ["LANYARD_ACCOUNT": "bob"])
            #expect(refused.status == 44 && refused.output.isEmpty, "\(refused)")
            #expect(refused.errorText.contains("which LANYARD_ACCOUNT names"), "\(refused)")
        }
    }

    /// libpq takes the name that the system has for the user, whatever a variable says.
    @Test(arguments: [nil, "bob"]) func theSystemsUser(variable: String?) async throws {
        let own = NSUserName()
        for (user, database) in [(own, "*"), ("bob", "*"), ("eve", own)] {
            try await home.set("psql@c.example:5432:\(database)", user, secret: "pw \(user)")
        }
        let outcome = try await home.command(
            "lanyard", ["run", "psql", "-h", "c.example"],
            variables: ["PATH": path, "USER": variable, "SHOWS": "PGPASSFILE"]
        ).run()
        #expect(outcome.status == 0, "\(outcome)")
        for line in ["*:\(own)", "*:bob", "\(own):eve"] {
            #expect(outcome.outputText.contains("c.example:5432:\(line):pw "), "\(outcome)")
        }
    }

    /// Accounts that look the same are other ones: an é in one character, and in two.
    @Test func accountsThatLookTheSame() async throws {
        let accounts = ["\u{E9}", "e\u{301}"]
        for account in accounts {
            try await home.set("same", account, secret: "of \(account)")
        }
        let refused = try await run(["get", "same"])
        #expect(refused.status == 64, "\(refused)")
        let bytes = Array(refused.errorText.utf8)
        for account in accounts {
            #expect(bytes.contains("'\(account)'".utf8), "\(refused)")
            expectAnswer(try await run(["get", "same", account]), "of \(account)\n")
        }
    }

    /// Each of some logins that differ only in further attributes can be chosen.
    @Test func loginsWithFurtherAttributes() async throws {
        let name = "https://b.example"
        try await home.set("--yes", name, "ada", secret: "of none")
        for domain in ["a realm", "b"] {
            try await home.set(
                "--security-domain", domain, "--yes", name, "ada", secret: "of \(domain)")
        }
        let all =
            "'ada', no security domain; 'ada', security domain 'a realm'; 'ada', security domain 'b'"
        for (command, hint) in [
            (["get", name], "lanyard edit "),
            (["remove", name], "choose one, for example with --security"),
        ] {
            let refused = try await run(command)
            #expect(refused.status == 64, "\(refused)")
            #expect(refused.errorText.contains("3 items match '\(name)': \(all)\n"), "\(refused)")
            #expect(refused.errorText.contains("lanyard: hint: \(hint)"), "\(refused)")
        }
        for (domain, secret) in [("a realm", "of a realm"), ("b", "of b"), ("", "of none")] {
            let options = ["--security-domain", domain, "--default"]
            let edit = try await run(["edit", name] + options)
            #expect(edit.status == 0, "\(edit)")
            expectAnswer(try await run(["get", name]), "\(secret)\n")
        }
        let hint = try await run(["edit", name, "--no-default", "--security-domain", ""])
        #expect(hint.status == 0, "\(hint)")
        let words = try await run(["get", name]).errorText.split(separator: "hint: ").last
        let typed = try await home.command(
            "/bin/sh", ["-c", String(try #require(words))], variables: ["PATH": path]
        ).run()
        #expect(typed.status == 0 && typed.errorText.isEmpty, "\(typed)")
        #expect(try await run(["get", name]).status == 0)
        let removed = try await run(["remove", name, "--security-domain", "b"])
        #expect(removed.status == 0, "\(removed)")
        try await home.set("--authentication-type", "dpaa", "--yes", name, "bob", secret: "of d")
        try await home.set("--authentication-type", "ntlm", "--yes", name, "bob", secret: "of n")
        let both = try await run(["remove", name, "bob"])
        #expect(both.errorText.contains("authentication type 'dpaa'"), "\(both)")
        let one = try await run(["remove", name, "bob", "--authentication-type", "dpaa"])
        #expect(one.status == 0, "\(one)")
        expectAnswer(try await run(["get", name, "bob"]), "of n\n")
    }

    /// The script of a setup has the account that it was made for.
    @Test func theAccountOfAScript() async throws {
        let setup = try await run(["setup", "--account", "test", "stripe"])
        #expect(setup.status == 0, "\(setup)")
        let script = try await home.command(
            "\(home.path)/home/.local/bin/stripe", [], variables: ["PATH": path]
        ).run()
        expectAnswer(script, "stripe\nSTRIPE_API_KEY=sk test\n")
    }
}
