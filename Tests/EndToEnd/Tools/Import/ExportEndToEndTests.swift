import Foundation
import Testing
@testable import EndToEndRig

/// `lanyard export`.
@Suite(.timeLimit(.minutes(10)))
struct ExportEndToEndTests {
    let home: ScratchHome
    private let file: String
    private let passphrase: String

    init() async throws {
        home = try ScratchHome()
        try await home.set("x", secret: "the secret")
        try await home.set("https://example.com", "ada", secret: "ada's secret")
        file = "\(home.path)/out/export"
        try FileManager.default.createDirectory(
            atPath: "\(home.path)/out", withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700])
        passphrase = try home.write("of the export\n", to: "export-passphrase")
    }

    /// The names in the folder of the export.
    private func files() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "\(home.path)/out")
    }

    private func export(_ options: String...) async throws -> Outcome { try await export(options) }

    private func export(_ options: [String]) async throws -> Outcome {
        try await home.command(
            "lanyard", ["export", file, "--passphrase-file", passphrase] + options
        ).run()
    }

    @Test func anEncryptedFileOfItsOwner() async throws {
        expectAnswer(try await export(), "2 exported\n")
        #expect(try files() == ["export"])
        let attributes = try FileManager.default.attributesOfItem(atPath: file)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        let bytes = Data(try home.read(file))
        #expect(bytes.starts(with: Data("lanyard export".utf8)))
        for text in ["secret", "ada", "example", "items"] {
            #expect(bytes.firstRange(of: Data(text.utf8)) == nil)
        }
    }

    /// Killed when all of it is written.
    @Test(.needs(.tracing), arguments: [[], ["--replace"]])
    func nothingIsLeftOfAKilledExport(_ options: [String]) async throws {
        let outcome = try await home.command(
            "strace",
            [
                "-f", "-qq", "-o", "\(home.path)/trace", "-e", "inject=fsync:signal=KILL",
                "lanyard", "export", file, "--plain-text", "--yes",
            ] + options
        ).run()
        #expect(outcome.status != 0, "\(outcome)")
        #expect(try files() == [])
        expectAnswer(try await export(options), "2 exported\n")
        #expect(try files() == ["export"])
    }

    @Test func nothingButAnExportIsReplaced() async throws {
        expectAnswer(try await export(), "2 exported\n")
        let before = try home.read(file)
        let refused = try await export()
        #expect(refused.status == 48 && refused.output.isEmpty, "\(refused)")
        #expect(refused.errorText.contains("lanyard: hint: --replace"), "\(refused)")
        #expect(try home.read(file) == before)
        expectAnswer(try await export("--replace"), "2 exported\n")
        #expect(try home.read(file) != before)
        let plain = try await home.lanyard("export", file, "--plain-text", "--replace")
        #expect(plain.status == 0, "\(plain)")
        expectAnswer(try await export("--replace"), "2 exported\n")

        try Data("mine".utf8).write(to: URL(filePath: file))
        let unlike = try await export()
        #expect(unlike.status == 48 && !unlike.errorText.contains("--replace"), "\(unlike)")
        let other = try await export("--replace")
        #expect(other.status == 64, "\(other)")
        #expect(try home.read(file) == Array("mine".utf8))
        let keychain = try await home.lanyard(
            "export", home.keychain, "--replace", "--passphrase-file", passphrase)
        #expect(keychain.status == 64, "\(keychain)")
        let link = "\(home.path)/out/link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file)
        let linked = try await home.lanyard(
            "export", link, "--replace", "--passphrase-file", passphrase)
        #expect(linked.status == 64, "\(linked)")
        #expect(try files().sorted() == ["export", "link"])
    }

    @Test func plainTextIsWarnedOf() async throws {
        let outcome = try await home.lanyard("export", file, "--plain-text")
        #expect(outcome.status == 0, "\(outcome)")
        #expect(
            outcome.errorText
                == "lanyard: warning: anyone who can read the export can read every secret in it\n")
        let document = try JSONText(try home.read(file))
        #expect(document.members["format"] == "lanyard-export")
        #expect(document.members["version"] == 1)
        let items = document.members["items"]?.elements ?? []
        #expect(
            items.map { $0.members["secret"] } == ["ada's secret", "the secret"], "\(items)")
        #expect(
            items.map { $0.members["class"] } == ["internet-password", "generic-password"])
        let attributes = items.first?.members["attributes"]?.members ?? [:]
        #expect(attributes["server"] == "example.com" && attributes["protocol"] == "htps")
        #expect(attributes["accessible"] == "ak" && attributes["creationDate"] != nil)
    }

    @Test func standardOutput() async throws {
        let plain = try await home.lanyard("export", "-", "--plain-text", "--yes")
        #expect(plain.status == 0, "\(plain)")
        #expect(try JSONText(plain.output).members["items"]?.elements.count == 2)
        let sealed = try await home.lanyard("export", "-", "--passphrase-file", passphrase)
        #expect(sealed.status == 0 && sealed.errorText == "")
        #expect(sealed.output.starts(with: Array("lanyard export".utf8)))
        let group = try await home.lanyard("export", "-", "--plain-text", "--group", "git")
        #expect(try JSONText(group.output).members["items"] == [])
    }

    @Test func whatStaysOnThisMachineIsNamed() async throws {
        try await home.set("here", "--accessible", "aku", secret: "stays")
        try await home.set("here too", "--accessible", "dku", secret: "stays")
        let outcome = try await home.lanyard("export", file, "--plain-text", "--yes")
        #expect(outcome.status == 0 && outcome.outputText == "2 exported\n", "\(outcome)")
        #expect(
            outcome.errorText.hasSuffix(
                "lanyard: warning: 2 items were left out: bound to this machine: 'here too', 'here'\n"
            ),
            "\(outcome)")
        #expect(Data(try home.read(file)).firstRange(of: Data("stays".utf8)) == nil)
    }

    @Test func whatAnotherKeychainHidesIsCounted() async throws {
        try await home.succeeds("lanyard", "keychain", "create", "work")
        try await home.set("x", "--keychain", "work", secret: "hidden")
        try await home.set("y", "--keychain", "work", secret: "seen")
        try await home.succeeds("lanyard", "keychain", "search-list", "login", "work")
        let outcome = try await home.lanyard("export", file, "--plain-text", "--yes")
        #expect(outcome.status == 0 && outcome.outputText == "3 exported\n", "\(outcome)")
        #expect(outcome.errorText.contains("1 item was left out: a keychain earlier"), "\(outcome)")
        let text = String(decoding: try home.read(file), as: UTF8.self)
        #expect(text.contains("the secret") && text.contains("seen") && !text.contains("hidden"))
    }

    @Test func aLockedKeychainLeavesNothing() async throws {
        try await home.setPassphrase()
        let outcome = try await export()
        expectLocked(outcome)
        #expect(try files().isEmpty)
        let given = try await home.lanyardUnlocked(
            "export", file, "--passphrase-file", passphrase)
        expectAnswer(given, "2 exported\n")
    }

    @Test(
        arguments: [
            (["--plain-text", "--passphrase-file", "x"], 64),
            (["--passphrase-file", "/dev/null"], 51),
            ([], 36), (["--keychain", "none", "--plain-text"], 50),
        ] as [([String], Int32)])
    func refused(options: [String], status: Int32) async throws {
        let outcome = try await home.command("lanyard", ["export", file] + options).run()
        #expect(outcome.status == status && outcome.output.isEmpty, "\(outcome)")
        #expect(outcome.errorText.contains("lanyard: error: "), "\(outcome)")
        #expect(try files().isEmpty)
    }
}

