import Foundation
import Testing

/// Certificates and keys that openssl and ssh-keygen made, imported, listed and exported.
@Suite(.needs(.openssl), .timeLimit(.minutes(10)))
struct CertificateImportTests {
    let home: ScratchHome
    let certificates: ClientCertificates

    init() async throws {
        home = try ScratchHome()
        certificates = try await ClientCertificates(in: home)
    }

    /// Each form of file, and a script that makes `$1/made` of the client's certificate and key.
    private static let forms = [
        ("PKCS #12", "cp ada.p12 made", "4 new"),
        ("PEM", "cat ada.key ada.pem >made", "3 new"),
        ("DER", "openssl x509 -in ada.pem -outform DER -out made", "1 new"),
        ("a DER key", "openssl pkcs8 -topk8 -nocrypt -in ada.key -outform DER -out made", "2 new"),
        (
            "an encrypted key",
            "openssl pkcs8 -topk8 -in ada.key -passout file:password -out made", "2 new"
        ),
        ("SEC 1", "openssl ec -in ada.key -out made 2>/dev/null", "2 new"),
        (
            "ssh's form",
            "ssh-keygen -q -t ed25519 -a 1 -N \"$(cat password)\" -C ada -f made", "2 new"
        ),
    ]

    @Test(arguments: forms)
    func everyForm(name: String, script: String, counts: String) async throws {
        try await home.shell("cd \"$1\"; \(script)", certificates.folder)
        func importing(_ options: String...) async throws -> Outcome {
            try await home.command(
                "lanyard",
                ["certificate", "import", "\(certificates.folder)/made", "--passphrase-file"]
                    + ["\(certificates.folder)/password"] + options
            ).run()
        }
        expectAnswer(
            try await importing("--dry-run"),
            "import    \(counts)\ndry run   nothing was changed\n")
        expectAnswer(try await importing(), "import    \(counts)\n")
        expectAnswer(
            try await importing(), "import    \(counts.replacing("new", with: "unchanged"))\n")
    }

    @Test func refusalsLeaveNothing() async throws {
        let wrong = try home.write("wrong", to: "wrong")
        _ = try home.write("nothing here\n", to: "nothing")
        let file = "\(certificates.folder)/ada.p12"
        try await home.shell("head -c 300 \"$1\" >\"$2\"", file, "\(home.path)/cut.p12")
        for (path, status, reason) in [
            (file, 80, "wrong passphrase"),
            ("\(home.path)/nothing", 87, "no certificate and no key found"),
            ("\(home.path)/cut.p12", 87, "PKCS #12"), ("\(home.path)/none", 44, "none"),
        ] as [(String, Int32, String)] {
            let outcome = try await home.lanyard(
                "certificate", "import", path, "--passphrase-file", wrong)
            #expect(outcome.status == status, "\(outcome)")
            #expect(outcome.errorText.contains(reason), "\(outcome)")
            #expect(outcome.outputText == "", "\(outcome)")
        }
        expectAnswer(try await home.lanyard("certificate", "list"), "")
        expectAnswer(try await home.lanyard("key", "list"), "")
    }

    @Test func listsAndShows() async throws {
        try await importClient()
        let list = try await home.lanyard("certificate", "list")
        let names = list.outputText.split(separator: "\n").map { $0.prefix { $0 != " " } }
        #expect(names == ["NAME", "ada", "Authority"], "\(list)")
        let identities = try await home.lanyard("identity", "list")
        #expect(identities.outputText.split(separator: "\n").count == 2, "\(identities)")
        let json = try await home.json("certificate", "list", "--json")
        guard case .array(let all) = json, case .object(let first) = try #require(all.first)
        else {
            Issue.record("\(json)")
            return
        }
        #expect(first["subject"] == "CN=ada,O=Example" && first["hasPrivateKey"] == true)
        let fingerprint = try await home.shell(
            "openssl x509 -in \"$1\" -noout -fingerprint -sha256 | sed 's/.*=//; s/://g'",
            "\(certificates.folder)/ada.pem"
        ).outputText.lowercased().split(separator: "\n")[0]
        #expect(first["fingerprint"] == .string(String(fingerprint)))
        let shown = try await home.lanyard("certificate", "show", String(fingerprint.prefix(12)))
        #expect(shown.outputText.contains("private   in the keychain\n"), "\(shown)")
        #expect(shown.outputText.contains("trust     its root is not trusted\n"), "\(shown)")
        expectAnswer(try await home.lanyard("certificate", "list", "--expired"), "")
    }

    @Test func exportsAreReadByOpenssl() async throws {
        try await importClient()
        try await home.shell(
            """
            cd "$1"
            lanyard certificate export ada out.pem
            cmp out.pem ada.pem
            lanyard certificate export --der ada - | openssl x509 -inform DER -noout
            lanyard certificate export --pkcs12 --passphrase-file password ada out.p12
            [ "$(stat -c %a out.p12)" = 600 ]
            openssl pkcs12 -in out.p12 -passin file:password -nodes -nocerts 2>/dev/null |
                openssl pkey -outform DER | cmp - key.der
            lanyard key export --passphrase-file password ada out.key
            [ "$(stat -c %a out.key)" = 600 ]
            grep -q 'ENCRYPTED PRIVATE KEY' out.key
            openssl pkey -in out.key -passin file:password -outform DER | cmp - key.der
            ! lanyard key export --passphrase-file password ada out.key 2>error
            grep -q 'already exists' error
            lanyard key export --plain-text ada - 2>warning | openssl pkey -outform DER | cmp - key.der
            grep -q '^lanyard: warning: ' warning
            lanyard key show --pem ada | openssl pkey -pubin -outform DER | cmp - public.der
            """, certificates.folder)
        expectAnswer(try await home.lanyard("certificate", "remove", "--key", "ada"), "")
        expectAnswer(try await home.lanyard("key", "list"), "")
    }

    @Test(arguments: ["rsa", "p384", "ed25519"])
    func generatedKeysAreReadByOthers(type: String) async throws {
        let made = try await home.lanyard("key", "generate", "--type", type, "deploy")
        #expect(made.status == 0, "\(made)")
        try await home.shell(
            """
            cd "$1"
            lanyard key export --openssh --passphrase-file password deploy id
            ssh-keygen -y -P "$(cat password)" -f id >id.pub
            lanyard key show deploy | cmp - id.pub
            """, certificates.folder)
        let again = try await home.lanyard("key", "generate", "deploy")
        #expect(again.status == 45, "\(again)")
    }

    private func importClient() async throws {
        try await home.shell(
            """
            cd "$1"
            openssl pkey -in ada.key -outform DER -out key.der
            openssl pkey -in ada.key -pubout -outform DER -out public.der
            lanyard certificate import --passphrase-file password ada.p12 >/dev/null
            """, certificates.folder)
    }
}

extension Need {
    static let openssl = Need(missing: "there is no openssl or no ssh-keygen") {
        try await succeeds("sh", "-c", "openssl version; command -v ssh-keygen")
    }
}
