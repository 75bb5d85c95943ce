import Foundation
import Testing
@testable import EndToEndRig

/// `lanyard restore`: a copy back in its place.
@Suite(.timeLimit(.minutes(10)))
struct RestoreTests {
    let home: ScratchHome
    private let copy: String

    init() async throws {
        home = try ScratchHome()
        copy = "\(home.path)/login-2026-11-23.keychain"
        try await home.set("x", secret: "old")
    }

    private func backUp() async throws {
        expectBackup(try await home.lanyard("backup", copy))
        try await home.set("x", secret: "new")
    }

    /// The folders that earlier keychains were moved to.
    private func folders() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: home.data).filter {
            $0.hasPrefix("before-")
        }.map { "\(home.data)/\($0)" }
    }

    @Test func aDatedCopyInThePlaceOfTheKeychain() async throws {
        try await backUp()
        // As from a memory stick, which knows no modes.
        try await home.shell("chmod 755 \"$1\"", copy)
        let refused = try await home.lanyard("restore", copy)
        #expect(refused.status == 36, "\(refused)")
        #expect(refused.errorText.contains("lanyard: hint: add --yes to go ahead"))
        expectAnswer(try await home.lanyard("get", "x"), "new\n")
        #expect(try folders().isEmpty)

        let done = try await home.lanyard("restore", "--yes", copy)
        #expect(done.status == 0, "\(done)")
        #expect(done.outputText == "1 item, no damage found\n")
        let folder = try #require(try folders().first)
        #expect(
            done.errorText == "lanyard: the previous keychain is now in '\(folder)'\n",
            "\(done)")
        expectAnswer(try await home.lanyard("get", "x"), "old\n")
        // The one that was there can be put back in the same way.
        let back = try await home.lanyard("restore", "--yes", "\(folder)/login.keychain")
        #expect(back.status == 0, "\(back)")
        expectAnswer(try await home.lanyard("get", "x"), "new\n")
        #expect(try folders().count == 2)
    }

    @Test(.needs(.python)) func asksBeforeItReplaces() async throws {
        try await backUp()
        try await home.set("y", secret: "s")
        let terminal = Dialogue(
            home: home, variables: ["PATH": try await home.pathWith(), "TERM": "xterm"])
        let question =
            "replace the keychain 'login' of 2 items with this copy of it of 1 item? [y/N] "
        let no = try await terminal.run(
            "lanyard restore \"$1\"", copy, steps: [.sees(question), .types("\n")])
        no.expect(status: 128)
        expectAnswer(try await home.lanyard("get", "x"), "new\n")
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: home.data) == ["login.keychain"])
        let yes = try await terminal.run(
            "lanyard restore \"$1\"", copy, steps: [.sees(question), .types("y\n")])
        yes.expect(status: 0)
        expectAnswer(try await home.lanyard("get", "x"), "old\n")
    }

    /// A damaged keychain does not tell that the copy is one of it.
    @Test(.needs(.python)) func aCopyOfADamagedKeychain() async throws {
        try await backUp()
        try Data("garbage".utf8).write(to: URL(filePath: home.keychain))
        let git = try await home.command(
            "git-credential-lanyard", ["get"],
            input: Array("protocol=https\nhost=a.example\n\n".utf8)
        ).run()
        #expect(
            git.errorText.hasSuffix(
                "lanyard: hint: restore it from a backup: lanyard restore FILE; "
                    + "or forget it: lanyard keychain delete login\n"), "\(git)")
        let terminal = Dialogue(
            home: home, variables: ["PATH": try await home.pathWith(), "TERM": "xterm"])
        let restored = try await terminal.run(
            "stty cols 250; lanyard restore \"$1\"", copy,
            steps: [
                .sees(
                    "replace the keychain 'login', which can't be read, with this copy of 1 item? [y/N] "
                ), .types("y\n"),
            ])
        restored.expect(status: 0)
        expectAnswer(try await home.lanyard("get", "x"), "old\n")
    }

    /// The passphrase was changed after the copy was made: the copy is an older one, which is meant.
    @Test func anOlderPassphrase() async throws {
        try await home.setPassphrase("the first one")
        expectBackup(try await home.lanyard("backup", copy))
        let file = try home.write("the second one\n", to: "second")
        expectAnswer(
            try await home.lanyardUnlocked("passphrase", "change", "--new-passphrase-file", file),
            "")
        let done = try await home.lanyardUnlocked("restore", "--yes", copy)
        #expect(done.status == 0, "\(done)")
        expectAnswer(try await home.lanyardUnlocked("get", "x"), "old\n")
    }

    /// On another machine, whose own keychain stays until the copy's key is there.
    @Test func elsewhere() async throws {
        try await home.setPassphrase()
        let key = try await home.lanyardUnlocked("recovery-key", "create").outputText
        expectAnswer(try await home.lanyard("backup", copy), "")
        let other = try ScratchHome()
        try await other.set("own", secret: "s")
        let locked = try await other.lanyard("restore", "--yes", copy)
        #expect(locked.status == 36, "\(locked)")
        #expect(
            locked.errorText == """
                lanyard: error: the keychain '\(copy)' is locked, and lanyard can't prompt here
                lanyard: hint: set LANYARD_PASSPHRASE_FILE to a file with the passphrase or the recovery key

                """, "\(locked)")
        _ = try other.write("nonsense", to: "passphrase")
        let wrong = try await other.lanyardUnlocked("restore", "--yes", copy)
        #expect(wrong.status == 51, "\(wrong)")
        expectAnswer(try await other.lanyard("get", "own"), "s\n")
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: other.data) == ["login.keychain"])

        _ = try other.write(key, to: "passphrase")
        let done = try await other.lanyardUnlocked("restore", "--yes", copy)
        #expect(done.status == 0, "\(done)")
        #expect(done.outputText == "1 item, no damage found\n", "\(done)")
        #expect(done.errorText.contains("lanyard passphrase change sets one here"), "\(done)")
        expectAnswer(try await other.lanyardUnlocked("get", "x"), "old\n")
    }

    /// Without a recovery key only the first machine opens it.
    @Test func aCopyThatNothingOpensElsewhere() async throws {
        expectBackup(try await home.lanyard("backup", copy))
        let other = try ScratchHome()
        try await other.set("own", secret: "s")
        let refused = try await other.lanyard("restore", "--yes", copy)
        #expect(refused.status == 51, "\(refused)")
        #expect(
            refused.errorText == """
                lanyard: error: can't restore '\(copy)': the keychain was sealed under another machine key
                lanyard: hint: restore the machine key that belongs to this keychain

                """, "\(refused)")
        expectAnswer(try await other.lanyard("get", "own"), "s\n")
    }

    /// A user who types no key gets the keychain back as it was.
    @Test(.needs(.python)) func canceledElsewhere() async throws {
        _ = try await home.lanyard("recovery-key", "create")
        expectAnswer(try await home.lanyard("backup", copy), "")
        let other = try ScratchHome()
        try await other.set("own", secret: "s")
        let terminal = Dialogue(
            home: other,
            variables: ["PATH": try await other.pathWith(), "TERM": "xterm"])
        // The path alone is wider than a line.
        let question = "recovery key of the keychain '\(copy)': "
        let canceled = try await terminal.run(
            "stty cols 250; lanyard restore --yes \"$1\"", copy,
            steps: [.asked(question), .types("\u{3}")])
        canceled.expect(status: 128)
        expectAnswer(try await other.lanyard("get", "own"), "s\n")
    }

    /// A copy that a user put there by hand, on a machine that has used another one.
    @Test func acceptedElsewhere() async throws {
        let key = try await home.lanyard("recovery-key", "create").outputText
        let other = try ScratchHome()
        try await other.set("own", secret: "s")
        try await other.shell("cp \"$1\" \"$2\"", home.keychain, other.keychain)
        let locked = try await other.lanyard("keychain", "accept-restore")
        expectLocked(
            locked,
            hint: "set LANYARD_PASSPHRASE_FILE to a file with the passphrase or the recovery key")
        _ = try other.write(key, to: "passphrase")
        expectAnswer(
            try await other.lanyardUnlocked("keychain", "accept-restore"),
            "the keychain 'login' was accepted as it is\n")
        expectAnswer(try await other.lanyard("get", "x"), "old\n")
    }

    /// The copy says which keychain it is of; another one is replaced only where it is named.
    @Test func ofWhichKeychain() async throws {
        try await home.succeeds("lanyard", "keychain", "create", "work")
        try await home.set("y", "--keychain", "work", secret: "old")
        expectBackup(try await home.lanyard("backup", "--keychain", "work", copy))
        try await home.set("y", "--keychain", "work", secret: "new")
        #expect(try await home.lanyard("restore", "--yes", copy).status == 0)
        expectAnswer(try await home.lanyard("get", "y", "--keychain", "work"), "old\n")
        expectAnswer(try await home.lanyard("get", "x"), "old\n")
        let third = try await home.lanyard("restore", copy, "--keychain", "third")
        #expect(third.status == 0, "\(third)")
        expectAnswer(try await home.lanyard("get", "y", "--keychain", "third"), "old\n")
    }

    @Test(.needs(.sqlite)) func aDamagedKeychainIsReplaced() async throws {
        try await backUp()
        for garbage in ["garbage", ""] {
            try Data(garbage.utf8).write(to: URL(filePath: home.keychain))
            let done = try await home.lanyard("restore", "--yes", copy)
            #expect(done.status == 0, "\(done)")
            expectAnswer(try await home.lanyard("get", "x"), "old\n")
        }
        try await home.shell("rm \"$1\"", home.keychain)
        #expect(try await home.lanyard("restore", copy).status == 0)
        expectAnswer(try await home.lanyard("get", "x"), "old\n")
    }

    @Test func whatIsNoCopy() async throws {
        try await backUp()
        let text = try home.write("text", to: "text")
        let before = try Snapshot(home.lanyard)
        for (file, status) in [
            (text, 49), ("\(home.path)/nothing", 44), (home.path, 64), (home.keychain, 64),
            ("/dev/null", 64),
        ] as [(String, Int32)] {
            let outcome = try await home.lanyard("restore", "--yes", file)
            #expect(outcome.status == status, "\(outcome)")
            if file == text {
                #expect(
                    outcome.errorText == """
                        lanyard: error: '\(text)' is not a keychain or is damaged
                        lanyard: hint: name a copy that lanyard backup made

                        """, "\(outcome)")
            }
        }
        #expect(try Snapshot(home.lanyard).contentDifferences(from: before) == [])
    }
}
