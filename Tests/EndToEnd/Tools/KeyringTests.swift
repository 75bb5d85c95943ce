import Foundation
import Testing

/// keyring-lanyard gives real pip, uv and twine the password of a package index that requires one.
@Suite(.needs(.python), .timeLimit(.minutes(10)))
struct KeyringTests {
    private static let password = "index-password-bilby"

    let home: ScratchHome

    init() async throws {
        home = try ScratchHome()
        try FileManager.default.createDirectory(
            atPath: "\(home.path)/bin", withIntermediateDirectories: false)
        // As `make install` links it, in a folder of its own.
        try FileManager.default.createSymbolicLink(
            atPath: "\(home.path)/bin/keyring",
            withDestinationPath: "\(try Programs.folder())/lanyard-helper")
    }

    /// Runs a program that finds our `keyring`, without a terminal.
    private func run(
        _ program: String, _ arguments: [String], input: String = "",
        variables: [String: String?] = [:]
    ) async throws -> Outcome {
        let path = try home.environment()["PATH"] ?? ""
        let own: [String: String?] = [
            "PATH": "\(home.path)/bin:\(path)", "PIP_CONFIG_FILE": "/dev/null",
            "PIP_DISABLE_PIP_VERSION_CHECK": "1", "UV_KEYRING_PROVIDER": "subprocess",
            "UV_CACHE_DIR": "\(home.path)/uv", "UV_NO_CONFIG": "1",
        ]
        return try await home.command(
            "setsid", ["--wait", program] + arguments, input: Array(input.utf8),
            variables: own.merging(variables) { _, new in new }
        ).run()
    }

    private func withIndex(
        _ body: @escaping @Sendable (String) async throws -> Void
    ) async throws {
        try await ScriptedServer(script: KeyringTests.index, arguments: [KeyringTests.password])
            .serve(home) { port in try await body("127.0.0.1:\(port)") }
    }

    private func pip(_ index: String, user: String = "ada@") async throws -> Outcome {
        let target = "\(home.path)/\(UUID().uuidString)"
        return try await run(
            "python3",
            [
                "-m", "pip", "install", "--no-input", "--no-cache-dir", "--quiet",
                "--root-user-action=ignore", "--keyring-provider", "subprocess", "--target", target,
                "--index-url", "http://\(user)\(index)/simple", "notes",
            ])
    }

    @Test(.needs(.pip)) func pipInstalls() async throws {
        try await withIndex { [home] index in
            let refused = try await pip(index)
            #expect(refused.status != 0, "\(refused)")
            #expect(!refused.errorText.contains("lanyard: "), "\(refused)")
            try await home.set("--for", "keyring", "http://\(index)/simple", "ada", secret: "wrong")
            let wrong = try await pip(index)
            #expect(wrong.status != 0, "\(wrong)")
            try await home.succeeds(
                "lanyard", "remove", "--group", "keyring", "http://\(index)/simple", "ada")
            // As pip saves it.
            let set = try await run(
                "keyring", ["set", index, "ada"], input: "\(KeyringTests.password)\n")
            expectAnswer(set, "")
            let installed = try await pip(index)
            #expect(installed.status == 0, "\(installed)")
            #expect(home.files(containing: KeyringTests.password) == [])
            let deleted = try await run("keyring", ["del", index, "ada"])
            expectAnswer(deleted, "")
            // A login that lanyard set stores for no tool serves, too.
            try await home.set("http://\(index)", "ada", secret: KeyringTests.password)
            let again = try await pip(index)
            #expect(again.status == 0, "\(again)")
        }
    }

