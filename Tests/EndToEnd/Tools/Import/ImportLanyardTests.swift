import Foundation
import Testing
@testable import EndToEndRig

/// `lanyard import lanyard`: what `lanyard export` has written comes back.
@Suite(.timeLimit(.minutes(10)))
struct ImportLanyardTests {
    private let source: ScratchHome
    private let target: ScratchHome
    private let file: String
    private let passphrase: String

    init() async throws {
        source = try ScratchHome()
        target = try ScratchHome()
        file = "\(source.path)/export"
        passphrase = try source.write("of the export\n", to: "export-passphrase")
        try await source.set("x", secret: "the secret")
        try await source.set("x", "ada", "--synchronizable", "--label", "Ä", secret: "ada's")
        try await source.set(
            "https://example.com:8443/a%FF", "ada", "--accessible", "ck", "--creator", "abc",
            "--security-domain", "r", "--authentication-type", "dflt", "--invisible", "--negative",
            secret: "line 1\nline 2\u{0}")
        try await source.set("empty", "--allow-empty", secret: "")
        try await source.store(
            """
            protocol=https
            host=git.example.com
            username=ada
            password=p
            oauth_refresh_token=r

            """)
    }

    private func importing(
        _ file: String, _ options: String..., in home: ScratchHome? = nil
    ) async throws -> Outcome {
        try await (home ?? target).command(
            "lanyard",
            ["import", "lanyard", file, "--passphrase-file", passphrase] + options
        ).run()
    }

    private func export(_ options: String...) async throws {
        let outcome = try await source.command("lanyard", ["export", file] + options).run()
        try #require(outcome.status == 0, "\(outcome)")
    }

    /// All that a keychain has, as a document has it.
    private func items(_ home: ScratchHome) async throws -> [JSONText] {
        let outcome = try await home.lanyard("export", "-", "--plain-text", "--yes")
        return try JSONText(outcome.output).members["items"]?.elements ?? []
    }

    /// Only the secrets of items that ask stay unknown.
    @Test(.needs(.keyrings)) func aDryRunAsksForNothing() async throws {
        try await source.forgettingKeys {
            try await source.setPassphrase()
            try await source.unlock()
            let file = "\(source.path)/passphrase"
            let stored = try await source.command(
                "lanyard", ["set", "--ask", "--stdin", "asking"], input: Array("s".utf8),
                variables: ["LANYARD_PASSPHRASE_FILE": file]
            ).run()
            #expect(stored.status == 0, "\(stored)")
            let exported = try await source.command(
                "lanyard", ["export", self.file, "--passphrase-file", passphrase],
                variables: ["LANYARD_PASSPHRASE_FILE": file]
            ).run()
            try #require(exported.status == 0, "\(exported)")
            let dry = try await importing(self.file, "--dry-run", in: source)
            expectAnswer(
                dry,
                """
                import    5 unchanged, 1 not compared (it asks at each use)
                dry run   nothing was changed

                """)
        }
    }

    /// Makes what came before older.
    private func waitForTheNextSecond() async throws {
        try await Task.sleep(for: .milliseconds(1100))
    }

    @Test(.needs(.python)) func aWrongPassphraseIsAskedForAgain() async throws {
        try await export("--passphrase-file", passphrase)
        let question = "passphrase of the export: "
        let typed = try await Dialogue(home: target).run(
            "stty cols 250; lanyard import lanyard \"$1\"", file,
            steps: [
                .asked(question), .types("wrong\n"), .asked(question), .types("of the export\n"),
            ])
        typed.expect(status: 0)
        #expect(typed.shown.contains("lanyard: error: wrong passphrase"), "\(typed)")
        #expect(typed.shown.contains("import    5 new\r\n"), "\(typed)")
        let never = try await Dialogue(home: target).run(
            "lanyard import lanyard \"$1\"", file,
            steps: (1...3).flatMap { _ in [.asked(question), .types("wrong\n")] })
        #expect(never.status == 51, "\(never)")
    }

    private func withoutDates(_ item: JSONText) -> JSONText {
        var members = item.members
        members["attributes"] = .object(
            (members["attributes"]?.members ?? [:]).filter { !$0.key.hasSuffix("Date") })
        return .object(members)
    }

