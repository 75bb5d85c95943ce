import Testing
@testable import EndToEndRig

/// What people and devices of a team are called, and who asks for whom.
@Suite(.timeLimit(.minutes(5))) struct TeamNameTests {
    let server: ScratchHome
    let ada: TeamMachine

    private var address: String { "\(server.path)/team" }

    init() async throws {
        server = try ScratchHome()
        ada = try await TeamMachine("ada")
        try await ada.create(address)
    }

    /// Lets a machine ask to join.
    ///
    /// - Returns: The device's code.
    private func ask(_ machine: TeamMachine, _ names: String...) async throws -> String {
        let words = [address, try await ada.code()] + names
        let outcome = try await machine.home.command(
            "lanyard", ["team", "join"] + words + ["--keychain", "work"],
            variables: ["USER": "grace"]
        ).run()
        #expect(outcome.status == 0, "\(outcome)")
        return String(outcome.outputText.dropLast())
    }

    @Test(arguments: [
        ["--person", " grace"], ["--person", "grace/laptop"], ["--device", "laptop (this one)"],
        ["--device", "laptop\u{200B}"],
    ]) func aNameThatMisleadsIsRefused(_ names: [String]) async throws {
        let grace = try await TeamMachine("grace")
        let outcome = try await grace.home.command(
            "lanyard",
            ["team", "join", address, try await ada.code(), "--keychain", "work"] + names
        ).run()
        #expect(outcome.status == 64, "\(outcome)")
        #expect(outcome.errorText.contains("hint: choose one without slashes, brackets"))
        // Nothing is left of it.
        #expect(try await grace.team("status").status == 50)
        let created = try await grace.team("create", "\(server.path)/other", "--name", "a team ")
        #expect(created.status == 64, "\(created)")
    }

    @Test func theSecondDeviceOfAHostNameIsNumbered() async throws {
        let own = try await ada.home.json("team", "status", "--json", "--keychain", "work")
        #expect(own.members["device"] == "laptop")
        var names: [JSONText?] = []
        for _ in 0..<3 {
            let grace = try await TeamMachine("grace")
            try await ada.succeeds("approve", try await ask(grace))
            let status = try await grace.home.json(
                "team", "status", "--json", "--keychain", "work")
            names.append(status.members["device"])
        }
        guard case .string(let host) = names[0] else {
            Issue.record("\(names)")
            return
        }
        #expect(names == [.string(host), .string("\(host)-2"), .string("\(host)-3")])
        // A name of one's own is not changed.
        let grace = try await TeamMachine("grace")
        let taken = try await grace.team(
            "join", address, try await ada.code(), "--device", host, "--person", "grace")
        #expect(taken.status == 45, "\(taken)")
    }

    @Test func namesThatLookLikeOthersAreMarked() async throws {
        let (mallory, oscar) = (try await TeamMachine("m"), try await TeamMachine("o"))
        // Cyrillic a, and all of it.
        let mixed = try await ask(mallory, "--person", "\u{430}da", "--device", "box")
        let other = try await ask(oscar, "--person", "\u{430}\u{434}\u{430}", "--device", "box")
        try await ada.succeeds("sync")
        let asking = try await ada.succeeds("members")
        #expect(asking.contains("  NOTE\n"))
        #expect(
            asking.split(separator: "\n").contains {
                $0.hasPrefix("ada ") && $0.contains("  laptop  owner  ")
                    && $0.hasSuffix("  this one")
            }, "\(asking)")
        #expect(
            asking.split(separator: "\n").contains {
                $0.hasPrefix("\u{430}da ") && $0.hasSuffix("  mixed scripts")
            }, "\(asking)")
        let first = try await ada.team("approve", mixed)
        #expect(
            first.errorText.contains(
                "warning: the name '\u{430}da/box' has letters of several scripts\n"))
        let second = try await ada.team("approve", other)
        #expect(
            second.errorText.contains("in letters that no other name in the team has"), "\(second)")
        #expect(
            try await ada.succeeds("status").contains(
                "names with letters of several scripts: '\u{430}da/box'\n"))
        let members = try await ada.home.json("team", "members", "--json", "--keychain", "work")
        #expect(members.elements.map { $0.members["mixed_scripts"] } == [false, true, false])
    }

    @Test func approvingAtATerminalAsks() async throws {
        let grace = try await TeamMachine("grace")
        let code = try await ask(grace, "--device", "box")
        let command = "lanyard team approve \(code) --role reader --keychain work"
        let question = Dialogue.Step.sees(
            "add 'box' of grace to the team as reader? [y/N] ")
        let refused = try await Dialogue(home: ada.home).run(
            command, steps: [question, .types("n\n")])
        #expect(refused.status == 128, "\(refused)")
        #expect(try await grace.team("sync").status == 30)
        let approved = try await Dialogue(home: ada.home).run(
            command, steps: [question, .types("y\n")])
        #expect(approved.status == 0, "\(approved)")
        try await grace.succeeds("sync")
        let lin = try await TeamMachine("lin")
        let unasked = try await Dialogue(home: ada.home).run(
            "lanyard team approve \(try await ask(lin, "--device", "two")) --yes --keychain work")
        #expect(unasked.status == 0, "\(unasked)")
        #expect(!unasked.shown.contains("[y/N]"))
    }

    @Test func hintsNameTheSearchList() async throws {
        let grace = try await TeamMachine("grace")
        let hint =
            "hint: let git and other tools find its items: lanyard keychain search-list login work\n"
        let joined = try await grace.team(
            "join", address, try await ada.code(), "--person", "grace", "--device", "box")
        #expect(joined.errorText.contains(hint), "\(joined)")
        let approved = try await ada.team("approve", String(joined.outputText.dropLast()))
        #expect(approved.errorText.contains(hint), "\(approved)")
        // It names what is in the list already, and nothing where the keychain is.
        expectAnswer(try await grace.home.lanyard("keychain", "create", "home"), "")
        expectAnswer(
            try await grace.home.lanyard("keychain", "search-list", "home", "login"), "")
        try await grace.succeeds("leave", "--offline", "--yes")
        let again = try await grace.team(
            "join", address, try await ada.code(), "--person", "grace", "--device", "two")
        #expect(again.errorText.contains("search-list home login work\n"), "\(again)")
        try await grace.succeeds("leave", "--offline", "--yes")
        expectAnswer(
            try await grace.home.lanyard("keychain", "search-list", "work", "home", "login"), "")
        let last = try await grace.team(
            "join", address, try await ada.code(), "--person", "grace", "--device", "three")
        #expect(!last.errorText.contains("search-list"), "\(last)")
    }

    /// The hint leaves new items where they were, and storing one for the team says so.
    @Test func newItemsStayInLoginUnlessTheUserSaysSo() async throws {
        expectAnswer(try await ada.home.lanyard("keychain", "search-list", "login", "work"), "")
        expectAnswer(try await ada.home.lanyard("keychain", "default"), "login\n")
        let dialogue = Dialogue(home: ada.home, variables: ["COLUMNS": "1000"])
        let own = try await dialogue.run("printf s | lanyard set own ada")
        #expect(own.shown == "lanyard: stored 'own' of 'ada'\r\n", "\(own)")
        let shared = try await dialogue.run("printf s | lanyard set db ada --keychain work")
        let place = "in 'work', which a team shares\r\n"
        #expect(shared.shown == "lanyard: stored 'db' of 'ada' \(place)", "\(shared)")
        let again = try await dialogue.run("printf t | lanyard set db ada --yes --keychain work")
        #expect(again.shown == "lanyard: replaced 'db' of 'ada' \(place)", "\(again)")
        let git = try await dialogue.run(
            "printf t | lanyard set https://a.example ada --for git --keychain work")
        #expect(git.shown.hasSuffix(" for git \(place)"), "\(git)")
        let bound = try await dialogue.run(
            "printf s | lanyard set here --accessible aku --keychain work")
        #expect(bound.shown == "lanyard: stored 'here'\r\n", "\(bound)")
    }

    @Test func whatIsNotFoundSaysWhereItIs() async throws {
        try await ada.set("db", "one")
        let hint =
            "lanyard: hint: it is in the keychain 'work': use --keychain work, or search it, too: "
            + "lanyard keychain search-list login work\n"
        for command in [
            ["get", "db"], ["exec", "--env", "A=db", "--", "true"], ["edit", "db", "--label", "x"],
            ["remove", "db"],
        ] {
            let outcome = try await ada.home.command("lanyard", command).run()
            #expect(outcome.status == 44, "\(outcome)")
            #expect(outcome.errorText.hasSuffix(hint), "\(outcome)")
        }
        let uri = "otpauth://totp/db?secret=GEZDGNBVGY3TQOJQ"
        let stored = try await ada.home.command(
            "lanyard", ["set", "--stdin", "--code", "site", "--keychain", "work"],
            input: Array(uri.utf8)
        ).run()
        #expect(stored.status == 0, "\(stored)")
        let code = try await ada.home.lanyard("code", "site")
        #expect(code.errorText.hasSuffix(hint), "\(code)")
        let missing = try await ada.home.lanyard("get", "nothing")
        #expect(!missing.errorText.contains("keychain 'work'"), "\(missing)")
        expectAnswer(try await ada.home.lanyard("keychain", "search-list", "work", "login"), "")
        #expect(try await ada.home.secret("db", in: "work") == "one")
    }
}