    @Test(.needs(.uv)) func uvInstalls() async throws {
        try await withIndex { [home] index in
            try await home.set(
                "--for", "keyring", "http://\(index)", "eve", secret: "of another account")
            try await home.set(
                "--for", "keyring", "http://\(index)", "ada", secret: KeyringTests.password)
            let outcome = try await run(
                "uv",
                [
                    "pip", "install", "--index-url", "http://ada@\(index)/simple", "--target",
                    "\(home.path)/target", "notes",
                ])
            #expect(outcome.status == 0, "\(outcome)")
            #expect(home.files(containing: KeyringTests.password) == [])
        }
    }

    @Test func manyAtOnce() async throws {
        try await home.set("--for", "keyring", "service", "ada", secret: KeyringTests.password)
        let outcome = try await run(
            "sh",
            [
                "-c",
                """
                for _ in $(seq 50); do keyring get service ada & done
                wait
                """,
            ])
        expectAnswer(outcome, String(repeating: "\(KeyringTests.password)\n", count: 50))
    }

    @Test func answersAsKeyringDoes() async throws {
        try await home.set("--for", "keyring", "https://a.example/x", "ada", secret: "pw")
        for (arguments, answer) in [
            (["get", "https://a.example/x/y", "ada"], "pw\n"),
            (["get", "https://a.example/x", "--mode", "creds"], "ada\npw\n"),
            (["--mode=creds", "get", "https://a.example/x", ""], "ada\npw\n"),
            (
                ["--mode=creds", "--output=json", "get", "https://a.example/x"],
                "{\"username\":\"ada\",\"password\":\"pw\"}\n"
            ),
        ] {
            // It leaves standard input alone.
            let outcome = try await run(
                "sh", ["-c", "keyring \"$@\" && cat", "sh"] + arguments, input: "rest")
            expectAnswer(outcome, "\(answer)rest")
        }
        for arguments in [["get", "https://a.example", "ada"], ["del", "nothing", "ada"]] {
            let none = try await run("keyring", arguments)
            #expect(none.status == 1 && none.output.isEmpty && none.error.isEmpty, "\(none)")
        }
        let wrong = try await run("keyring", ["--nonsense"])
        #expect(wrong.status == 1 && wrong.errorText.hasPrefix("lanyard: error: "), "\(wrong)")
        try await home.setPassphrase()
        let locked = try await run("keyring", ["get", "https://a.example/x", "ada"])
        #expect(locked.status == 1 && locked.output.isEmpty, "\(locked)")
        #expect(
            locked.errorText.hasPrefix("lanyard: error: the keychain 'login' is locked"),
            "\(locked)")
    }

    /// Names the backend for Python's library, in a home of its own.
    private func nameBackend() throws {
        let folder = "\(home.path)/home/.config/python_keyring"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        let helpers = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../helpers/keyring-lanyard").standardizedFileURL.path
        _ = try home.write(
            """
            [backend]
            default-keyring = lanyard_keyring.Keyring
            keyring-path = \(helpers)

            """, to: "home/.config/python_keyring/keyringrc.cfg")
    }

    @Test func theLibraryForPython() async throws {
        guard let python = await Need.pythonWithKeyring() else {
            return print("skipped: theLibraryForPython: no python3 has the library keyring")
        }
        try nameBackend()
        let outcome = try await run(
            python,
            [
                "-B", "-c",
                """
                import keyring, keyring.errors
                assert type(keyring.get_keyring()).__module__ == "lanyard_keyring"
                assert keyring.get_password("service", "ada") is None
                assert keyring.get_credential("service", None) is None
                keyring.set_password("service", "ada", "pw one")
                keyring.set_password("service", "eve", "-pw two")
                assert keyring.get_password("service", "ada") == "pw one"
                assert keyring.get_password("service", "eve") == "-pw two"
                found = keyring.get_credential("service", None)
                assert (found.username, found.password) == ("eve", "-pw two"), found.username
                keyring.delete_password("service", "eve")
                try:
                    keyring.delete_password("service", "eve")
                except keyring.errors.PasswordDeleteError:
                    print("deleted")
                try:
                    keyring.set_password("service", "ada", "secret-bilby\\nof two lines\\0")
                    print(keyring.get_password("service", "ada"))
                except keyring.errors.PasswordSetError as error:
                    print(error)
                """,
            ])
        #expect(outcome.status == 0 && outcome.outputText.hasPrefix("deleted\n"), "\(outcome)")
        try await home.setPassphrase()
        let locked = try await run(
            python, ["-B", "-c", "import keyring; keyring.get_password('service', 'ada')"])
        #expect(locked.status == 1, "\(locked)")
        #expect(
            locked.errorText.contains(
                "KeyringError: lanyard: error: the keychain 'login' is locked"),
            "\(locked)")
    }

    @Test(.needs(.twine)) func twineUploads() async throws {
        try nameBackend()
        try await withIndex { [home] index in
            let package = "\(home.path)/notes-1.0-py3-none-any.whl"
            try await home.shell(
                """
                python3 -c "$1
                open('$2', 'wb').write(wheel())"
                """, "import io, zipfile\n\(KeyringTests.wheel)", package)
            let upload = [
                "upload", "--non-interactive", "--disable-progress-bar", "--repository-url",
                "http://\(index)/legacy/", "--username", "ada", package,
            ]
            func twine() async throws -> Outcome { try await run("twine", upload) }
            let refused = try await twine()
            #expect(refused.status != 0, "\(refused)")
            try await home.set(
                "--for", "keyring", "http://\(index)/legacy", "ada", secret: KeyringTests.password)
            let uploaded = try await twine()
            #expect(uploaded.status == 0, "\(uploaded)")
        }
    }

    private static let wheel = """
        def wheel():
            file = io.BytesIO()
            with zipfile.ZipFile(file, "w") as packed:
                packed.writestr("notes.py", "")
                packed.writestr("notes-1.0.dist-info/METADATA", "Metadata-Version: 2.1\\nName: notes\\nVersion: 1.0\\n")
                packed.writestr("notes-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\\nGenerator: test\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
                packed.writestr("notes-1.0.dist-info/RECORD", "notes.py,,\\nnotes-1.0.dist-info/METADATA,,\\nnotes-1.0.dist-info/WHEEL,,\\nnotes-1.0.dist-info/RECORD,,\\n")
            return file.getvalue()
        """

    private static let index = """
        password, = arguments
        \(wheel)
        class Handler(Base):
            def isKnown(self):
                login = base64.b64encode(f"ada:{password}".encode()).decode()
                return self.headers.get("Authorization") == f"Basic {login}"
            def do_HEAD(self):
                self.do_GET()
            def do_GET(self):
                if not self.isKnown():
                    return self.reply(401, WWW_Authenticate='Basic realm="index"')
                if self.path.endswith(".whl"):
                    return self.reply(200, wheel())
                if self.path.rstrip("/") != "/simple/notes":
                    return self.reply(404)
                self.reply(200, b'<a href="/files/notes-1.0-py3-none-any.whl">notes-1.0-py3-none-any.whl</a>',
                           Content_Type="text/html")
            def do_POST(self):
                self.body()
                self.reply(200 if self.isKnown() else 403)
        """
}

extension Need {
    fileprivate static let pip = Need(missing: "there is no pip 23.1 or later") {
        let help = try await ScratchHome().command("python3", ["-m", "pip", "install", "--help"])
            .run()
        return help.outputText.contains("--keyring-provider")
    }

    fileprivate static let uv = Need(missing: "there is no uv") {
        try await succeeds("uv", "--version")
    }

    fileprivate static let twine = Need(missing: "there is no twine") {
        try await succeeds("twine", "--version")
    }

    /// A python3 that has the library keyring, nil if none has.
    fileprivate static func pythonWithKeyring() async -> String? {
        for python in ["python3", "/usr/bin/python3"] {
            if (try? await succeeds(python, "-c", "import keyring")) == true {
                return python
            }
        }
        return nil
    }
}
