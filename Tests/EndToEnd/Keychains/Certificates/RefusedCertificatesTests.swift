import Testing
@testable import EndToEndRig

/// Files that can't be imported: one clear line each, and nothing is stored.
@Suite(.needs(.openssl), .timeLimit(.minutes(10)))
struct RefusedCertificatesTests {
    let home: ScratchHome
    let made: MadeCertificates

    init() async throws {
        home = try ScratchHome()
        made = try await MadeCertificates(home)
    }

    private static let nothing = "no certificate and no key found"

    private func expectRefusal(
        _ arguments: [String], _ status: Int32, _ error: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let outcome = try await home.lanyardAlone(arguments)
        #expect(outcome.status == status, "\(outcome)", sourceLocation: sourceLocation)
        #expect(outcome.output.isEmpty, "\(outcome)", sourceLocation: sourceLocation)
        #expect(
            outcome.errorText == "lanyard: error: \(error)\n", sourceLocation: sourceLocation)
        let left = try Snapshot(home.lanyard).entries.keys.sorted()
        #expect(left == [], sourceLocation: sourceLocation)
    }

    @Test(
        arguments: [
            ("empty", 87, nothing), ("text", 87, nothing), ("cut.der", 87, nothing),
            ("cut.p12", 87, "not a PKCS #12 file"), ("ada.csr", 87, nothing),
            ("cut.pem", 93, "invalid PEM text"),
            ("half.pem", 93, "not a certificate"),
        ] as [(String, Int32, String)])
    func damaged(file: String, status: Int32, reason: String) async throws {
        let path = made.path(file)
        let error = "'\(path)' can't be imported: \(reason)"
        try await expectRefusal(["certificate", "import", path], status, error)
        try await expectRefusal(["key", "import", path], status, error)
        // Nor is anything of the file before it.
        try await expectRefusal(
            ["certificate", "import", made.path("bundle.pem"), path], status, error)
    }

    @Test(
        arguments: [
            ("ada.p12", 80, "wrong passphrase"),
            ("encrypted.pem", 51, "wrong passphrase, or the key is damaged"),
            ("encrypted.der", 51, "wrong passphrase, or the key is damaged"),
            ("id_encrypted", 51, "wrong passphrase, or the key is damaged"),
        ] as [(String, Int32, String)])
    func wrongPassword(file: String, status: Int32, reason: String) async throws {
        let path = made.path(file)
        try await expectRefusal(
            ["key", "import", "--passphrase-file", made.path("wrong.password"), path], status,
            "'\(path)' can't be imported: \(reason)")
    }

    @Test func aMissingFileAndAFolder() async throws {
        let path = made.path("missing")
        try await expectRefusal(["key", "import", path], 44, "file '\(path)' not found")
        try await expectRefusal(["key", "import", "."], 64, "'.' is not the path of a file")
    }

    @Test(arguments: ["ada.p12", "encrypted.pem", "id_encrypted"])
    func withoutATerminal(file: String) async throws {
        let path = made.path(file)
        try await expectRefusal(
            ["key", "import", path], 36,
            """
            '\(path)' can't be imported: there is no terminal to prompt at
            lanyard: hint: use --passphrase-file
            """)
    }

    /// A public key without its private one would be half of what was to be stored.
    @Test func nothingOfAPairIsStored() async throws {
        let outcome = try await home.lanyardAlone(
            ["key", "import", "--ask", made.path("id_plain")])
        #expect(outcome.status == 51, "\(outcome)")
        #expect(
            outcome.errorText == """
                lanyard: error: the keychain has no passphrase
                lanyard: hint: lanyard passphrase set, or lanyard presence add

                """, "\(outcome)")
        #expect(try await home.listedNames("key") == [])
    }

    @Test(.needs(.python), arguments: [("ada.p12", "p12"), ("id_encrypted", "ssh")])
    func thePasswordIsTypedOrComesFromADescriptor(file: String, password: String) async throws {
        let path = made.path(file)
        let prompt = "passphrase of '\(path)': "
        // The path is longer than a line.
        let script = "stty cols 250; lanyard key import \"$1\""
        let wrong = try await Dialogue(home: home).run(
            script, path, steps: (1...3).flatMap { _ in [.asked(prompt), .types("wrong\n")] })
        #expect(wrong.shown.contains("can't be imported: wrong passphrase"), "\(wrong)")
        #expect(wrong.status == (password == "p12" ? 80 : 51), "\(wrong)")
        #expect(try Snapshot(home.lanyard).entries.keys.sorted() == [])
        let typed = try await Dialogue(home: home).run(
            script, path,
            steps: [
                .asked(prompt), .types("wrong\n"), .asked(prompt),
                .types("\(password)-password\n"),
            ])
        typed.expect(status: 0)
        #expect(typed.shown.contains(" 1 key"), "\(typed)")
        #expect(!typed.shown.contains("-password\r\n"), "\(typed)")
        let again = try await home.shell(
            "exec 5<\"$2\"; exec lanyard key import --passphrase-file 5 \"$1\"", path,
            made.path("\(password).password"))
        #expect(again.outputText.hasPrefix("import    1 key"), "\(again)")
        #expect(again.outputText.hasSuffix(", unchanged\n"), "\(again)")
    }
}
