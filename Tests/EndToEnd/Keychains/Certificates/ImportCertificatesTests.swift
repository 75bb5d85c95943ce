import Testing
@testable import EndToEndRig

/// `lanyard certificate import` and `lanyard key import` with files that openssl and ssh-keygen made.
@Suite(.needs(.openssl), .timeLimit(.minutes(10)))
struct ImportCertificatesTests {
    let home: ScratchHome
    let made: MadeCertificates

    init() async throws {
        home = try ScratchHome()
        made = try await MadeCertificates(home)
    }

    /// A file, and what is in it.
    struct Form: Sendable, CustomTestStringConvertible {
        let file: String
        var password: String?
        var certificates: [String] = []
        var key: String?

        var testDescription: String { file }

        /// Whether anyone who reads the file has a private key.
        var isPlainText: Bool { key != nil && password == nil && !file.hasSuffix(".pub") }

        static let issuer = "Example Issuer"

        static let all = [
            Form(
                file: "bundle.pem",
                certificates: [issuer, "Example Root", MadeCertificates.user],
                key: MadeCertificates.user),
            Form(file: "ada.der", certificates: [MadeCertificates.user]),
            Form(
                file: "ada.p12", password: "p12", certificates: ["Ada's", issuer],
                key: "Ada's"),
            Form(
                file: "without-password.p12", certificates: ["Ada's", issuer],
                key: "Ada's"),
            Form(file: "encrypted.pem", password: "key", key: "encrypted.pem"),
            Form(file: "encrypted.der", password: "key", key: "encrypted.der"),
            Form(file: "id_plain", key: "ada@laptop"),
            Form(file: "id_encrypted", password: "ssh", key: "ada@server"),
            Form(file: "id_plain.pub", key: "id_plain.pub"),
        ]
    }

    private func arguments(_ form: Form) -> [String] {
        let password = form.password.map { ["--passphrase-file", made.path("\($0).password")] }
        return (form.key == nil ? ["certificate"] : ["key"]) + ["import"] + (password ?? [])
            + [made.path(form.file)]
    }