/// `lanyard export` with a user at the terminal.
@Suite(.needs(.python), .timeLimit(.minutes(10)))
struct ExportPromptTests {
    private static let first = "passphrase for the export: "
    private static let again = "passphrase again: "

    let home: ScratchHome
    let terminal: Dialogue

    init() async throws {
        home = try ScratchHome()
        try await home.set("x", secret: "the secret")
        terminal = Dialogue(home: home)
    }

    private func isThere(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: "\(home.path)/home/\(name)")
    }

    @Test func thePassphraseIsTypedTwice() async throws {
        let session = try await terminal.run(
            "cd && lanyard export e",
            steps: [
                .asked(ExportPromptTests.first), .types("one\n"),
                .asked(ExportPromptTests.again), .types("two\n"),
                .asked(ExportPromptTests.first), .types("three\n"),
                .asked(ExportPromptTests.again), .types("three\n"),
            ])
        session.expect(status: 0)
        #expect(session.shown.hasSuffix("1 exported\r\n"), "\(session)")
        #expect(session.shown.contains("the passphrases don't match"), "\(session)")
        #expect(isThere("e"))
    }

    @Test(arguments: [["\n"], ["\u{3}"], ["one\n", "\u{3}"]])
    func nothingIsExported(typed: [String]) async throws {
        let prompts = [ExportPromptTests.first, ExportPromptTests.again]
        let steps = zip(prompts, typed).flatMap { [Dialogue.Step.asked($0), .types($1)] }
        let session = try await terminal.run(
            "cd && lanyard export e", arguments: [], steps: steps)
        session.expect(status: typed == ["\n"] ? 64 : 128)
        #expect(!isThere("e"))
    }

    @Test func plainTextIsAskedFor() async throws {
        let question = "continue? [y/N] "
        let no = try await terminal.run(
            "cd && lanyard export e --plain-text", steps: [.sees(question), .types("n\n")])
        no.expect(status: 128)
        #expect(!isThere("e"))
        let yes = try await terminal.run(
            "cd && lanyard export e --plain-text", steps: [.sees(question), .types("y\n")])
        yes.expect(status: 0)
        #expect(isThere("e"))
    }

    @Test func nothingUnreadableGoesToATerminal() async throws {
        let session = try await terminal.run("lanyard export -")
        session.expect(status: 64)
        #expect(session.shown.contains("can't be shown at a terminal"), "\(session)")
    }
}
