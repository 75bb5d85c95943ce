import Foundation
import Testing
@testable import EndToEndRig

/// `lanyard passphrase` and `lanyard recovery-key` with a user at the terminal.
@Suite(.needs(.python, .keyrings), .timeLimit(.minutes(10)))
struct NewPassphrasePromptTests {
    private static let new = "new passphrase for the keychain 'login': "
    private static let again = "new passphrase again: "
    private static let offer = "create one now? [Y/n] "
    private static let old = "passphrase for the keychain 'login': "

    let home: ScratchHome
    let terminal: Dialogue

    init() async throws {
        home = try ScratchHome()
        try await home.set("x", secret: "the secret")
        terminal = Dialogue(
            home: home,
            variables: [
                // No line is broken.
                "PATH": try await home.pathWith(), "TERM": "xterm", "COLUMNS": "1000",
            ])
    }

    private func get(with passphrase: String) async throws -> Outcome {
        _ = try home.write(passphrase, to: "passphrase")
        return try await home.lanyardUnlocked("get", "x")
    }

    @Test func setIsTypedTwice() async throws {
        try await home.forgettingKeys {
            let session = try await terminal.run(
                "lanyard passphrase set",
                steps: [
                    .asked(NewPassphrasePromptTests.new), .types("ä new one\n"),
                    .asked(NewPassphrasePromptTests.again), .types("ä new one\n"),
                    .sees(NewPassphrasePromptTests.offer), .types("n\n"),
                ])
            session.expect(status: 0)
            #expect(
                session.shown == """
                    the passphrase needs at least 8 characters\r
                    \(NewPassphrasePromptTests.new)\r
                    \(NewPassphrasePromptTests.again)\r
                    lanyard: if you forget the passphrase or lose this machine, only a recovery key opens \
                    the keychain\r
                    create one now? [Y/n] n\r
                    lanyard: hint: lanyard recovery-key create creates a recovery key later\r
                    lanyard: the keychain 'login' is unlocked and locks in 8 h\r

                    """, "\(session)")
            #expect(try await home.lockState() == "unlocked")
            expectAnswer(try await home.lanyard("get", "x"), "the secret\n")
            try await home.forgetKeys()
            expectLocked(try await home.lanyard("get", "x"))
            expectAnswer(try await get(with: "ä new one"), "the secret\n")
        }
    }

    /// The recovery key that is offered opens the keychain where the passphrase does not.
    @Test(arguments: [false, true]) func theRecoveryKeyIsOffered(isPortable: Bool) async throws {
        try await home.forgettingKeys {
            let session = try await terminal.run(
                "lanyard passphrase set \(isPortable ? "--portable" : "")",
                steps: [
                    .asked(NewPassphrasePromptTests.new), .types("a passphrase\n"),
                    .asked(NewPassphrasePromptTests.again), .types("a passphrase\n"),
                    .sees(NewPassphrasePromptTests.offer), .types("\n"),
                ])
            session.expect(status: 0)
            #expect(session.shown.contains("write this recovery key down"), "\(session)")
            let key = try #require(session.shown.firstMatch(of: /[0-9A-Z]{4}(-[0-9A-Z]{4}){8}/)?.0)
            #expect(try await home.lockState() == "unlocked")
            try await home.forgetKeys()
            try await home.shell("rm -r \"$LANYARD_HOME/state\"")
            let guess = try await get(with: "a passphrase")
            #expect(guess.status == (isPortable ? 0 : 51), "\(guess)")
            expectAnswer(try await get(with: String(key)), "the secret\n")
        }
    }

    /// It is asked about before the user types a passphrase, which is then asked for once.
    @Test func theRecoveryKeyIsReplaced() async throws {
        let old = try await home.lanyard("recovery-key", "create").outputText
            .trimmingCharacters(in: .whitespacesAndNewlines)
        let question = "the recovery key stops working: continue? [y/N] "
        let declined = try await terminal.run(
            "lanyard passphrase set",
            steps: [
                .asked(question), .types("correct horse\n"), .asked(question), .types("n\n"),
            ])
        declined.expect(status: 128)
        #expect(!declined.shown.contains("horse"), "\(declined)")
        #expect(
            declined.shown.contains("error: answer y or n; the new passphrase comes next\r\n"),
            "\(declined)")
        #expect(!declined.shown.contains(NewPassphrasePromptTests.new), "\(declined)")
        #expect(try await home.lockState() == "no-passphrase")
        try await home.forgettingKeys {
            let session = try await terminal.run(
                "lanyard passphrase set",
                steps: [
                    .asked(question), .types("y\n"),
                    .asked(NewPassphrasePromptTests.new), .types("a passphrase\n"),
                    .asked(NewPassphrasePromptTests.again), .types("a passphrase\n"),
                ])
            session.expect(status: 0)
            #expect(
                session.shown.hasPrefix("lanyard: this replaces the recovery key: "), "\(session)")
            #expect(!session.shown.contains(NewPassphrasePromptTests.offer), "\(session)")
            let key = try #require(session.shown.firstMatch(of: /[0-9A-Z]{4}(-[0-9A-Z]{4}){8}/)?.0)
            try await home.forgetKeys()
            #expect(try await get(with: old).status == 51)
            expectAnswer(try await get(with: String(key)), "the secret\n")
            expectAnswer(try await get(with: "a passphrase"), "the secret\n")
        }
    }

    /// The same for another passphrase with new keys.
    @Test func aChangeIsAskedAboutFirst() async throws {
        try await home.setPassphrase("one")
        #expect(try await home.lanyardUnlocked("recovery-key", "create").status == 0)
        _ = try home.write("one", to: "passphrase")
        try await home.forgettingKeys {
            let session = try await terminal.run(
                "lanyard passphrase change --rekey",
                steps: [
                    .asked(NewPassphrasePromptTests.old), .types("one\n"),
                    .asked("the recovery key stops working: continue? [y/N] "), .types("y\n"),
                    .asked(NewPassphrasePromptTests.new), .types("number two\n"),
                    .asked(NewPassphrasePromptTests.again), .types("number two\n"),
                ])
            session.expect(status: 0)
            #expect(session.shown.ranges(of: "continue?").count == 1, "\(session)")
            try await home.forgetKeys()
            expectAnswer(try await get(with: "number two"), "the secret\n")
        }
    }

    /// One that is easy to guess is no protection: refused, unless the user insists.
    @Test func aShortOneIsRefused() async throws {
        let session = try await terminal.run(
            "lanyard passphrase set",
            steps: (1...3).flatMap { _ -> [Dialogue.Step] in
                // Seven characters, of more bytes.
                [.asked(NewPassphrasePromptTests.new), .types("kürzere\n")]
            })
        session.expect(status: 64)
        let short = "the new passphrase has fewer than 8 characters"
        #expect(session.shown.contains("lanyard: error: \(short)\r\n"), "\(session)")
        #expect(
            session.shown.hasSuffix(
                "lanyard: error: \(short): nothing was changed\r\nlanyard: hint: --yes accepts a short "
                    + "one, which is easy to guess\r\n"), "\(session)")
        #expect(try await home.lockState() == "no-passphrase")
        let file = try home.write("kürzere\n", to: "new")
        for command in ["set", "change"] {
            let refused = try await home.lanyardUnlocked(
                "passphrase", command, "--new-passphrase-file", file, passphraseFile: "new")
            #expect(refused.status == 64, "\(refused)")
            #expect(refused.errorText.contains("lanyard: error: \(short)\n"), "\(refused)")
            let done = try await home.lanyardUnlocked(
                "passphrase", command, "--yes", "--new-passphrase-file", file, passphraseFile: "new"
            )
            expectAnswer(done, "")
        }
    }

    @Test func typedOnceMoreWhereTheTwoDiffer() async throws {
        let session = try await terminal.run(
            "lanyard passphrase set",
            steps: [
                .asked(NewPassphrasePromptTests.new), .types("number one\n"),
                .asked(NewPassphrasePromptTests.again), .types("number two\n"),
                .asked(NewPassphrasePromptTests.new), .types("number three\n"),
                .asked(NewPassphrasePromptTests.again), .types("number three\n"),
                .sees(NewPassphrasePromptTests.offer), .types("n\n"),
            ])
        session.expect(status: 0)
        #expect(
            session.shown.contains("lanyard: error: the passphrases don't match\r\n"), "\(session)")
        try await home.forgetKeys()
        expectAnswer(try await get(with: "number three"), "the secret\n")
    }

    @Test(arguments: [
        (["two\n", "\n", "on\n"], 64, "the passphrases don't match: nothing was changed"),
        (["\u{3}"], 128, "cancelled: nothing was changed"),
        (["two\n", "\u{3}"], 128, "cancelled: nothing was changed"),
    ])
    func nothingIsChanged(seconds: [String], status: Int32, message: String) async throws {
        let before = try Snapshot(home.lanyard)
        let session = try await terminal.run(
            "lanyard passphrase set",
            steps: seconds.flatMap { second in
                [
                    .asked(NewPassphrasePromptTests.new), .types("number one\n"),
                    .asked(NewPassphrasePromptTests.again), .types(second),
                ]
            })
        session.expect(status: status)
        #expect(session.shown.contains("lanyard: error: \(message)"), "\(session)")
        #expect(try Snapshot(home.lanyard).differences(from: before) == [])
        #expect(try await home.lockState() == "no-passphrase")
    }

    /// A cancelled question is no answer: a recovery key that opens less would be a surprise.
    @Test(arguments: [["--replace"], []]) func noRecoveryKeyIsMade(_ options: [String]) async throws
    {
        try await home.setPassphrase("one")
        expectAnswer(
            try await home.lanyardUnlocked("set", "asks", "--stdin", "--ask", input: "s"), "")
        try await home.forgettingKeys {
            try await home.unlock()
            if !options.isEmpty {
                let forgotten = try await home.command(
                    "lanyard", ["recovery-key", "create"], variables: ["LANYARD_NO_PROMPT": "1"]
                ).run()
                #expect(forgotten.status == 0, "\(forgotten)")
                #expect(
                    forgotten.errorText.contains("does not open the items that ask"),
                    "\(forgotten)")
            }
            let before = try Snapshot(home.data)
            for keys in ["\u{3}", "\u{4}"] {
                let session = try await terminal.run(
                    (["lanyard recovery-key create"] + options).joined(separator: " "),
                    steps: [.asked(NewPassphrasePromptTests.old), .types(keys)])
                session.expect(status: 128)
                #expect(
                    session.shown.contains("lanyard: error: cancelled: nothing was changed\r\n"),
                    "\(session)")
                #expect(session.shown.contains("hint: if you forgot the passphrase, LANYARD_NO"))
                #expect(session.shown.firstMatch(of: /[0-9A-Z]{4}(-[0-9A-Z]{4}){8}/) == nil)
                #expect(try Snapshot(home.data).differences(from: before) == [])
            }
        }
    }

    /// An empty one is refused before it is typed again.
    @Test func anEmptyOneIsRefused() async throws {
        let before = try Snapshot(home.lanyard)
        let session = try await terminal.run(
            "lanyard passphrase set",
            steps: [.asked(NewPassphrasePromptTests.new), .types("\n")])
        #expect(session.status != 0, "\(session)")
        #expect(session.shown.contains("lanyard: error: "), "\(session)")
        #expect(try Snapshot(home.lanyard).differences(from: before) == [])
    }

    @Test(arguments: [false, true]) func change(isUnlocked: Bool) async throws {
        try await home.setPassphrase("one")
        try await home.forgettingKeys {
            if isUnlocked {
                try await home.unlock()
            }
            let session = try await terminal.run(
                "lanyard passphrase change",
                steps: [
                    .asked(NewPassphrasePromptTests.old), .types("nonsense\n"),
                    .asked(NewPassphrasePromptTests.old), .types("one\n"),
                    .asked(NewPassphrasePromptTests.new), .types("number two\n"),
                    .asked(NewPassphrasePromptTests.again), .types("number two\n"),
                ])
            session.expect(status: 0)
            expectAnswer(try await home.lanyard("get", "x"), "the secret\n")
            try await home.forgetKeys()
            #expect(try await get(with: "one").status == 51)
            expectAnswer(try await get(with: "number two"), "the secret\n")
        }
    }

    /// The question names what is lost, and the answer does not repeat it.
    @Test func removalNamesWhatIsLost() async throws {
        try await home.setPassphrase("one")
        let stored = try await home.lanyardUnlocked(
            "set", "only", "--stdin", "--accessible", "akpu", input: "s")
        expectAnswer(stored, "")
        try await home.forgettingKeys {
            let question = "this deletes 1 item that needs a passphrase ('only'): continue? [y/N] "
            let session = try await terminal.run(
                "lanyard passphrase remove",
                steps: [
                    .asked(NewPassphrasePromptTests.old), .types("one\n"),
                    .sees(question), .types("y\n"),
                ])
            session.expect(status: 0)
            #expect(session.shown.ranges(of: "this deletes").count == 1, "\(session)")
        }
    }

    @Test func changeIsCancelled() async throws {
        try await home.setPassphrase("one")
        try await home.forgettingKeys {
            let before = try Snapshot(home.data)
            let session = try await terminal.run(
                "lanyard passphrase change",
                steps: [
                    .asked(NewPassphrasePromptTests.old), .types("one\n"),
                    .asked(NewPassphrasePromptTests.new), .types("two\u{3}"),
                ])
            session.expect(status: 128)
            #expect(try Snapshot(home.data).differences(from: before) == [])
            expectLocked(try await home.lanyard("get", "x"))
            expectAnswer(try await get(with: "one"), "the secret\n")
        }
    }

    @Test(arguments: [false, true]) func theRecoveryKeyIsTyped(isLower: Bool) async throws {
        try await home.setPassphrase("one")
        let key = try await home.lanyardUnlocked("recovery-key", "create").outputText
            .trimmingCharacters(in: .whitespacesAndNewlines)
        let prompt = "recovery key of the keychain 'login': "
        try await home.forgettingKeys {
            let session = try await terminal.run(
                "lanyard unlock --recovery-key",
                steps: [
                    .asked(prompt), .types("000G-40R4-0M30-E209-185G-R38E-1W81-24GK-CVAS\n"),
                    .asked(prompt), .types("\(isLower ? key.lowercased() : key)\n"),
                ])
            session.expect(status: 0)
            #expect(!session.shown.contains(key), "\(session)")
            expectAnswer(try await home.lanyard("get", "x"), "the secret\n")
        }
    }
}