    @Test(arguments: Form.all) func everyForm(_ form: Form) async throws {
        let arguments = arguments(form)
        let dry = try await home.lanyardAlone(arguments + ["--dry-run"])
        let certificates = form.certificates.count
        let contents = [
            form.key == nil ? nil : "1 key",
            certificates == 0 ? nil : "\(certificates) certificate\(certificates == 1 ? "" : "s")",
        ].compactMap(\.self).joined(separator: ", ")
        expectAnswer(dry, "import    \(contents)\ndry run   nothing was changed\n")
        #expect(try await home.listedNames("certificate") == [])

        let hint =
            form.isPlainText
            ? "lanyard: hint: the plain text is still there: rm '\(made.path(form.file))', once programs get the key "
                + "from Lanyard\n" : ""
        let imported = try await home.lanyardAlone(arguments)
        #expect(imported.status == 0 && imported.errorText == hint, "\(imported)")
        #expect(imported.outputText == "import    \(contents)\n")
        #expect(try await home.listedNames("certificate") == form.certificates)
        #expect(try await home.listedNames("key") == (form.key.map { [$0] } ?? []))
        let stored = try Snapshot(home.lanyard)
        let again = try await home.lanyardAlone(arguments)
        #expect(again.status == 0 && again.errorText == hint, "\(again)")
        #expect(again.outputText == "import    \(contents), unchanged\n")
        #expect(try Snapshot(home.lanyard).contentDifferences(from: stored) == [])

        guard let key = form.key else {
            return
        }
        let shown = try await home.succeeds("lanyard", "key", "show", key)
        let isOfSSH = form.file.hasPrefix("id_")
        let expected =
            isOfSSH
            ? try await home.shell("cat \"${1%.pub}.pub\"", made.path(form.file))
            : try await home.shell(
                """
                openssl pkey -in "$1/ada.key" -pubout -out "$1/ada.pub"
                ssh-keygen -i -m PKCS8 -f "$1/ada.pub"
                """, made.folder)
        #expect(
            shown.outputText.split(separator: " ").prefix(2)
                .map { $0.trimmingPrefix("\n") }
                == expected.outputText.split(whereSeparator: \.isWhitespace).prefix(2)
                .map { $0.trimmingPrefix("\n") })
    }

    /// The same certificate in two files is one, whatever the files call it.
    @Test func theFormsHaveTheSameItems() async throws {
        let password = ["--passphrase-file", made.path("p12.password")]
        try await home.importCertificates(made.path("ada.der"), expecting: "1 certificate")
        let second = try await home.lanyardAlone(
            ["certificate", "import", made.path("ada.p12")] + password)
        expectAnswer(second, "import    3 new, 1 unchanged\n")
        try await home.importCertificates(
            made.path("bundle.pem"), expecting: "1 new, 4 unchanged")
        let names = try await home.listedNames("certificate")
        #expect(names == ["Example Issuer", "Example Root", MadeCertificates.user])
    }

    @Test func standardInputAndSeveralFiles() async throws {
        let files = ["ada.key", "issuer.pem"].map(made.path)
        let outcome = try await home.command(
            "lanyard", ["certificate", "import", "-"] + files,
            input: try home.read(made.path("ada.pem"))
        ).run()
        #expect(outcome.status == 0 && outcome.outputText == "import    1 key, 2 certificates\n")
        #expect(outcome.errorText.contains("rm '\(files[0])', once"), "\(outcome)")
        let identities = try await home.listedNames("identity")
        #expect(identities == [MadeCertificates.user])
    }

    @Test func anotherNameIsADifferenceAndCanReplace() async throws {
        let file = made.path("bundle.pem")
        try await home.importCertificates(file, expecting: "1 key, 3 certificates")
        let command = ["certificate", "import", "--name", "work", file]
        let left = try await home.lanyardAlone(command)
        #expect(left.status == 45, "\(left)")
        #expect(
            left.outputText
                == "import    2 unchanged, 3 differ from the keychain (--replace takes the imported one)\n"
        )
        #expect(
            left.errorText == """
                lanyard: warning: 'bundle.pem', certificate 3, 'work', differs from what the keychain has
                lanyard: warning: 'bundle.pem', private key 4, 'work', differs from what the keychain has
                lanyard: warning: 'bundle.pem', public key 5, 'work', differs from what the keychain has
                lanyard: error: 3 entries were not imported

                """)
        let dry = try await home.lanyardAlone(command + ["--replace", "--dry-run"])
        #expect(dry.outputText.hasPrefix("import    2 unchanged, 3 "), "\(dry)")
        #expect(try await home.listedNames("key") == [MadeCertificates.user])
        let replaced = try await home.lanyardAlone(command + ["--replace"])
        #expect(replaced.status == 0, "\(replaced)")
        #expect(replaced.outputText == "import    2 unchanged, 3 replaced\n", "\(replaced)")
        let names = try await home.listedNames("certificate")
        #expect(names == ["Example Issuer", "Example Root", "work"])
        #expect(try await home.listedNames("key") == ["work"])
    }

    @Test func theReportAsJSON() async throws {
        let file = made.path("bundle.pem")
        try await home.importCertificates(file, expecting: "1 key, 3 certificates")
        let outcome = try await home.lanyardAlone(
            ["certificate", "import", "--json", "--name", "work", file])
        #expect(outcome.status == 45, "\(outcome)")
        let report = try JSONText(outcome.output).members
        #expect(report["same"] == 2 && report["differing"] == 3 && report["new"] == 0)
        #expect(
            report["left"]?.elements.first == [
                "place": "'bundle.pem', certificate 3", "name": "work", "account": nil,
                "reason": "the keychain has a different one", "unsupported": false,
            ], "\(outcome)")
    }
}
