import Testing
@testable import EndToEndRig

/// Who leaves a team, and who comes back with the recovery key.
@Suite(.timeLimit(.minutes(5))) struct TeamMembershipTests {
    let server: ScratchHome
    let ada: TeamMachine

    private var address: String { "\(server.path)/team" }

    init() async throws {
        server = try ScratchHome()
        ada = try await TeamMachine("ada")
        try await ada.set("db", "one")
        expectStatus(try await ada.home.lanyard("team", "init", address), 0)
        try await ada.create(address)
    }

    private func expectStatus(
        _ outcome: Outcome, _ status: Int32, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(outcome.status == status, "\(outcome)", sourceLocation: sourceLocation)
    }

    @Test func aMemberLeaves() async throws {
        let grace = try await TeamMachine("grace")
        try await grace.join(ada, address)
        // An owner can't take its own device out in this way, nor leave the others alone.
        let own = try await ada.team("remove", "ada", "--yes")
        expectStatus(own, 64)
        #expect(own.errorText.contains("hint: lanyard team leave --keychain work\n"))
        let last = try await ada.team("leave", "--yes")
        expectStatus(last, 64)
        #expect(last.errorText.contains("lanyard team role DEVICE owner"))

        #expect(try await grace.team("leave").errorText.contains("hint: add --yes"))
        try await grace.succeeds("leave", "--yes")
        expectStatus(try await grace.team("status"), 50)
        #expect(try await grace.secret("db") == "one")
        try await ada.succeeds("sync")
        let members = try await ada.home.json("team", "members", "--json", "--keychain", "work")
        #expect(members.elements.map { $0.members["person"] } == ["ada"])
        // It is as any other keychain again.
        try await grace.join(ada, address)

        // Without the server only here.
        try await grace.succeeds("leave", "--offline", "--yes")
        #expect(try await grace.home.sharingFiles().isEmpty)
        // The team ends with its last device.
        try await ada.succeeds("remove", "grace", "--yes")
        try await ada.succeeds("leave", "--yes")
        expectStatus(try await ada.team("status"), 50)
        #expect(try await ada.secret("db") == "one")
    }

    /// The machine that was copied goes on, and no one calls either a liar.
    @Test func aCopyOfAMachineBecomesADeviceOfItsOwn() async throws {
        let grace = try await TeamMachine("grace")
        try await grace.join(ada, address)
        let copy = try await TeamMachine(copying: grace, device: "copy")
        let accepted = try await copy.home.lanyard("keychain", "accept-restore", "work")
        #expect(
            accepted.errorText.contains("lanyard team leave --offline --keychain work, then join"),
            "\(accepted)")
        expectStatus(try await copy.team("leave", "--offline", "--yes"), 0)
        try await copy.join(ada, address)
        for (number, machine) in [grace, copy, ada, grace, copy, ada].enumerated() {
            try await machine.set("from-\(number)", "\(number)")
            let outcome = try await machine.team("sync")
            #expect(outcome.status == 0 && !outcome.errorText.contains("warning"), "\(outcome)")
        }
        let members = try await ada.home.json("team", "members", "--json", "--keychain", "work")
        #expect(members.elements.count == 3)
        #expect(try await ada.secret("from-1") == "1")
        #expect(try await ada.secret("from-3") == "3")
    }

    /// All devices are lost; the paper is not.
    @Test func aRecoveryKeyIsTheWayBack() async throws {
        let paper = try await ada.succeeds("recovery-key").split(separator: "\n")
        try #require(paper.count == 2)
        expectStatus(try await ada.team("recovery-key"), 45)
        let words = paper[0].split(separator: " ")
        #expect(words.prefix(3) == ["lanyard", "team", "recover"])
        #expect(words[3] == "'\(address)'" && words.suffix(2) == ["--keychain", "work"])
        let code = String(words[4])

        let new = try await TeamMachine("someone", device: "new")
        let wrong = try new.home.write(
            "0000-0000-0000-0000-0000-0000-0000-0000-0000\n", to: "wrong")
        #expect(
            try await new.team("recover", address, code, "--recovery-key-file", wrong).status
                != 0)
        let key = try new.home.write("\(paper[1].lowercased())\n", to: "key")
        let recovered = try await new.team(
            "recover", address, code, "--device", "new", "--recovery-key-file", key)
        expectStatus(recovered, 0)
        #expect(recovered.errorText.contains("1 received, "))
        #expect(
            recovered.errorText.contains(
                "hint: if it is lost: lanyard team remove 'ada/laptop' --keychain work\n"))
        #expect(try await new.secret("db") == "one")
        let removed = try await new.succeeds("remove", "ada/laptop", "--yes")
        #expect(removed == "'db'\n")
        let members = try await new.home.json("team", "members", "--json", "--keychain", "work")
        #expect(members.elements.map { $0.members["device"] } == ["new", "recovery key"])
        #expect(members.elements.map { $0.members["role"] } == ["owner", "owner"])
    }

    @Test func questionsAtATerminal() async throws {
        let paper = try await ada.succeeds("recovery-key").split(separator: "\n")
        try #require(paper.count == 2)
        let new = try await TeamMachine("someone", device: "new")
        let recovered = try await Dialogue(home: new.home).run(
            "\(paper[0]) --device new",
            steps: [.asked("recovery key of the team: "), .types("\(paper[1])\n")])
        #expect(recovered.status == 0, "\(recovered)")
        #expect(!recovered.shown.contains(paper[1]))
        #expect(try await new.secret("db") == "one")
        let stayed = try await Dialogue(home: new.home).run(
            "lanyard team leave --keychain work",
            steps: [.sees("leave the team 'work'? [y/N] "), .types("n\n")])
        #expect(stayed.status == 128, "\(stayed)")
        let left = try await Dialogue(home: new.home).run(
            "lanyard team leave --keychain work",
            steps: [.sees("leave the team 'work'? [y/N] "), .types("y\n")])
        #expect(left.status == 0, "\(left)")
        let ended = try await Dialogue(home: ada.home).run(
            "lanyard team leave --keychain work",
            steps: [.sees("no one else is in the team 'work': end it? [y/N] "), .types("y\n")])
        #expect(ended.status == 0, "\(ended)")
        expectStatus(try await ada.team("status"), 50)
    }

    @Test func aReaderGetsChangesWhateverItChanged() async throws {
        let grace = try await TeamMachine("grace")
        try await grace.join(ada, address, role: "reader")
        let set = try await grace.home.command(
            "lanyard", ["set", "--stdin", "--keychain", "work", "db"], input: Array("mine".utf8)
        ).run()
        #expect(
            set.status == 0
                && set.errorText.contains("warning: this device only reads the team's items"),
            "\(set)")
        try await ada.set("api", "two")
        try await ada.succeeds("sync")
        let outcome = try await grace.team("sync", "--quiet")
        expectStatus(outcome, 0)
        #expect(outcome.errorText.contains("this device only reads the team's items"))
        #expect(try await grace.secret("api") == "two")
        #expect(try await ada.secret("db") == "one")
    }

    private func names(of machine: TeamMachine) async throws -> [JSONText?] {
        let members = try await machine.home.json("team", "members", "--json", "--keychain", "work")
        return members.elements.map { $0.members["person"] }
    }

    @Test func aRequestIsTakenBackOrRefused() async throws {
        let grace = try await TeamMachine("grace")
        let code = try await ada.code()
        try await grace.succeeds("join", address, code, "--device", "box")
        try await ada.succeeds("sync")
        #expect(try await names(of: ada) == ["ada", "grace"])
        try await grace.succeeds("leave", "--yes")
        try await ada.succeeds("sync")
        #expect(try await names(of: ada) == ["ada"])

        try await grace.succeeds("join", address, code, "--device", "box")
        let refused = try await ada.team("refuse", "grace/box")
        expectStatus(refused, 0)
        #expect(refused.errorText.contains("'box' of grace is refused"))
        expectStatus(try await ada.team("refuse", "grace/box"), 44)
        let sync = try await grace.team("sync")
        expectStatus(sync, 30)
        #expect(sync.errorText.contains("this device's request to join was ended"))
        #expect(
            sync.errorText.contains(
                "hint: ask an owner of the team, or lanyard team leave --keychain work\n"))
        let status = try await grace.succeeds("status")
        #expect(status.contains("its request to join was ended\n"))
        #expect(status.contains("next step: lanyard team leave --keychain work\n"))
        let screen = try await grace.home.lanyard("status", "--keychain", "work")
        #expect(screen.outputText.contains("request to join the team was ended"))
        let again = try await grace.team("join", address, code)
        #expect(again.errorText.contains("lanyard team leave --keychain work"))
        try await grace.succeeds("leave", "--yes")
        try await grace.join(ada, address)
    }

    @Test func theRightIsCheckedBeforeAQuestion() async throws {
        let grace = try await TeamMachine("grace")
        try await grace.join(ada, address, role: "reader")
        _ = try await grace.home.shell("printf mine | lanyard set --stdin --keychain work db")
        for outcome in [
            try await grace.team("remove", "ada"), try await grace.team("role", "ada", "reader"),
            try await grace.team("approve", "0000-0000-0000-0000"),
            try await grace.team("refuse", "lin"), try await grace.team("recovery-key"),
        ] {
            expectStatus(outcome, 195)
            #expect(outcome.errorText.contains("only an owner of the team"), "\(outcome)")
        }
        let status = try await grace.home.json("team", "status", "--json", "--keychain", "work")
        #expect(status.members["waiting"] == 0 && status.members["refused"] == 1)
        let screen = try await grace.home.lanyard("status", "--keychain", "work")
        #expect(screen.outputText.contains("1 change stays here: this device only reads"))
    }

    @Test func devicesOfOneNameAreToldApart() async throws {
        let (grace, lin) = (try await TeamMachine("grace"), try await TeamMachine("lin"))
        try await grace.join(ada, address)
        try await lin.join(ada, address)
        let second = try await TeamMachine("grace")
        let taken = try await second.team(
            "join", address, try await ada.code(), "--device", "laptop")
        expectStatus(taken, 45)
        #expect(taken.errorText.contains("--device NAME"))

        let members = try await ada.home.json("team", "members", "--json", "--keychain", "work")
        let codes = members.elements.compactMap { member -> String? in
            guard case .string(let code) = member.members["code"] else {
                return nil
            }
            return code
        }
        try #require(codes.count == 3)
        let unclear = try await ada.team("remove", "laptop", "--yes")
        expectStatus(unclear, 64)
        for (code, person) in zip(codes, ["ada", "grace", "lin"]) {
            #expect(unclear.errorText.contains("\(code) (\(person)/laptop)"), "\(unclear)")
        }
        try await ada.succeeds("remove", String(codes[1].prefix(6)), "--yes")
        #expect(try await names(of: ada) == ["ada", "lin"])
    }

    /// The device's private key belongs to one keychain.
    @Test func aCopyOfAKeychainLacksTheDevicesKeys() async throws {
        let copied = try await ada.home.lanyard("keychain", "copy", "work", "login")
        expectAnswer(copied, "1 copied, 0 already there, 0 skipped\n")
        let list = try await ada.home.lanyard("list", "--all", "--keychain", "login")
        expectStatus(list, 0)
        #expect(!list.outputText.contains("lanyard team device"), "\(list)")
    }

    @Test func aCopyFromBeforeSaysThatItEndsTheSharing() async throws {
        let grace = try await TeamMachine("grace")
        let copy = "\(grace.home.path)/copy"
        expectBackup(try await grace.home.lanyard("backup", copy, "--keychain", "work"))
        try await grace.join(ada, address)
        let restored = try await grace.home.lanyard(
            "restore", "--yes", copy, "--keychain", "work")
        expectStatus(restored, 0)
        #expect(
            restored.errorText.contains(
                "warning: the copy is from before the keychain 'work' was shared: it ends the sharing "
                    + "on this device\n"), "\(restored)")
        expectStatus(try await grace.team("status"), 50)
        let command = try #require(
            restored.errorText.split(separator: "still shared: ").last?.split(separator: "\n").first
        )
        try await grace.home.shell("\(command) --yes")
        expectStatus(try await grace.team("status"), 0)
        #expect(try await grace.secret("db") == "one")
        // One from after it has the keys.
        expectBackup(
            try await grace.home.lanyard("backup", "--replace", copy, "--keychain", "work"))
        let again = try await grace.home.lanyard("restore", "--yes", copy, "--keychain", "work")
        #expect(!again.errorText.contains("sharing"), "\(again)")
    }

    @Test func aCopyFromBeforeNamesWhatTheTeamLoses() async throws {
        let lin = try await TeamMachine("lin")
        let copy = "\(lin.home.path)/copy"
        expectBackup(try await lin.home.lanyard("backup", copy, "--keychain", "work"))
        try await lin.succeeds("create", "\(server.path)/other", "--person", "lin")
        let start = "warning: the copy is from before the keychain 'work' was shared: it ends"
        func restore() async throws -> String {
            let restored = try await lin.home.lanyard(
                "restore", "--yes", copy, "--keychain", "work")
            expectStatus(restored, 0)
            let command = try #require(
                restored.errorText.split(separator: "still shared: ").last?.split(separator: "\n")
                    .first)
            try await lin.home.shell("\(command) --yes")
            return restored.errorText
        }
        #expect(
            try await restore().contains("\(start) the team 'work', which has no other device\n"))
        let grace = try await TeamMachine("grace")
        try await grace.join(lin, "\(server.path)/other")
        #expect(
            try await restore().contains(
                "\(start) the sharing on this device, the team's only owner\n"
                    + "lanyard: hint: name another owner first: lanyard team role DEVICE owner "
                    + "--keychain work\n"))
        try await lin.succeeds("role", "grace", "owner")
        #expect(try await restore().contains("\(start) the sharing on this device\n"))
    }

    @Test func theDevicesKeysAreNoItem() async throws {
        let status = try await ada.home.lanyard("status", "--keychain", "work")
        #expect(status.outputText.contains("items     1 (login 1)\n"), "\(status)")
    }

    @Test func aDeletedKeychainLeavesNothingBehind() async throws {
        let grace = try await TeamMachine("grace")
        try await grace.join(ada, address)
        let asked = try await Dialogue(home: grace.home).run(
            "lanyard keychain delete work",
            steps: [.sees(", shared with the team 'work'? [y/N] "), .types("n\n")])
        #expect(asked.status == 128, "\(asked)")
        let member = try await grace.home.lanyard("keychain", "delete", "work", "--yes")
        expectStatus(member, 0)
        #expect(member.errorText.contains("ask an owner of the team to remove this device"))
        // Without an owner, the team could do nothing about its devices any more.
        let owner = try await ada.home.lanyard("keychain", "delete", "work", "--yes")
        expectStatus(owner, 64)
        #expect(owner.errorText == (try await ada.team("leave", "--yes")).errorText)
        #expect(try await ada.secret("db") == "one")
        try await ada.succeeds("remove", "grace", "--yes")
        let stayed = try await Dialogue(home: ada.home).run(
            "lanyard keychain delete work",
            steps: [
                .sees("with 1 item, the last device of the team 'work'?"), .sees("[y/N] "),
                .types("n\n"),
            ])
        #expect(stayed.status == 128, "\(stayed)")
        expectAnswer(try await ada.home.lanyard("keychain", "delete", "work", "--yes"), "")
        #expect(try await ada.home.sharingFiles().isEmpty)
        expectAnswer(try await ada.home.lanyard("keychain", "create", "work"), "")
        expectAnswer(try await ada.home.lanyard("team", "sync", "--all"), "")
    }
}

extension ScratchHome {
    /// What is stored of teams beside the keychains.
    fileprivate func sharingFiles() async throws -> [String] {
        let outcome = try await command("ls", [state]).run()
        return outcome.outputText.split(separator: "\n").map(String.init).filter {
            $0.contains(".team") || $0.hasSuffix(".sync")
        }
    }
}