    @Test(arguments: [true, false])
    func everythingComesBack(isPlainText: Bool) async throws {
        if isPlainText {
            try await export("--plain-text", "--yes")
        } else {
            try await export("--passphrase-file", passphrase)
        }
        try await waitForTheNextSecond()
        expectAnswer(try await importing(file), "import    5 new\n")
        #expect(try await items(target) == items(source))
        expectAnswer(try await importing(file), "import    5 unchanged\n")
        expectAnswer(
            try await importing(file, in: source), "import    5 unchanged\n")
        try await target.expectGet(
            "protocol=https\nhost=git.example.com\n",
            """
            username=ada
            password=p
            oauth_refresh_token=r

            """)
    }

    @Test func throughAPipe() async throws {
        let outcome = try await source.shell(
            """
            lanyard export - --passphrase-file "$1" |
                LANYARD_HOME=$2 lanyard import lanyard - --passphrase-file "$1"
            """, passphrase, target.lanyard)
        #expect(outcome.outputText == "import    5 new\n", "\(outcome)")
        #expect(try await items(target) == items(source))
    }

    @Test func whatDiffersStays() async throws {
        try await export("--passphrase-file", passphrase)
        try await target.set("x", secret: "another")
        let outcome = try await importing(file)
        #expect(outcome.status == 45, "\(outcome)")
        expectAnswer(try await target.lanyard("get", "x", ""), "another\n")
        let before = try await items(target)
        let again = try await importing(file)
        #expect(again.status == 45, "\(again)")
        #expect(try await items(target) == before)
        try await waitForTheNextSecond()
        let replaced = try await importing(file, "--replace")
        #expect(replaced.status == 0, "\(replaced)")
        let after = Set(try await items(target))
        let originals = Set(try await items(source))
        // The one that was replaced was changed here and now.
        #expect(after.intersection(originals).count == 4)
        #expect(Set(after.map(withoutDates)) == Set(originals.map(withoutDates)))
    }

    /// Of a class that a later version may have.
    @Test func whatCantBeStoredIsNoSuccess() async throws {
        let document = """
            {"format": "lanyard-export", "version": 1, "items": [
            {"class": "generic-password", "attributes": {"service": "a"}, "secret": "one"},
            {"class": "passkey", "attributes": {"service": "b"}, "secret": "two"}]}
            """
        let outcome = try await importing(try target.write(document, to: "document"))
        #expect(outcome.status == 64, "\(outcome)")
        #expect(outcome.outputText == "import    1 new, 1 skipped\n", "\(outcome)")
        #expect(outcome.errorText.contains("item 2 was skipped: "), "\(outcome)")
    }

    @Test func nothingIsTakenOfWhatWasChanged() async throws {
        try await export("--passphrase-file", passphrase)
        let whole = try source.read(file)
        var flipped = whole
        flipped[whole.count - 20] ^= 1
        let changed: [([UInt8], Int32)] = [
            (Array(whole.dropLast()), 93), (whole + [0], 93), (flipped, 93),
            (Array(whole[..<60]), 93), (Array("{\"format\":\"x\"}".utf8), 93), ([], 93),
        ]
        for (bytes, status) in changed {
            try Data(bytes).write(to: URL(filePath: file))
            let outcome = try await importing(file)
            #expect(outcome.status == status && outcome.output.isEmpty, "\(outcome)")
            #expect(outcome.errorText.hasPrefix("lanyard: error: '\(file)'"), "\(outcome)")
        }
        try Data(whole).write(to: URL(filePath: file))
        let other = try source.write("another\n", to: "other-passphrase")
        let wrong = try await target.lanyard("import", "lanyard", file, "--passphrase-file", other)
        #expect(wrong.status == 51, "\(wrong)")
        #expect(wrong.errorText.contains("wrong passphrase"), "\(wrong)")
        let missing = try await importing("\(file).not")
        #expect(missing.status == 44, "\(missing)")
        let list = try await target.lanyard("list")
        #expect(list.output.isEmpty && list.status == 0, "\(list)")
    }

    @Test(.needs(.python)) func thePassphraseIsAskedFor() async throws {
        try await export("--passphrase-file", passphrase)
        let session = try await Dialogue(home: target).run(
            "lanyard import lanyard \"$1\"", file,
            steps: [.asked("passphrase of the export: "), .types("of the export\n")])
        session.expect(status: 0)
        #expect(session.shown.hasSuffix("import    5 new\r\n"), "\(session)")
    }
}
