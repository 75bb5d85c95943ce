import Foundation
import Testing
@testable import EndToEndRig
import TestSupport

/// keyring-lanyard gives real pip, uv, PDM, twine, poetry and hatch the password of a package index that requires one.
@Suite(.needs(.python), .timeLimit(.minutes(10)))
struct KeyringTests {
    private static let password = "index-password-bilby"
    private static let othersPassword = "index-password-quoll"

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

    /// With these a program finds our `keyring`.
    private func variables() throws -> [String: String?] {
        let path = try home.environment()["PATH"] ?? ""
        return [
            "PATH": "\(home.path)/bin:\(path)", "PIP_CONFIG_FILE": "/dev/null",
            "PIP_DISABLE_PIP_VERSION_CHECK": "1", "UV_KEYRING_PROVIDER": "subprocess",
            "UV_CACHE_DIR": "\(home.path)/uv", "UV_NO_CONFIG": "1",
        ]
    }

    /// Runs a program without a terminal.
    private func run(
        _ program: String, _ arguments: [String], input: String = "",
        variables: [String: String?] = [:]
    ) async throws -> Outcome {
        try await home.command(
            "setsid", ["--wait", program] + arguments, input: Array(input.utf8),
            variables: try self.variables().merging(variables) { _, new in new }
        ).run()
    }

    /// Locks the keychain. The client has to fail, and its user has to see why.
    private func expectLocked(
        _ client: () async throws -> Outcome, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try await home.setPassphrase()
        let locked = try await client()
        // twine breaks lines.
        let words = locked.everything.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(
            locked.status != 0 && words.contains("the keychain 'login' is locked"), "\(locked)",
            sourceLocation: sourceLocation)
    }

    private func withIndex(
        _ body: @escaping @Sendable (String) async throws -> Void
    ) async throws {
        let passwords = [KeyringTests.password, KeyringTests.othersPassword]
        try await ScriptedServer(script: KeyringTests.index, arguments: passwords)
            .serve(home) { port in try await body("127.0.0.1:\(port)") }
    }

    /// Answers what pip and PDM ask at a terminal.
    private func signIn(_ index: String) -> [Dialogue.Step] {
        [
            .sees("User for \(index): "), .types("ada\n"), .asked("Password: "),
            .types("\(KeyringTests.password)\n"), .sees("Save credentials to keyring [y/N]: "),
            .types("y\n"),
        ]
    }

    /// The arguments of python3.
    private func pipArguments(_ index: String) -> [String] {
        [
            "-m", "pip", "install", "--no-cache-dir", "--quiet", "--root-user-action=ignore",
            "--keyring-provider", "subprocess", "--target", "\(home.path)/\(UUID().uuidString)",
            "--index-url", "http://\(index)/simple", "notes",
        ]
    }

