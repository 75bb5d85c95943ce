import Foundation
import Testing
@testable import EndToEndRig

/// `lanyard passphrase` and `lanyard recovery-key`, without prompts.
@Suite(.timeLimit(.minutes(10)))
struct PassphraseTests {
    let home: ScratchHome

    init() async throws {
        home = try ScratchHome()
        try await home.set("x", secret: "the secret")
    }

    private func passphrase(
        _ arguments: String..., old: String, new: String? = nil
    ) async throws -> Outcome {
        var arguments = ["passphrase"] + arguments
        if let new {
            arguments += ["--yes", "--new-passphrase-file", try home.write(new, to: "new")]
        }
        let file = try home.write(old, to: "old")
        return try await home.command(
            "lanyard", arguments, variables: ["LANYARD_PASSPHRASE_FILE": file]
        ).run()
    }

    private func get(_ what: String = "x", with passphrase: String) async throws -> Outcome {
        _ = try home.write(passphrase, to: "passphrase")
        return try await home.lanyardUnlocked("get", what)
    }

    @Test(.needs(.python)) func aPassphraseOfAFileLeavesTheKeychainLocked() async throws {
        let session = try await Dialogue(home: home).run(
            "echo 'the passphrase' >\"$1\"; lanyard passphrase set --new-passphrase-file \"$1\"",
            "\(home.path)/new")
        #expect(
            session.shown
                == "lanyard: the keychain 'login' is locked now; lanyard unlock unlocks it\r\n",
            "\(session)")
    }

    @Test(arguments: [false, true]) func changed(rekey: Bool) async throws {
        try await home.setPassphrase("one")
        let flags = rekey ? ["--rekey"] : []
        let wrong = try await home.command(
            "lanyard",
            [
                "passphrase", "change", "--yes", "--new-passphrase-file",
                home.write("two", to: "new"),
            ]
                + flags,
            variables: ["LANYARD_PASSPHRASE_FILE": home.write("nonsense", to: "old")]
        ).run()
        #expect(wrong.status == 51, "\(wrong)")
        expectAnswer(try await get(with: "one"), "the secret\n")
        let right = try await home.command(
            "lanyard",
            [
                "passphrase", "change", "--yes", "--new-passphrase-file",
                home.write("two", to: "new"),
            ]
                + flags,
            variables: ["LANYARD_PASSPHRASE_FILE": home.write("one", to: "old")]
        ).run()
        expectAnswer(right, "")
        #expect(try await get(with: "one").status == 51)
        expectAnswer(try await get(with: "two"), "the secret\n")
    }

    /// Other programs found it unlocked, whether the caller's own commands need that or not.
    @Test(.needs(.keyrings)) func aChangeSaysThatItLocks() async throws {
        try await home.setPassphrase("one")
        try await home.forgettingKeys {
            let note = "lanyard: the keychain 'login' is locked now; lanyard unlock unlocks it\n"
            try await home.unlock()
            let changed = try await passphrase("change", old: "one", new: "two")
            #expect(changed.status == 0 && changed.errorText == note, "\(changed)")
            expectAnswer(try await passphrase("change", old: "two", new: "one"), "")
            try await home.unlock()
            let removed = try await home.command(
                "lanyard", ["recovery-key", "remove", "--rekey", "--yes"],
                variables: ["LANYARD_PASSPHRASE_FILE": "\(home.path)/passphrase"]
            ).run()
            #expect(removed.status == 0 && removed.errorText == note, "\(removed)")
        }
    }

    @Test(arguments: [
        ["passphrase", "change", "--yes", "--new-passphrase-file", "/dev/null"],
        ["passphrase", "remove", "--yes"], ["recovery-key", "remove", "--rekey", "--yes"],
    ]) func theOldOneIsAskedForAlsoWhileUnlocked(arguments: [String]) async throws {
        try await home.setPassphrase("one")
        try await home.unlock()
        try await home.forgettingKeys {
            let outcome = try await home.command("lanyard", arguments).run()
            #expect(outcome.status == 36, "\(outcome)")
            #expect(
                outcome.errorText == """
                    lanyard: error: this takes the passphrase, and lanyard can't prompt here
                    lanyard: hint: set LANYARD_PASSPHRASE_FILE to a file with the passphrase

                    """, "\(outcome)")
        }
    }

    /// A hint to call it would lead in a circle.
    @Test func unlockNamesAnotherWayWithoutPrompts() async throws {
        try await home.setPassphrase("one")
        expectLocked(
            try await home.lanyard("unlock"),
            hint:
                "use --stdin, or set LANYARD_PASSPHRASE_FILE to a file with the passphrase")
    }

    @Test(.needs(.keyrings)) func unlockedByStandardInput() async throws {
        try await home.setPassphrase("one")
        try await home.forgettingKeys {
            let wrong = try await home.lanyard("unlock", "--stdin", input: "two\n")
            #expect(wrong.status == 51, "\(wrong)")
            #expect(
                wrong.errorText == """
                    lanyard: error: the secret from standard input does not unlock the keychain
                    lanyard: hint: give the keychain's passphrase or its recovery key

                    """)
            let ofWindows = try await home.lanyard("unlock", "--stdin", input: "one\r\n")
            #expect(
                ofWindows.errorText == """
                    lanyard: error: the secret from standard input does not unlock the keychain
                    lanyard: hint: it ends with a carriage return, as lines on Windows do: remove it

                    """, "\(ofWindows)")
            let marked = try await home.lanyard("unlock", "--stdin", input: "\u{FEFF}one\n")
            #expect(
                marked.errorText.hasSuffix(
                    "hint: it begins with a byte order mark, as files on Windows may: remove it\n"),
                "\(marked)")
            let empty = try await home.lanyard("unlock", "--stdin")
            #expect(empty.status == 51, "\(empty)")
            #expect(
                empty.errorText == "lanyard: error: the passphrase on standard input is empty\n")
            #expect(try await home.lockState() == "locked")
            expectAnswer(try await home.lanyard("unlock", "--stdin", input: "one\n"), "")
            expectAnswer(try await home.lanyard("get", "x"), "the secret\n")
            // What was given is looked at also where nothing has to be unlocked.
            let again = try await home.lanyard("unlock", "--stdin", input: "two\n")
            #expect(again.status == 51, "\(again)")
        }
    }

    @Test func removedWithWhatMayOnlyBeKeptWithIt() async throws {
        try await home.setPassphrase("one")
        for number in 1...2 {
            let outcome = try await home.lanyardUnlocked(
                "set", "only-\(number)", "--stdin", "--accessible", "akpu", input: "s")
            expectAnswer(outcome, "")
        }
        let asking = try await passphrase("remove", old: "one")
        #expect(asking.status == 36, "\(asking)")
        #expect(
            asking.errorText.hasPrefix(
                "lanyard: error: this deletes 2 items that need a passphrase ('only-1', 'only-2'): "
                    + "lanyard can't prompt here"
            ),
            "\(asking)")
        #expect(try await home.json("list", "--json").elements.count == 3)
        let done = try await passphrase("remove", "--yes", old: "one")
        #expect(done.status == 0, "\(done)")
        #expect(
            done.errorText
                == "lanyard: warning: this deletes 2 items that need a passphrase ('only-1', 'only-2')\n"
        )
        expectAnswer(try await home.lanyard("get", "x"), "the secret\n")
        #expect(try await home.json("list", "--json").elements.count == 1)
        #expect(try await home.lockState() == "no-passphrase")
    }

    /// They are lost like those that may only be stored with a passphrase; the hint says how to keep them.
    @Test func removedWithItemsThatAsk() async throws {
        try await home.setPassphrase("one")
        _ = try home.write("one", to: "passphrase")
        let set = try await home.lanyardUnlocked("set", "asks", "--stdin", "--ask", input: "s")
        #expect(set.status == 0, "\(set)")
        let asking = try await passphrase("remove", old: "one")
        #expect(asking.status == 36, "\(asking)")
        #expect(
            asking.errorText.hasPrefix(
                """
                lanyard: hint: lanyard edit --no-ask, with the name of an item that asks, keeps it
                lanyard: error: this deletes 1 item that needs a passphrase ('asks'): \
                lanyard can't prompt here

                """), "\(asking)")
        let kept = try await home.lanyardUnlocked("edit", "--no-ask", "asks")
        #expect(kept.status == 0, "\(kept)")
        expectAnswer(try await passphrase("remove", old: "one"), "")
        expectAnswer(try await home.lanyard("get", "asks"), "s\n")
    }

    @Test func whatCanNotBe() async throws {
        for (arguments, status) in [
            (["change", "--new-passphrase-file", try home.write("the other", to: "new")], 51),
            (["remove"], 51),
        ] as [([String], Int32)] {
            let outcome = try await home.command("lanyard", ["passphrase"] + arguments).run()
            #expect(outcome.status == status, "\(outcome)")
            #expect(outcome.errorText.contains("the keychain has no passphrase"), "\(outcome)")
        }
        for new in ["", "\n", "two\nlines\n", "nul\0\n", String(repeating: "x", count: 1025)] {
            let outcome = try await passphrase("set", old: "", new: new)
            #expect(outcome.status != 0 && outcome.errorText.hasPrefix("lanyard: error: "))
            #expect(!outcome.errorText.contains("two"), "\(outcome)")
        }
        try await home.setPassphrase("one")
        let again = try await passphrase("set", old: "one", new: "two")
        #expect(again.status == 45, "\(again)")
        #expect(again.errorText.contains("lanyard: hint: lanyard passphrase change"), "\(again)")
        let akpu = try await home.lanyard("set", "y", "--stdin", "--accessible", "akpu", input: "s")
        expectLocked(akpu)
    }

    @Test(arguments: [false, true]) func theRecoveryKeyOpens(hasPassphrase: Bool) async throws {
        if hasPassphrase {
            try await home.setPassphrase("one", isPortable: true)
        } else {
            _ = try home.write("", to: "passphrase")
        }
        let made =
            hasPassphrase
            ? try await home.lanyardUnlocked("recovery-key", "create")
            : try await home.lanyard("recovery-key", "create")
        #expect(made.status == 0 && made.error.isEmpty, "\(made)")
        let key = try #require(
            made.outputText.wholeMatch(of: /([0-9A-Z]{4}(-[0-9A-Z]{4}){8})\n/)?.1)
        // On a machine that has nothing but the file.
        try await home.shell("rm -r \"$LANYARD_HOME/state\"")
        #expect(try await home.lanyard("get", "x").status == 36)
        expectAnswer(try await get(with: key.lowercased()), "the secret\n")
        #expect(!FileManager.default.fileExists(atPath: home.state), "get makes no file")
        var typo = Array(key.utf8)
        typo[7] = typo[7] == UInt8(ascii: "7") ? UInt8(ascii: "8") : UInt8(ascii: "7")
        let mistyped = try await get(with: String(decoding: typo, as: UTF8.self))
        #expect(mistyped.status == 51, "\(mistyped)")
        #expect(mistyped.errorText.contains("the recovery key is mistyped"), "\(mistyped)")
        let wrong = try await get(with: "000G-40R4-0M30-E209-185G-R38E-1W81-24GK-CVAS")
        #expect(wrong.status == 51, "\(wrong)")
        #expect(!wrong.errorText.contains("typing error"), "\(wrong)")
        _ = try home.write(String(key), to: "passphrase")
        let again = try await home.lanyardUnlocked("recovery-key", "create")
        #expect(again.status == 45, "\(again)")
        expectAnswer(try await home.lanyardUnlocked("unlock"), "")
        expectAnswer(try await home.lanyard("get", "x"), "the secret\n")
        let removed = try await home.lanyardUnlocked("recovery-key", "remove")
        #expect(removed.status == 0 && removed.output.isEmpty, "\(removed)")
        #expect(removed.errorText.hasPrefix("lanyard: hint: "), "\(removed)")
        try await home.forgetKeys()
        if hasPassphrase {
            #expect(try await get(with: String(key)).status == 51)
            expectAnswer(try await get(with: "one"), "the secret\n")
        }
    }

    /// A pipe can be read once, but is needed more often.
    @Test func theRecoveryKeyOfAPipeSurvives() async throws {
        let key = try await home.lanyard("recovery-key", "create").outputText
        _ = try home.write(key, to: "key")
        _ = try home.write("one", to: "new")
        try await home.shell(
            """
            cat "$1/key" | LANYARD_PASSPHRASE_FILE=3 lanyard passphrase set --yes \
                --new-passphrase-file "$1/new" 3<&0
            """, home.path)
        expectAnswer(try await get(with: key), "the secret\n")
        for name in ["ask-1", "ask-2"] {
            let set = try await home.lanyardUnlocked(
                "set", name, "--stdin", "--ask", input: name, passphraseFile: "new")
            #expect(set.status == 0, "\(set)")
        }
        let outcome = try await home.shell(
            """
            cat "$1/new" | LANYARD_PASSPHRASE_FILE=3 lanyard exec --env A=ask-1 --env B=ask-2 -- \
                sh -c 'echo "$A $B"' 3<&0
            """, home.path)
        expectAnswer(outcome, "ask-1 ask-2\n")
    }

    /// As with a file, the one passphrase is tried for each keychain.
    @Test func aPipeServesSeveralKeychains() async throws {
        try await home.setPassphrase("one")
        try await home.shell(
            """
            set -e
            lanyard keychain create work
            printf 'in work' | lanyard set y --stdin --keychain work
            lanyard keychain search-list login work
            lanyard passphrase set --yes --keychain work --new-passphrase-file "$1/passphrase"
            lanyard lock --all
            """, home.path)
        let outcome = try await home.shell(
            "printf one | LANYARD_PASSPHRASE_FILE=3 lanyard get y 3<&0")
        expectAnswer(outcome, "in work\n")
    }

    @Test func anOlderCopyIsRefusedUntilAccepted() async throws {
        try await home.setPassphrase("one")
        try await home.shell("cp \"$1\" \"$1.backup\"", home.keychain)
        expectAnswer(try await passphrase("change", old: "one", new: "two"), "")
        try await home.shell("cp \"$1.backup\" \"$1\"", home.keychain)
        let refused = try await get(with: "one")
        #expect(refused.status == 93, "\(refused)")
        #expect(
            refused.errorText.contains("lanyard keychain accept-restore"), "\(refused)")
        expectAnswer(
            try await home.lanyard("keychain", "accept-restore"),
            "the keychain 'login' was accepted as it is\n")
        expectAnswer(try await get(with: "one"), "the secret\n")
    }

    @Test func onANewMachine() async throws {
        for code in ["aku", "cku", "dku", "ck"] {
            try await home.set("here-\(code)", "--accessible", code, secret: "s")
        }
        try await home.setPassphrase("one", isPortable: true)
        try await home.shell("mv \"$LANYARD_HOME/state\" \"$LANYARD_HOME/old\"")
        let status = try await home.json("status", "--json").elements[0].members
        #expect(status["state"] == "locked")
        #expect(status["items"] == nil as JSONText)
        let outcome = try await home.lanyardUnlocked("unlock")
        #expect(outcome.status == 0, "\(outcome)")
        #expect(
            outcome.errorText
                == "lanyard: warning: 3 items can be read only on the machine that the keychain "
                + "comes from\n")
        expectAnswer(try await home.lanyard("get", "x"), "the secret\n")
        expectAnswer(try await home.lanyard("get", "here-ck"), "s\n")
        let left = try await home.lanyard("get", "here-aku")
        #expect(left.status == 51, "\(left)")
        try await home.set("new", "--accessible", "aku", secret: "stays here")
        expectAnswer(try await home.lanyard("get", "new"), "stays here\n")
        // The machine that it comes from has lost nothing.
        try await home.forgetKeys()
        try await home.shell(
            "mv \"$LANYARD_HOME/state\" \"$LANYARD_HOME/new\"; "
                + "mv \"$LANYARD_HOME/old\" \"$LANYARD_HOME/state\"")
        for code in ["aku", "cku", "dku", "ck"] {
            expectAnswer(try await get("here-\(code)", with: "one"), "s\n")
        }
    }

    /// Who has the data folder alone, as leaked, can't even try the passphrase.
    @Test func notPortable() async throws {
        try await home.setPassphrase("one")
        let key = try await home.lanyardUnlocked("recovery-key", "create").outputText
        expectAnswer(try await get(with: "one"), "the secret\n")
        try await home.shell("rm -r \"$LANYARD_HOME/state\"")
        let refused = try await get(with: "one")
        #expect(refused.status == 51, "\(refused)")
        #expect(refused.errorText.contains("only on the machine"), "\(refused)")
        expectAnswer(try await get(with: key), "the secret\n")
    }

    /// Where the passphrase is useless it asks for the recovery key at once.
    @Test(.needs(.python, .keyrings)) func elsewhereTheRecoveryKeyIsAskedFor() async throws {
        try await home.setPassphrase("one")
        let key = try await home.lanyardUnlocked("recovery-key", "create").outputText
        try await home.shell("rm -r \"$LANYARD_HOME/state\"")
        try await home.forgettingKeys {
            let session = try await Dialogue(
                home: home, variables: ["PATH": try await home.pathWith(), "TERM": "xterm"]
            ).run(
                "lanyard get x",
                steps: [.asked("recovery key of the keychain 'login': "), .types(key)])
            session.expect(status: 0)
            #expect(session.shown.contains("the secret"), "\(session)")
        }
        // From then on a passphrase can be set that opens it here.
        try await home.shell("rm -r \"$LANYARD_HOME/state\"")
        _ = try home.write(key, to: "passphrase")
        try await home.forgettingKeys {
            let unlocked = try await home.lanyardUnlocked("unlock")
            #expect(unlocked.status == 0, "\(unlocked)")
            #expect(
                unlocked.errorText.hasSuffix("lanyard passphrase change sets one here\n"),
                "\(unlocked)")
        }
        expectAnswer(try await passphrase("change", old: key, new: "two"), "")
        expectAnswer(try await get(with: "two"), "the secret\n")
    }

    /// Without a recovery key nothing is asked in vain, and the status says so.
    @Test(.needs(.python)) func elsewhereWithoutARecoveryKey() async throws {
        try await home.setPassphrase("one")
        try await home.shell("rm -r \"$LANYARD_HOME/state\"")
        // Another keychain makes the new machine's key.
        expectAnswer(try await home.lanyard("keychain", "create", "other"), "")
        try await home.set("x", "--keychain", "other", secret: "s")
        let session = try await Dialogue(
            home: home,
            variables: ["PATH": try await home.pathWith(), "TERM": "dumb", "COLUMNS": "1000"]
        ).run("lanyard unlock")
        #expect(
            session.shown
                == "lanyard: error: the passphrase opens the keychain only on the machine it was set on\r\n"
                + "lanyard: hint: there, lanyard recovery-key create or lanyard passphrase change "
                + "--portable, then copy the keychain again; or restore a backup that has a recovery key: "
                + "lanyard restore FILE; or forget it: lanyard keychain delete login\r\n",
            "\(session)")
        session.expect(status: 51)
        let status = try await home.lanyard("status")
        #expect(
            status.errorText.hasPrefix(
                "lanyard: error: keychain 'login': the passphrase opens the keychain only on the "
                    + "machine it was set on\nlanyard: hint: there, lanyard recovery-key create or "
            ), "\(status)")
    }

    @Test func portableByConfiguration() async throws {
        try await home.shell(
            "mkdir -p -m 700 \"$LANYARD_HOME/config\"; printf '[keychain \"login\"]\\n"
                + " portable = true\\n' >\"$LANYARD_HOME/config/config\"")
        try await home.setPassphrase("one")
        try await home.shell("rm -r \"$LANYARD_HOME/state\"")
        expectAnswer(try await get(with: "one"), "the secret\n")
    }
}
