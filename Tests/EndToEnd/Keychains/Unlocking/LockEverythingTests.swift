import Testing
@testable import EndToEndRig

/// Locking works whatever else does not, and what is said about it names the right keychain.
@Suite(.needs(.keyrings), .timeLimit(.minutes(10)))
struct LockEverythingTests {
    let home: ScratchHome

    init() async throws {
        home = try ScratchHome()
        try await home.set("x", secret: "the secret")
    }

    @Test(arguments: [
        "mv \"$LANYARD_HOME/data\" \"$HOME/away\"",
        "printf '[lanyard' >\"$LANYARD_HOME/config/config\"",
        "echo garbage >\"$LANYARD_HOME/data/other.keychain\"",
        "mv \"$LANYARD_HOME\"/state/login.anchor \"$HOME/anchor\"",
    ])
    func whateverIsMissing(damage: String) async throws {
        try await home.setPassphrase()
        try await home.unlock()
        try await home.shell(
            "mkdir -p -m 700 \"$LANYARD_HOME/config\"; \(damage); lanyard lock --all")
        try await home.shell(
            """
            rm -rf "$LANYARD_HOME/config"
            [ ! -e "$HOME/away" ] || mv "$HOME/away" "$LANYARD_HOME/data"
            [ ! -e "$HOME/anchor" ] || mv "$HOME/anchor" "$LANYARD_HOME/state/login.anchor"
            """)
        expectLocked(try await home.lanyard("get", "x"))
    }

    @Test func withoutAPassphraseItIsSaid() async throws {
        for command in ["lock", "unlock"] {
            let outcome = try await home.lanyard(command)
            #expect(outcome.status == 0 && outcome.output.isEmpty, "\(outcome)")
            #expect(
                outcome.errorText == """
                    lanyard: hint: the keychain 'login' has no passphrase and is never locked; \
                    lanyard passphrase set --keychain login gives it one

                    """, "\(outcome)")
        }
        let outcome = try await home.lanyard("unlock", "--recovery-key")
        #expect(outcome.status == 44, "\(outcome)")
        #expect(
            outcome.errorText
                == "lanyard: error: the keychain 'login' has no recovery key\n"
                + "lanyard: hint: leave --recovery-key out\n")
    }

    /// What the recovery key leaves locked, the passphrase unlocks.
    @Test func unlockingGoesOnWhereTheRecoveryKeyEnds() async throws {
        try await home.set("here", "--accessible", "aku", secret: "stays here")
        try await home.setPassphrase()
        let key = try await home.lanyardUnlocked("recovery-key", "create").outputText
        _ = try home.write(key, to: "key")
        expectAnswer(try await home.lanyardUnlocked("unlock", passphraseFile: "key"), "")
        expectAnswer(try await home.lanyard("get", "x"), "the secret\n")
        #expect(try await home.lanyard("get", "here").status == 51)
        expectAnswer(try await home.lanyardUnlocked("unlock"), "")
        expectAnswer(try await home.lanyard("get", "here"), "stays here\n")
        try await home.forgetKeys()
    }

    @Test func hintsNameTheKeychainThatIsMeant() async throws {
        try await home.succeeds("lanyard", "keychain", "create", "work")
        let none = try await home.lanyard("passphrase", "remove", "--keychain", "work")
        #expect(
            none.errorText.hasSuffix("lanyard: hint: lanyard passphrase set --keychain work\n"),
            "\(none)")
        let made = try await home.lanyard("recovery-key", "create", "--keychain=work")
        #expect(made.status == 0, "\(made)")
        let again = try await home.lanyard("recovery-key", "create", "--keychain=work")
        #expect(
            again.errorText.hasSuffix(
                "lanyard: hint: lanyard recovery-key create --replace --keychain work\n"),
            "\(again)")
        let file = try home.write("pw", to: "passphrase")
        let set = try await home.lanyard(
            "passphrase", "set", "--yes", "--keychain", "work", "--new-passphrase-file", file)
        #expect(set.status == 0, "\(set)")
        try await home.shell("cp \"$LANYARD_HOME/data/work.keychain\" \"$HOME/backup\"")
        let changed = try await home.lanyardUnlocked(
            "passphrase", "change", "--yes", "--keychain", "work", "--new-passphrase-file", file)
        #expect(changed.status == 0, "\(changed)")
        try await home.shell("cp \"$HOME/backup\" \"$LANYARD_HOME/data/work.keychain\"")
        let older = try await home.lanyard("get", "x", "--keychain", "work")
        #expect(older.errorText.hasSuffix("lanyard keychain accept-restore work\n"), "\(older)")
    }
    /// Without the option, commands for sealed keychains take the first one of the search list.
    @Test func hintsNameLoginIfAnotherOneIsFirst() async throws {
        try await home.succeeds("lanyard", "keychain", "create", "work")
        try await home.succeeds("lanyard", "keychain", "search-list", "work", "login")
        let status = try await home.lanyard("status", "--keychain", "login")
        #expect(
            status.outputText.contains("fix: lanyard recovery-key create --keychain login\n"),
            "\(status)")
        let work = try await home.lanyard("status", "--keychain", "work")
        #expect(work.outputText.contains("fix: lanyard recovery-key create\n"), "\(work)")

        try await home.shell("cp \"$1\" \"$HOME/backup\"", home.keychain)
        let file = try home.write("pw", to: "passphrase")
        let set = try await home.lanyard(
            "passphrase", "set", "--yes", "--keychain", "login", "--new-passphrase-file", file)
        #expect(set.status == 0, "\(set)")
        expectLocked(try await home.lanyard("get", "x"), hint: "lanyard unlock --keychain login")

        try await home.shell("cp \"$HOME/backup\" \"$1\"", home.keychain)
        let older = try await home.lanyard("get", "x")
        #expect(older.errorText.hasSuffix(": lanyard keychain accept-restore login\n"), "\(older)")
        expectAnswer(
            try await home.lanyard("keychain", "accept-restore"),
            "the keychain 'work' was accepted as it is\n")
    }
}