    private func pip(_ index: String, _ more: String...) async throws -> Outcome {
        try await run("python3", pipArguments("ada@\(index)") + ["--no-input"] + more)
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
            let signedIn = try await Dialogue(home: home, variables: variables()).run(
                "python3 \"$@\"", arguments: pipArguments(index), steps: signIn(index))
            signedIn.expect(status: 0)
            let installed = try await pip(index)
            #expect(installed.status == 0, "\(installed)")
            #expect(home.files(containing: KeyringTests.password) == [])
            let deleted = try await run("keyring", ["del", index, "ada"])
            expectAnswer(deleted, "")
            // A login that lanyard set stores for no tool serves, too.
            try await home.set("http://\(index)", "ada", secret: KeyringTests.password)
            let again = try await pip(index)
            #expect(again.status == 0, "\(again)")
            try await expectLocked { try await pip(index) }
        }
    }

    /// Two indexes of one host, in one run.
    @Test(.needs(.pip)) func pipsTwoAccounts() async throws {
        try await withIndex { [home] index in
            try await home.set(
                "--for", "keyring", "http://\(index)", "ada", secret: KeyringTests.password)
            try await home.set(
                "--for", "keyring", "http://\(index)", "eve", secret: KeyringTests.othersPassword)
            let both = try await pip(
                index, "--extra-index-url", "http://eve@\(index)/eve/simple", "eves")
            #expect(both.status == 0 && both.error.isEmpty, "\(both)")
        }
    }

    /// What the real `uv auth login` has written in plain text, moved into the keychain.
    @Test(.needs(.uv)) func uvsOwnLoginMoves() async throws {
        try await withIndex { [home] index in
            let variables: [String: String?] = ["XDG_DATA_HOME": nil]
            let login = try await run(
                "uv",
                [
                    "auth", "login", "http://\(index)/simple", "--username", "ada", "--password",
                    "-",
                ], input: "\(KeyringTests.password)\n", variables: variables)
            #expect(login.status == 0, "\(login)")
            try await home.expectImport("uv", "--remove-plain-text", saying: "import    1 new")
            #expect(home.textAtHome(".local/share/uv/credentials/credentials.toml") == nil)
            let installed = try await run(
                "uv",
                [
                    "pip", "install", "--target", "\(home.path)/target", "--index-url",
                    "http://ada@\(index)/simple", "notes",
                ], variables: variables)
            #expect(installed.status == 0, "\(installed)")
        }
    }

    /// uv downloads 50 packages at once.
    @Test(.needs(.uv)) func uvInstalls() async throws {
        try await withIndex { [home] index in
            func uv() async throws -> Outcome {
                try await run(
                    "uv",
                    [
                        "pip", "install", "--no-cache", "--reinstall", "--index-url",
                        "http://ada@\(index)/simple", "--target", "\(home.path)/target",
                    ] + (1...50).map { "notes\($0)" })
            }
            func set(_ user: String, _ secret: String) async throws {
                try await home.set("--for", "keyring", "http://\(index)", user, secret: secret)
            }
            try await set("eve", "of another account")
            let missing = try await uv()
            #expect(missing.status != 0 && missing.errorText.contains("401"), "\(missing)")
            try await set("ada", "wrong")
            let wrong = try await uv()
            #expect(wrong.status != 0 && wrong.errorText.contains("401"), "\(wrong)")
            try await set("ada", KeyringTests.password)
            let right = try await uv()
            #expect(right.status == 0, "\(right)")
            #expect(home.files(containing: KeyringTests.password) == [])
            try await home.setPassphrase()
            let locked = try await uv()
            #expect(locked.status != 0, "\(locked)")
            #expect(
                locked.errorText.contains("lanyard: error: the keychain 'login' is locked"),
                "\(locked)")
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
        let helpers = "\(Repository.path)/helpers/keyring-lanyard"
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
                for secret in ["--A--\\nBBB\\n--C--\\n", "\\n\\n", "one\\r\\n", " \u{E9}\u{1F511} ", "\\r"]:
                    for service in ["service", "https://a.example/x"]:
                        keyring.set_password(service, "ada", secret)
                        assert keyring.get_password(service, "ada") == secret, secret
                        found = keyring.get_credential(service, "ada")
                        assert found.password == secret, secret
                assert keyring.get_password("service", "") is None
                keyring.set_password("service", "", "of none")
                assert keyring.get_password("service", "") == "of none"
                keyring.delete_password("service", "")
                assert keyring.get_password("service", "") is None
                for secret in ["secret-bilby\\nof two lines\\0", ""]:
                    try:
                        keyring.set_password("service", "ada", secret)
                    except keyring.errors.PasswordSetError as error:
                        print(error)
                """,
            ])
        #expect(outcome.status == 0, "\(outcome)")
        #expect(
            outcome.outputText == """
                deleted
                lanyard: error: the password contains a NUL
                lanyard: error: the password is empty

                """)
        try await home.setPassphrase()
        let locked = try await run(
            python, ["-B", "-c", "import keyring; keyring.get_password('service', 'ada')"])
        #expect(locked.status == 1, "\(locked)")
        #expect(
            locked.errorText.contains(
                "KeyringError: lanyard: error: the keychain 'login' is locked"),
            "\(locked)")
    }

    /// Makes a package to upload in the folder `project/dist`.
    private func makePackage() async throws -> String {
        let folder = "\(home.path)/project"
        try FileManager.default.createDirectory(
            atPath: "\(folder)/dist", withIntermediateDirectories: true)
        let package = "\(folder)/dist/notes-1.0-py3-none-any.whl"
        try await home.shell(
            """
            python3 -c "$1
            open('$2', 'wb').write(wheel())"
            """, "import io, zipfile\n\(KeyringTests.wheel)", package)
        return package
    }

    /// Runs a program in the folder `project`, with a configuration of its own.
    private func inProject(
        _ program: String, _ arguments: String..., variables: [String: String?] = [:]
    ) async throws -> Outcome {
        try await run(
            "sh", ["-c", "cd \"$0\" && exec \"$@\"", "\(home.path)/project", program] + arguments,
            variables: variables)
    }

    /// poetry stores the password itself.
    @Test(.needs(.poetry)) func poetryPublishes() async throws {
        try nameBackend()
        try await withIndex { [home] index in
            _ = try await makePackage()
            _ = try home.write(
                """
                [project]
                name = "notes"
                version = "1.0"
                [tool.poetry]
                package-mode = true

                """, to: "project/pyproject.toml")
            func publish() async throws -> Outcome {
                try await inProject("poetry", "publish", "-n", "-r", "index")
            }
            func poetry(_ password: String) async throws -> Outcome {
                let set = try await inProject(
                    "poetry", "config", "http-basic.index", "ada", password)
                #expect(set.status == 0, "\(set)")
                return try await publish()
            }
            let configured = try await inProject(
                "poetry", "config", "repositories.index", "http://\(index)/legacy/")
            #expect(configured.status == 0, "\(configured)")
            let missing = try await publish()
            #expect(missing.status != 0 && missing.everything.contains("403"), "\(missing)")
            let wrong = try await poetry("wrong")
            #expect(wrong.status != 0 && wrong.everything.contains("403"), "\(wrong)")
            let right = try await poetry(KeyringTests.password)
            #expect(right.status == 0, "\(right)")
            expectAnswer(
                try await home.lanyard(
                    "get", "--group", "keyring", "poetry-repository-index", "ada"),
                "\(KeyringTests.password)\n")
            #expect(home.files(containing: KeyringTests.password) == [])
            try await home.set(
                "--for", "keyring", "poetry-repository-index", "eve", secret: "of another account")
            let again = try await publish()
            #expect(again.status == 0, "\(again)")
            try await expectLocked(publish)
        }
    }

    @Test(.needs(.hatch)) func hatchPublishes() async throws {
        try nameBackend()
        try await withIndex { [home] index in
            let url = "http://\(index)/legacy/"
            let publish = ["publish", "--repo", url, "--user", "ada", try await makePackage()]
            func hatch() async throws -> Outcome {
                try await run("hatch", publish + ["--no-prompt"])
            }
            let missing = try await hatch()
            #expect(missing.status != 0 && missing.everything.contains("auth"), "\(missing)")
            try await home.set("--for", "keyring", url, "ada", secret: "wrong")
            let wrong = try await hatch()
            #expect(wrong.status != 0 && wrong.everything.contains("403"), "\(wrong)")
            try await home.succeeds("lanyard", "remove", "--group", "keyring", url, "ada")
            try await home.set("--for", "keyring", url, "eve", secret: "of another account")
            let signedIn = try await Dialogue(home: home, variables: variables()).run(
                "hatch \"$@\"", arguments: publish,
                steps: [.asked("Password / Token: "), .types("\(KeyringTests.password)\n")])
            signedIn.expect(status: 0)
            let published = try await hatch()
            #expect(published.status == 0, "\(published)")
            #expect(home.files(containing: KeyringTests.password) == [])
            try await expectLocked(hatch)
        }
    }

    /// With the library, and with the program where the library is missing.
    @Test(.needs(.pdm), arguments: ["library", "program"])
    func pdmLocks(way: String) async throws {
        try nameBackend()
        try FileManager.default.createDirectory(
            atPath: "\(home.path)/without", withIntermediateDirectories: true)
        _ = try home.write("raise ImportError\n", to: "without/keyring.py")
        let variables: [String: String?] = [
            "PYTHONPATH": way == "library" ? nil : "\(home.path)/without",
            "PDM_CHECK_UPDATE": "0", "PDM_IGNORE_SAVED_PYTHON": "1", "PDM_PYTHON": "python3",
        ]
        try await withIndex { [home] index in
            _ = try await makePackage()
            func writeProject(_ dependencies: [String], _ sources: String...) throws {
                let tables = zip(["pypi", "other"], sources).map { name, source in
                    """
                    [[tool.pdm.source]]
                    name = "\(name)"
                    url = "http://\(source)"
                    verify_ssl = false

                    """
                }
                _ = try home.write(
                    """
                    [project]
                    name = "other"
                    version = "1.0"
                    requires-python = ">=3.9"
                    dependencies = \(dependencies)
                    \(tables.joined())
                    """, to: "project/pyproject.toml")
            }
            try writeProject(["notes"], "\(index)/simple")
            func pdm() async throws -> Outcome {
                try await inProject("pdm", "-n", "lock", variables: variables)
            }
            // PDM shows no error of a keyring.
            func expectNothingFound() async throws {
                let outcome = try await pdm()
                #expect(
                    outcome.status != 0 && outcome.everything.contains("[CandidateNotFound]"),
                    "\(outcome)")
            }
            try await expectNothingFound()
            try await home.set(
                "--for", "keyring", "http://\(index)/simple", "ada", secret: "wrong")
            try await expectNothingFound()
            try await home.succeeds(
                "lanyard", "remove", "--group", "keyring", "http://\(index)/simple", "ada")
            let terminal = Dialogue(
                home: home, variables: try self.variables().merging(variables) { _, new in new })
            let signedIn = try await terminal.run(
                "cd \"$1\" && pdm lock -v", "\(home.path)/project", steps: signIn(index))
            signedIn.expect(status: 0)
            let right = try await pdm()
            #expect(right.status == 0, "\(right)")
            // PDM asks with the address that has the user.
            try await home.set(
                "--for", "keyring", "http://\(index)/eve/simple", "eve",
                secret: KeyringTests.othersPassword)
            try writeProject(["notes", "eves"], "ada@\(index)/simple", "eve@\(index)/eve/simple")
            let both = try await pdm()
            #expect(both.status == 0, "\(both)")
            #expect(home.files(containing: KeyringTests.password) == [])
            try await home.setPassphrase()
            try await expectNothingFound()
        }
    }

    @Test(.needs(.twine)) func twineUploads() async throws {
        try nameBackend()
        try await withIndex { [home] index in
            let package = try await makePackage()
            let upload = [
                "upload", "--non-interactive", "--disable-progress-bar", "--repository-url",
                "http://\(index)/legacy/", "--username", "ada", package,
            ]
            func twine() async throws -> Outcome { try await run("twine", upload) }
            let refused = try await twine()
            #expect(refused.status != 0, "\(refused)")
            try await home.set(
                "--for", "keyring", "http://\(index)/legacy", "ada", secret: "wrong")
            let wrong = try await twine()
            #expect(wrong.status != 0 && wrong.everything.contains("403"), "\(wrong)")
            try await home.set(
                "--for", "keyring", "http://\(index)/legacy", "ada", secret: KeyringTests.password)
            try await home.set(
                "--for", "keyring", "http://\(index)/legacy", "eve", secret: "of another account")
            let uploaded = try await twine()
            #expect(uploaded.status == 0, "\(uploaded)")
            try await expectLocked(twine)
        }
    }

    private static let wheel = """
        def wheel(name="notes"):
            folder = f"{name}-1.0.dist-info"
            names = [f"{name}.py"] + [f"{folder}/{file}" for file in ("METADATA", "WHEEL", "RECORD")]
            texts = ["", f"Metadata-Version: 2.1\\nName: {name}\\nVersion: 1.0\\n",
                     "Wheel-Version: 1.0\\nGenerator: test\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n",
                     "".join(f"{file},,\\n" for file in names)]
            file = io.BytesIO()
            with zipfile.ZipFile(file, "w") as packed:
                for part, text in zip(names, texts):
                    packed.writestr(part, text)
            return file.getvalue()
        """

    private static let index = """
        password, others = arguments
        \(wheel)
        class Handler(Base):
            def isKnown(self):
                login = f"eve:{others}" if self.path.startswith("/eve/") else f"ada:{password}"
                login = base64.b64encode(login.encode()).decode()
                return self.headers.get("Authorization") == f"Basic {login}"
            def do_HEAD(self):
                self.do_GET()
            def do_GET(self):
                if not self.isKnown():
                    return self.reply(401, WWW_Authenticate='Basic realm="index"')
                name = self.path.rstrip("/").split("/")[-1]
                if name.endswith(".whl"):
                    return self.reply(200, wheel(name.split("-")[0]))
                if not self.path.startswith(("/simple/notes", "/eve/simple/eves")):
                    return self.reply(404)
                file = f"{name}-1.0-py3-none-any.whl"
                self.reply(200, f'<a href="../../files/{file}">{file}</a>'.encode(), Content_Type="text/html")
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

    fileprivate static let poetry = Need(missing: "there is no poetry 2") {
        try await succeeds("sh", "-c", "poetry --version | grep -q 'version [2-9]'")
    }

    fileprivate static let hatch = Need(missing: "there is no hatch") {
        try await succeeds("hatch", "--version")
    }

    fileprivate static let pdm = Need(missing: "there is no pdm") {
        try await succeeds("pdm", "--version")
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

extension Outcome {
    /// What a program printed, wherever.
    fileprivate var everything: String { outputText + errorText }
}
