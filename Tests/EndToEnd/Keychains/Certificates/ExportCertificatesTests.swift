import Foundation
import Testing
@testable import EndToEndRig

/// What `lanyard certificate export` and `lanyard key export` write, as openssl and ssh-keygen read it.
@Suite(.needs(.openssl), .timeLimit(.minutes(10)))
struct ExportCertificatesTests {
    let home: ScratchHome
    let made: MadeCertificates
    private let user = MadeCertificates.user

    init() async throws {
        home = try ScratchHome()
        made = try await MadeCertificates(home)
        try await home.importCertificates(
            made.path("bundle.pem"), expecting: "1 key, 3 certificates")
        try await home.importCertificates(made.path("id_plain"), expecting: "1 key")
    }

    private func export(
        _ arguments: String..., error: String = "",
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> String {
        let file = "\(home.path)/exported-\(UUID().uuidString)"
        let outcome = try await home.lanyardAlone(arguments + [file])
        #expect(outcome.status == 0, "\(outcome)", sourceLocation: sourceLocation)
        #expect(outcome.output.isEmpty, "\(outcome)", sourceLocation: sourceLocation)
        #expect(outcome.errorText == error, "\(outcome)", sourceLocation: sourceLocation)
        let mode = try #require(try Snapshot(file).entries[""]).permissions
        #expect(mode == 0o600, sourceLocation: sourceLocation)
        return file
    }

    private static let warning =
        "lanyard: warning: anyone who can read the file can use the private key\n"

    /// Expects that a private key is the user's.
    private func expectKey(
        in file: String, _ options: String, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let keys = try await home.shell(
            """
            cd "$1"
            openssl pkey -in "$2" -passin \(options) -text -noout
            echo =
            openssl pkey -in ada.key -text -noout
            """, made.folder, file, sourceLocation: sourceLocation
        ).outputText.components(separatedBy: "=\n")
        #expect(keys.count == 2 && keys[0] == keys[1], sourceLocation: sourceLocation)
    }

    @Test func certificates() async throws {
        let pem = try await export("certificate", "export", user)
        #expect(try home.read(pem) == home.read(made.path("ada.pem")))
        let der = try await export("certificate", "export", "--der", user)
        #expect(try home.read(der) == home.read(made.path("ada.der")))
        let chain = try await export("certificate", "export", "--chain", user)
        #expect(
            try home.read(chain)
                == home.read(made.path("ada.pem")) + home.read(made.path("issuer.pem")))
        let piped = try await home.lanyardAlone(["certificate", "export", user, "-"])
        #expect(try piped.output == home.read(pem) && piped.error.isEmpty, "\(piped)")
    }

    @Test func pkcs12() async throws {
        let password = made.path("p12.password")
        let file = try await export(
            "certificate", "export", "--pkcs12", "--passphrase-file", password, user)
        let shown = try await home.shell(
            "openssl pkcs12 -in \"$1\" -passin file:\"$2\" -nodes -info 2>&1", file, password
        ).outputText
        #expect(shown.contains("PBES2, PBKDF2, AES-256-CBC"), "\(shown)")
        #expect(shown.components(separatedBy: "BEGIN CERTIFICATE").count == 3, "\(shown)")
        #expect(shown.contains("friendlyName: \(user)\n"), "\(shown)")
        let keys = "\(home.path)/keys.pem"
        try await home.shell(
            "openssl pkcs12 -in \"$1\" -passin file:\"$2\" -nodes -nocerts -out \"$3\"", file,
            password, keys)
        try await expectKey(in: keys, "pass:")
        try await home.importCertificates(
            "--passphrase-file", password, file, expecting: "1 key, 2 certificates, unchanged")
    }

