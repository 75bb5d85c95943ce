import Foundation
import Glibc
import Testing
@testable import EndToEndRig

/// `lanyard team`, `lanyard history` and `lanyard restore-version`: two machines and a folder on which both
/// write.
@Suite(.timeLimit(.minutes(5))) struct TeamTests {
    let server: ScratchHome
    let ada: ScratchHome
    let grace: ScratchHome

    private var address: String { "\(server.path)/team" }

    init() async throws {
        server = try ScratchHome()
        ada = try ScratchHome()
        grace = try ScratchHome()
        for home in [ada, grace] {
            expectAnswer(try await home.lanyard("keychain", "create", "work"), "")
        }
    }

    private func team(_ home: ScratchHome, _ arguments: String...) async throws -> Outcome {
        try await home.command("lanyard", ["team"] + arguments + ["--keychain", "work"]).run()
    }

    /// The words of the only line of an answer.
    private func words(_ outcome: Outcome) -> [String] {
        #expect(outcome.status == 0)
        return outcome.outputText.split { $0 == " " || $0 == "\n" }.map(String.init)
    }

    private func create() async throws {
        let created = try await team(ada, "create", address, "--person", "ada", "--device", "a")
        #expect(created.status == 0)
    }

    /// Lets the second machine ask to join.
    ///
    /// - Returns: Its code.
    private func join() async throws -> String {
        let invitation = words(try await team(ada, "invite"))
        #expect(invitation.prefix(3) == ["lanyard", "team", "join"])
        #expect(invitation.suffix(2) == ["--keychain", "work"])
        let joined = try await team(
            grace, "join", address, invitation[4], "--person", "grace", "--device", "g")
        return try #require(words(joined).first)
    }

    private func exchange(_ homes: ScratchHome...) async throws {
        for home in homes {
            expectAnswer(try await team(home, "sync", "--quiet"), "")
        }
    }

    private func secret(_ home: ScratchHome, _ name: String) async throws -> String? {
        try await home.secret(name, in: "work")
    }

    private func set(_ home: ScratchHome, _ name: String, _ secret: String) async throws {
        try await home.set(name, "--keychain", "work", secret: secret)
    }

    @Test func aSecondMachineJoinsAndBothChangeItems() async throws {
        try await set(ada, "db", "one")
        try await create()
        let code = try await join()
        // Nothing before an owner's approval.
        let early = try await team(grace, "sync")
        #expect(early.status == 30)
        #expect(
            early.errorText.contains(
                "hint: ask one to run: lanyard team approve \(code) --keychain work\n"))
        #expect(try await team(ada, "approve", "0000-0000-0000-0000").status == 44)
        #expect(try await team(ada, "approve", code.lowercased()).status == 0)
        // Another owner may have been first.
        let again = try await team(ada, "approve", code)
        #expect(
            again.status == 0
                && again.errorText == "lanyard: 'g' of grace is in the team already, as member\n")
        let other = try await team(ada, "approve", code, "--role", "reader")
        #expect(other.status == 45, "\(other)")
        #expect(
            other.errorText.contains("hint: lanyard team role 'grace/g' reader --keychain work\n"))
        try await exchange(grace)
        #expect(try await secret(grace, "db") == "one")
        try await set(grace, "db", "two")
        try await exchange(grace, ada)
        #expect(try await secret(ada, "db") == "two")

        let members = try await ada.json("team", "members", "--json", "--keychain", "work")
        #expect(members.elements.map { $0.members["person"] } == ["ada", "grace"])
        #expect(members.elements.map { $0.members["role"] } == ["owner", "member"])

        // Older versions. They keep their numbers.
        let history = try await ada.json("history", "--json", "db", "--keychain", "work")
        #expect(history.elements.map { $0.members["device"] } == ["g", "a"])
        #expect(try await versions(ada) == [2, 1])
        for _ in 0..<2 {
            expectAnswer(
                try await ada.lanyard("restore-version", "db", "1", "--keychain", "work"), "")
            try await exchange(grace)
            #expect(try await secret(grace, "db") == "one")
            #expect(try await versions(grace) == [3, 2, 1])
        }
        #expect(
            try await ada.lanyard("restore-version", "db", "9", "--keychain", "work").status == 44)

        // Of two accounts the one that is named.
        for secret in ["one", "two"] {
            _ = try await ada.command(
                "lanyard", ["set", "--stdin", "both", "ada", "--keychain", "work"],
                input: Array(secret.utf8)
            ).run()
            try await exchange(ada)
        }
        _ = try await ada.command(
            "lanyard", ["set", "--stdin", "both", "eve", "--keychain", "work"], input: [0x65]
        ).run()
        let several = try await ada.lanyard("restore-version", "both", "1", "--keychain", "work")
        #expect(several.status == 64, "\(several)")
        expectAnswer(
            try await ada.lanyard("restore-version", "both", "ada", "1", "--keychain", "work"), "")
        expectAnswer(
            try await ada.lanyard("get", "both", "ada", "--keychain", "work"), "one\n")

        // Without a server, everything here still works.
        try #require(rename(address, "\(address)-away") == 0)
        let restored = try await ada.lanyard("restore-version", "db", "2", "--keychain", "work")
        #expect(restored.status == 0 && restored.errorText.contains("waits"), "\(restored)")
        #expect(try await secret(ada, "db") == "two")
        try await set(grace, "offline", "three")
        let status = try await grace.json("team", "status", "--json", "--keychain", "work")
        #expect(status.members["waiting"] == 1)
        let screen = try await grace.lanyard("status", "--keychain", "work")
        #expect(screen.outputText.contains("1 change waits for it"))
        #expect(screen.outputText.contains("fix: lanyard team sync --keychain work"))
    }

    private func versions(_ home: ScratchHome) async throws -> [JSONText?] {
        let history = try await home.json("history", "--json", "db", "--keychain", "work")
        return history.elements.map { $0.members["version"] }
    }

    /// Without the server, so neither knows of the other's.
    private func setOnBothAtOnce() async throws {
        try #require(rename(address, "\(address)-away") == 0)
        try await set(ada, "db", "ada's")
        try await set(grace, "db", "grace's")
        try #require(rename("\(address)-away", address) == 0)
        try await exchange(ada, grace, ada)
    }

    /// The winner as well as the loser.
    @Test func bothSidesOfAConflictCanBeRestored() async throws {
        try await set(ada, "db", "one")
        try await create()
        #expect(try await team(ada, "approve", join()).status == 0)
        try await exchange(grace)
        try await setOnBothAtOnce()
        #expect(try await versions(ada) == [2, 2, 1])
        let status = try await team(ada, "status")
        #expect(status.outputText.contains("items changed by two devices at once: 'db'\n"))
        let missing = try await ada.lanyard("restore-version", "db", "99", "--keychain", "work")
        #expect(missing.errorText.contains("hint: lanyard history 'db' --keychain work\n"))
        let restore = ["restore-version", "db", "2", "--keychain", "work"]
        let unclear = try await ada.command("lanyard", restore).run()
        #expect(unclear.status == 64)
        #expect(unclear.errorText.contains("--by 'grace/g'"))
        for (device, secret) in [("grace/g", "grace's"), ("a", "ada's"), ("grace", "grace's")] {
            expectAnswer(try await ada.command("lanyard", restore + ["--by", device]).run(), "")
            #expect(try await self.secret(ada, "db") == secret)
        }
    }

    /// Two devices that add an item at once make two records of it.
    @Test func anItemAddedTwiceIsNamedAndComesBack() async throws {
        try await create()
        #expect(try await team(ada, "approve", join()).status == 0)
        try await exchange(grace)
        try await setOnBothAtOnce()
        let status = try await team(ada, "status")
        #expect(status.outputText.contains("items changed by two devices at once: 'db'\n"))
        let screen = try await ada.lanyard("status", "--keychain", "work")
        #expect(screen.outputText.contains("two devices changed an item at once: 1"))
        expectAnswer(try await ada.lanyard("remove", "db", "--keychain", "work"), "")
        try await exchange(ada)
        let history = try await ada.lanyard("history", "db", "--keychain", "work")
        #expect(history.outputText.contains("deleted"))
        for device in ["grace/g", "ada/a"] {
            expectAnswer(
                try await ada.lanyard(
                    "restore-version", "db", "1", "--by", device, "--keychain", "work"), "")
            #expect(try await secret(ada, "db") == (device == "ada/a" ? "ada's" : "grace's"))
        }
    }

    /// The keychain keeps its items, and can join again.
    ///
    /// - Parameter format: The first byte of a format before the first release; nil for a damaged file.
    @Test(arguments: [(nil, 93), (4, 34)] as [(UInt8?, Int32)])
    func aReplicaThatCannotBeReadIsLeft(format: UInt8?, status: Int32) async throws {
        try await set(ada, "db", "one")
        try await create()
        if let format {
            let file = try FileHandle(forWritingTo: URL(filePath: "\(ada.state)/work.team"))
            try file.write(contentsOf: [format])
            try file.close()
        } else {
            try #require(truncate("\(ada.state)/work.team", 100) == 0)
        }
        let leave = "lanyard team leave --offline --keychain work"
        for arguments in [["status"], ["sync"], ["leave", "--yes"]] {
            let outcome = try await ada.command(
                "lanyard", ["team"] + arguments + ["--keychain", "work"]
            ).run()
            #expect(outcome.status == status)
            #expect(
                outcome.errorText.contains(
                    "hint: \(leave), then join again with another --device name\n"))
        }
        let found = try await ada.lanyard("doctor")
        #expect(found.outputText.contains(leave), "\(found)")
        #expect(try await team(ada, "leave", "--offline").errorText.contains("hint: add --yes"))
        #expect(try await team(ada, "leave", "--offline", "--yes").status == 0)
        #expect(try await team(ada, "status").status == 50)
        #expect(try await secret(ada, "db") == "one")
    }

    @Test func wrongUsageIsPointedOut() async throws {
        try await create()
        for arguments in [["approve", "0000", "--role", "boss"], ["role", "eve", "boss"]] {
            let outcome = try await ada.command(
                "lanyard", ["team"] + arguments + ["--keychain", "work"]
            ).run()
            #expect(outcome.status == 64)
            #expect(outcome.errorText.contains("'reader', 'member' or 'owner'"), "\(outcome)")
        }
        for arguments in [["refuse", "eve"], ["role", "eve", "owner"]] {
            let outcome = try await ada.command(
                "lanyard", ["team"] + arguments + ["--keychain", "work"]
            ).run()
            #expect(outcome.errorText.contains("hint: lanyard team members --keychain work\n"))
        }
        let other = try await grace.lanyard("team", "status", "--keychain", "work")
        #expect(other.errorText.contains("lanyard team join ADDRESS CODE --keychain work\n"))
    }

    @Test(arguments: [
        ("rel", 64, "postgres://HOST/DATABASE"), ("~/team", 64, "an absolute path"),
        ("/nonexistent/a/team", 44, "mount it, or mkdir -p '/nonexistent/a'"),
    ])
    func anAddressWithATypingErrorIsRefused(
        _ address: String, _ status: Int32, _ hint: String
    ) async throws {
        for command in ["create", "init"] {
            let keychain = command == "create" ? ["--keychain", "work"] : []
            let outcome = try await ada.command(
                "lanyard", ["team", command, address] + keychain
            ).run()
            #expect(outcome.status == status, "\(outcome)")
            #expect(outcome.errorText.contains(hint), "\(outcome)")
        }
        #expect(!FileManager.default.fileExists(atPath: "/nonexistent"))
    }

    /// Neither the folder nor what is in it can be looked at.
    @Test(.needs(.root, .anotherUser), arguments: ["team", "team/below/team"])
    func anotherUsersFolderIsPointedOut(place: String) async throws {
        try await create()
        let programs = try ada.copiesOfPrograms(["lanyard"])
        let own = try ada.folderOfAnotherUser()
        let address = "\(server.path)/\(place)"
        let variables: [String: String?] = ["LANYARD_HOME": "\(own)/l", "HOME": own]
        let code = "X5EE-K4P2-PZFN-A18S-RTJ7-ZZ8Z-NFMN-STCJ-RAVX-YN85-34"
        for words in [["create", address], ["join", address, code]] {
            let outcome = try await ada.command(
                "setpriv", AnotherUser.arguments + ["\(programs)/lanyard", "team"] + words,
                variables: variables
            ).run()
            #expect(
                outcome.errorText.hasSuffix(
                    "\nlanyard: hint: a folder is for the machines of one user: several users share a git "
                        + "repository or a PostgreSQL server\n"), "\(outcome)")
            #expect(!outcome.errorText.contains("HEAD"), "\(outcome)")
        }
    }

    @Test(.needs(.git)) func thePathOfARepositoryIsPointedOut() async throws {
        try await ada.shell("git init --quiet --bare \"$1\"", address)
        let outcome = try await team(ada, "create", address)
        #expect(outcome.status == 64)
        #expect(outcome.errorText.contains("hint: use its URL: 'file://\(address)'\n"))
    }

    /// A command whose keychain is not shared names those that are.
    @Test func anotherSharedKeychainIsNamed() async throws {
        try await create()
        for command in [["team", "status"], ["team", "sync"], ["history", "db"]] {
            let outcome = try await ada.command("lanyard", command).run()
            #expect(outcome.status == 50)
            #expect(outcome.errorText.contains("hint: add --keychain work\n"), "\(outcome)")
        }
        // It never replaces the one that was named.
        try await ada.succeeds("lanyard", "keychain", "create", "other")
        for command in ["status", "sync", "leave", "invite", "members", "recovery-key"] {
            let outcome = try await ada.lanyard("team", command, "--keychain", "other")
            #expect(outcome.status == 50)
            #expect(
                outcome.errorText == """
                    lanyard: error: the keychain 'other' is not shared with a team
                    lanyard: hint: lanyard team create ADDRESS --keychain other, or \
                    lanyard team join ADDRESS CODE --keychain other

                    """, "\(outcome)")
        }
        let other = try await grace.lanyard("team", "status")
        #expect(
            other.errorText.contains(
                "hint: lanyard team create ADDRESS --keychain login, or "
                    + "lanyard team join ADDRESS CODE --keychain login\n"))
    }

    /// Static programs can't ask the name service, and containers have no variable USER.
    @Test func thePersonHasTheNameOfTheAccount() async throws {
        let created = try await ada.lanyard(
            "team", "create", address, "--keychain", "work",
            variables: ["USER": nil, "LOGNAME": nil])
        #expect(created.status == 0, "\(created)")
        let name = try await ada.succeeds("id", "-un").outputText.dropLast()
        let status = try await ada.json("team", "status", "--json", "--keychain", "work")
        #expect(status.members["person"] == .string(String(name)))
    }

    @Test func theTimerIsPointedOutWhereItIsInstalled() async throws {
        let programs = try ada.copiesOfPrograms(["lanyard"])
        let units = "\(ada.path)/lib/systemd/user"
        for (keychain, isInstalled) in [("work", false), ("other", true)] {
            let script = isInstalled ? "mkdir -p $2; touch $2/lanyard-team.timer" : ""
            let created = try await ada.shell(
                """
                \(script)
                [ "$4" = work ] || "$1/lanyard" keychain create "$4"
                "$1/lanyard" team create "$3" --keychain "$4" --person ada
                """, programs, units, "\(address)-\(keychain)", keychain)
            let hint = "systemctl --user enable --now lanyard-team.timer\n"
            let isSystemd = FileManager.default.fileExists(atPath: "/run/systemd/system")
            #expect(created.errorText.contains(hint) == (isInstalled && isSystemd))
        }
    }

    /// A program never answers, as if its server hung: the exchange that a store starts ends in its
    /// two seconds, and not with the program's own time limit.
    @Test(.needs(.git)) func anExchangeOfAStoreEndsInTime() async throws {
        let programs = try ada.copiesOfPrograms(["lanyard", "lanyard-sync-git"])
        try await ada.shell(
            """
            git init --quiet --bare "$HOME/team.git"
            "$1/lanyard" team create "file://$HOME/team.git" --keychain work --person ada
            cat >"$1/lanyard-sync-git" <<'PROGRAM'
            #!/bin/sh
            tr '\\0' ' ' </proc/$PPID/cmdline >"$HOME/caller.new"
            mv "$HOME/caller.new" "$HOME/caller"
            exec cat >/dev/null
            PROGRAM
            printf secret | "$1/lanyard" set db --stdin --keychain work
            """, programs)
        let waiting = try await ada.shell(
            """
            for attempt in $(seq 400); do [ ! -e "$HOME/caller" ] || break; sleep 0.025; done
            cat "$HOME/caller"
            for attempt in $(seq 400); do
                ! flock --nonblock "$1/work.team.lock" true || exit 0
                sleep 0.025
            done
            exit 1
            """, ada.state)
        #expect(waiting.outputText.hasSuffix("team sync --quiet --limit=2 --keychain=work "))
        let status = try await ada.json("team", "status", "--json", "--keychain", "work")
        #expect(status.members["waiting"] == 1)
    }

    /// A store starts an exchange and does not wait for it.
    @Test func aStoreStartsAnExchange() async throws {
        try await create()
        #expect(try await team(ada, "approve", join()).status == 0)
        try await exchange(grace)
        try await set(ada, "db", "one")
        #expect(try await arrives("db", "one"))
        expectAnswer(try await ada.lanyard("remove", "db", "--keychain", "work"), "")
        #expect(try await arrives("db", nil))
    }

    /// Exchanges the second machine's items until an item has a secret.
    private func arrives(_ name: String, _ expected: String?) async throws -> Bool {
        for _ in 0..<100 {
            try await exchange(grace)
            if try await secret(grace, name) == expected {
                return true
            }
        }
        return false
    }

    /// Two wait at most: further ones end silently.
    @Test func exchangesDoNotPileUp() async throws {
        try await create()
        try #require(rename(address, "\(address)-away") == 0)
        #expect(try await team(ada, "sync", "--limit", "60").status != 0)
        let queue = "\(ada.state)/work.team.queue"
        for what in [["--limit", "60", "--keychain", "work"], ["--all"]] {
            let other = try await ada.command(
                "flock", [queue, try Programs.folder() + "/lanyard", "team", "sync"] + what
            ).run()
            expectAnswer(other, "")
        }
        // The timer's exchange skips locked keychains, and reports others.
        let all = try await ada.lanyard("team", "sync", "--all")
        #expect(all.errorText.contains("keychain 'work': the team's folder"))
        let passphrase = try ada.write("a passphrase\n", to: "passphrase")
        let set = try await ada.lanyard(
            "passphrase", "set", "--yes", "--keychain", "work", "--new-passphrase-file",
            passphrase)
        #expect(
            set.status == 0
                && set.errorText == "lanyard: the keychain 'work' is locked now; "
                    + "lanyard unlock --keychain work unlocks it\n",
            "\(set)")
        expectAnswer(try await ada.lanyard("lock", "--keychain", "work"), "")
        expectAnswer(try await ada.lanyard("team", "sync", "--all"), "")
    }

    @Test func whoWasRemovedGetsNothingNew() async throws {
        try await set(ada, "db", "one")
        try await create()
        #expect(try await team(ada, "approve", join()).status == 0)
        try await exchange(grace)
        let removed = try await team(ada, "remove", "grace", "--yes")
        #expect(removed.outputText == "'db'\n")
        try await set(ada, "db", "two")
        try await exchange(ada)
        let refused = try await team(grace, "sync")
        #expect(refused.status == 30)
        #expect(refused.errorText.contains("not in the team any more"))
        let status = try await grace.lanyard("status", "--keychain", "work")
        #expect(status.outputText.contains("not in the keychain's team any more"))
        #expect(try await secret(grace, "db") == "one")
        // An owner can't leave the team without one.
        #expect(try await team(ada, "remove", "ada", "--yes").status == 64)
    }

    @Test func ofLoginOnlySynchronizableItemsTravel() async throws {
        try await ada.set("here", secret: "one")
        try await ada.set("everywhere", "--synchronizable", secret: "two")
        let created = try await ada.lanyard(
            "team", "create", address, "--person", "ada", "--device", "a")
        #expect(created.status == 0)
        let invitation = words(try await ada.lanyard("team", "invite"))
        let joined = try await grace.lanyard(
            "team", "join", address, try #require(invitation.last), "--person", "ada",
            "--device", "g")
        let code = try #require(words(joined).first)
        #expect(try await ada.lanyard("team", "approve", code).status == 0)
        expectAnswer(try await grace.lanyard("team", "sync", "-q"), "")
        #expect(try await grace.secret("everywhere", in: "login") == "two")
        #expect(try await grace.lanyard("get", "here").status == 44)
    }

    /// A shared keychain that is searched first has the tools' logins of all machines.
    @Test func toolsLoginsTravelInASharedKeychain() async throws {
        try await create()
        #expect(try await team(ada, "approve", join()).status == 0)
        for home in [ada, grace] {
            expectAnswer(try await home.lanyard("keychain", "search-list", "work", "login"), "")
        }
        let request = "protocol=https\nhost=example.com\n"
        let login = "username=ada\npassword=pw\n"
        #expect(try await ada.helper("store", input: request + login).status == 0)
        try await exchange(ada, grace)
        expectAnswer(try await grace.helper("get", input: request), login)
    }

    /// Both are of one name: a user who means the one that travels hears of it.
    @Test func aSecondItemBesideASynchronizableOneIsPointedOut() async throws {
        let script = """
            printf one | lanyard set x --stdin --synchronizable
            printf two | lanyard set x --stdin
            printf three | lanyard set y --stdin
            """
        let session = try await Dialogue(home: ada).run(script)
        #expect(session.status == 0)
        let hint = "hint: another 'x' travels to your other machines"
        #expect(session.shown.contains(hint), "\(session)")
        #expect(!session.shown.contains("another 'y'"))
    }

    @Test func anotherTeamsCodeIsRefused() async throws {
        try await create()
        let zeros = String(repeating: "0000-", count: 10)
        for (code, status): (String, Int32?) in [("\(zeros)00", 44), ("\(zeros)0", 64)] {
            let other = try await team(
                grace, "join", address, code, "--person", "grace", "--device", "g")
            #expect(other.status == status)
        }
        // And nothing of the attempt stays.
        #expect(try await team(grace, "status").status != 0)
        #expect(try await join().isEmpty == false)
    }

    /// What the server has shows neither secrets nor names.
    @Test func theServerSeesNoPlainText() async throws {
        try await set(ada, "https://secret-user@secret-host.example/secret-path", "secret-password")
        try await create()
        try await exchange(ada)
        let found = try await ada.command("grep", ["-r", "-a", "-l", "secret-", address]).run()
        #expect(found.status == 1)
    }
}