    @Test func privateKeys() async throws {
        let password = made.path("key.password")
        let encrypted = try await export("key", "export", "--passphrase-file", password, user)
        #expect(
            String(decoding: try home.read(encrypted), as: UTF8.self)
                .hasPrefix("-----BEGIN ENCRYPTED PRIVATE KEY-----\n"))
        try await expectKey(in: encrypted, "file:\(password)")
        let plain = try await export("key", "export", "--plain-text", user, error: Self.warning)
        try await expectKey(in: plain, "pass:")
        #expect(try home.read(plain) == home.read(made.path("ada.key")))
    }

    @Test func keysOfSSH() async throws {
        let expected = try await home.shell("cat \"$1\"", made.path("id_plain.pub")).outputText
        let plain = try await export(
            "key", "export", "--openssh", "--plain-text", "ada@laptop", error: Self.warning)
        let read = try await home.succeeds("ssh-keygen", "-y", "-f", plain)
        #expect(read.outputText == expected)
        let password = made.path("ssh.password")
        let encrypted = try await export(
            "key", "export", "--openssh", "--passphrase-file", password, "ada@laptop")
        let refused = try await home.command(
            "ssh-keygen", ["-y", "-P", "wrong", "-f", encrypted]
        ).run()
        #expect(refused.status != 0, "\(refused)")
        let opened = try await home.succeeds(
            "ssh-keygen", "-y", "-P", "ssh-password", "-f", encrypted)
        #expect(opened.outputText == expected)
        let shown = try await home.succeeds("lanyard", "key", "show", "ada@laptop")
        #expect(shown.outputText == expected)
    }

    @Test(arguments: ["rsa", "p384", "ed25519"])
    func generatedKeys(type: String) async throws {
        let generated = try await home.lanyardAlone(["key", "generate", "--type", type, "deploy"])
        #expect(generated.status == 0, "\(generated)")
        let file = try await export(
            "key", "export", "--openssh", "--passphrase-file", made.path("ssh.password"), "deploy")
        let read = try await home.succeeds(
            "ssh-keygen", "-y", "-P", "ssh-password", "-f", file)
        let shown = try await home.succeeds("lanyard", "key", "show", "deploy")
        #expect(read.outputText == shown.outputText)
        let again = try await home.lanyardAlone(["key", "generate", "deploy"])
        #expect(again.status == 45, "\(again)")
    }

    @Test(.needs(.python)) func theNewPassphraseIsTypedTwice() async throws {
        let file = "\(home.path)/typed.p12"
        let session = try await Dialogue(home: home).run(
            "lanyard certificate export --pkcs12 \"$1\" \"$2\"", user, file,
            steps: [
                .asked("passphrase for the file: "), .types("first one\n"),
                .asked("passphrase again: "), .types("another\n"),
                .asked("the passphrases don't match; passphrase for the file: "),
                .types("first one\n"), .asked("passphrase again: "), .types("first one\n"),
            ])
        session.expect(status: 0)
        try await home.succeeds(
            "openssl", "pkcs12", "-in", file, "-passin", "pass:first one", "-noout")
        let shown = try await Dialogue(home: home).run(
            "lanyard certificate export --der \"$1\" -; lanyard certificate export --pkcs12 \"$1\" -",
            user)
        #expect(
            shown.shown.components(separatedBy: "can't be shown at a terminal").count == 3,
            "\(shown)")
    }

    /// Nothing is overwritten, and what fails leaves no file.
    @Test func refused() async throws {
        let there = try home.write("mine\n", to: "there")
        let file = "\(home.path)/never"
        let dangling = "\(home.path)/dangling"
        try FileManager.default.createSymbolicLink(
            atPath: dangling, withDestinationPath: "missing")
        let before = try Snapshot(home.path).entries.keys.sorted()
        let taken =
            "'\(there)' already exists\nlanyard: hint: choose another name, or remove it first"
        for (arguments, status, error) in [
            (["certificate", "export", user, there], 48, taken),
            (["key", "export", "--plain-text", user, there], 48, taken),
            (
                ["certificate", "export", "nobody", file], 44,
                "found no certificate 'nobody'\nlanyard: hint: lanyard certificate list shows all certificates"
            ),
            (
                ["certificate", "export", "--pkcs12", "Example Root", file], 44,
                "the private key of 'Example Root' is not in the keychain\nlanyard: hint: lanyard key import FILE adds it"
            ),
            (
                ["key", "export", user, file], 36,
                "there is no terminal to prompt at\nlanyard: hint: use --passphrase-file"
            ),
            (
                ["key", "export", "--plain-text", user, "/missing/file"], 44,
                "folder '/missing' not found\nlanyard: hint: mkdir -p '/missing'"
            ),
            (
                ["key", "export", "--plain-text", user, "\(there)/file"], 64,
                "'\(there)' is not a folder"
            ),
            (
                ["key", "export", "--plain-text", user, "\(there)/folder/file"], 44,
                "folder '\(there)/folder' not found"
            ),
            (
                ["key", "export", "--plain-text", user, "\(dangling)/file"], 44,
                "folder '\(dangling)' not found"
            ),
        ] as [([String], Int32, String)] {
            let outcome = try await home.lanyardAlone(arguments)
            #expect(outcome.status == status, "\(outcome)")
            #expect(outcome.output.isEmpty, "\(outcome)")
            #expect(outcome.errorText == "lanyard: error: \(error)\n", "\(outcome)")
        }
        #expect(try String(contentsOfFile: there, encoding: .utf8) == "mine\n")
        #expect(try Snapshot(home.path).entries.keys.sorted() == before)
    }
}
