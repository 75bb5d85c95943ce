import Foundation
import Testing
@testable import EndToEndRig

/// The command that lanyard-get(1) gives Codex for a model provider.
@Suite(.needs(.python), .timeLimit(.minutes(10)))
struct CodexTests {
    let home: ScratchHome
    private static let token = "sk-bilby.0123456789_abc"

    init() throws {
        home = try ScratchHome()
    }

    /// The real Codex, and a script in place of the provider's server. Codex ends a command after 5 seconds, and calls
    /// it again.
    @Test(.needs(.codex)) func theProviderGetsTheToken() async throws {
        try await ScriptedServer(script: CodexTests.server, arguments: [CodexTests.token])
            .serve(home) { [home] port in
                let command = """
                    [model_providers.work.auth]
                    command = "\(try Programs.folder())/lanyard"
                    args = ["get", "--timeout", "2s", "codex"]
                    timeout_ms = 5000
                    """
                func codex() async throws -> Outcome {
                    try await CodexTests.codex(home, port, command)
                }
                let missing = try await codex()
                #expect(missing.status == 1, "\(missing)")
                #expect(
                    missing.errorText.contains("lanyard: error: item 'codex' not found"),
                    "\(missing)")
                try await home.set("codex", secret: "sk-wrong")
                let wrong = try await codex()
                #expect(wrong.status == 1 && wrong.errorText.contains("wrong key"), "\(wrong)")
                try await home.set("codex", secret: CodexTests.token)
                let right = try await codex()
                #expect(
                    right.status == 0 && right.outputText == "the model's words\n", "\(right)")
                try await home.setPassphrase()
                let locked = try await codex()
                #expect(locked.status == 1, "\(locked)")
                #expect(
                    locked.errorText.contains("lanyard: error: the keychain 'login' is locked"),
                    "\(locked)")
                #expect(home.files(containing: CodexTests.token) == [])
            }
    }

    /// As the profile passes it.
    @Test(.needs(.codex)) func itRunsWithItsProfile() async throws {
        try await ScriptedServer(script: CodexTests.server, arguments: [CodexTests.token])
            .serve(home) { [home] port in
                try await home.set("codex", secret: CodexTests.token)
                let outcome = try await CodexTests.codex(
                    home, port, "requires_openai_auth = true", with: "lanyard", "run")
                #expect(
                    outcome.status == 0 && outcome.outputText == "the model's words\n",
                    "\(outcome)")
                #expect(home.files(containing: CodexTests.token) == [])
            }
    }

    /// Codex' program is in a package of PyPI.
    fileprivate static let program =
        "$(command -v codex || python3 -c 'import codex_cli_bin as c; print(c.bundled_codex_path())')"

    /// Asks the model one question, without a terminal.
    ///
    /// - Parameters:
    ///   - setting: The rest of the provider's settings.
    ///   - command: What starts Codex.
    private static func codex(
        _ home: ScratchHome, _ port: Int, _ setting: String, with command: String...
    ) async throws -> Outcome {
        let folder = "\(home.path)/codex"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        _ = try home.write(
            """
            model = "m"
            model_provider = "work"
            [model_providers.work]
            name = "work"
            base_url = "http://127.0.0.1:\(port)/v1"
            request_max_retries = 0
            stream_max_retries = 0
            \(setting)

            """, to: "codex/config.toml")
        return try await home.command(
            "setsid",
            [
                "--wait", "sh", "-c",
                "cd \"$0\" && exec \"$@\" \"\(program)\" exec --skip-git-repo-check hello </dev/null",
                folder,
            ] + (command.isEmpty ? ["env"] : command), variables: ["CODEX_HOME": folder]
        ).run()
    }

    private static let server = """
        token, = arguments
        class Handler(Base):
            def do_GET(self):
                self.reply(200, b'{"models":[]}')
            def do_POST(self):
                self.body()
                if self.headers.get("Authorization") != "Bearer " + token:
                    return self.reply(401, b'{"error":{"message":"wrong key"}}')
                text = {"type": "output_text", "text": "the model's words"}
                usage = {"input_tokens": 0, "output_tokens": 0, "total_tokens": 0}
                events = [
                    {"type": "response.created", "response": {"id": "1"}},
                    {"type": "response.output_item.done",
                     "item": {"type": "message", "role": "assistant", "id": "2", "content": [text]}},
                    {"type": "response.completed", "response": {"id": "1", "usage": usage}},
                ]
                body = "".join(f"event: {event['type']}\\ndata: {json.dumps(event)}\\n\\n" for event in events)
                self.reply(200, body.encode(), Content_Type="text/event-stream")
        """

    /// A script in place of Codex, where that is missing: it reads all output within `timeout_ms`, without white space
    /// at its ends, and prints the status, the token or the error, and what is left of the command's standard input.
    private static let client = """
        import json, os, subprocess, sys
        read, write = os.pipe()
        os.write(write, b"kept")
        os.close(write)
        answer = subprocess.run(
            json.loads(sys.argv[1]), stdin=read, capture_output=True, timeout=5, text=True)
        print(answer.returncode, answer.stdout.strip() or answer.stderr.strip())
        print(os.read(read, 100).decode())
        """

    /// Without a terminal, but with an askpass program that never answers.
    private func ask() async throws -> Outcome {
        let askpass = try home.write("#!/bin/sh\nsleep 600\n", to: "askpass", mode: 0o700)
        return try await home.command(
            "setsid",
            [
                "--wait", "python3", "-c", Self.client,
                #"["lanyard", "get", "--timeout", "2s", "codex"]"#,
            ], variables: ["LANYARD_ASKPASS": askpass]
        ).run()
    }

    @Test func aTokenInTime() async throws {
        let missing = try await ask()
        #expect(missing.outputText.hasPrefix("44 lanyard: error: "), "\(missing)")
        #expect(missing.outputText.hasSuffix("\nkept\n"), "\(missing)")
        try await home.set("codex", secret: "sk-1")
        expectAnswer(try await ask(), "0 sk-1\nkept\n")
        try await home.setPassphrase()
        let locked = try await ask()
        #expect(
            locked.outputText.hasPrefix("36 lanyard: error: the keychain 'login' is locked"),
            "\(locked)")
        #expect(locked.outputText.contains("lanyard: hint: lanyard unlock"), "\(locked)")
        #expect(locked.outputText.hasSuffix("\nkept\n"), "\(locked)")
    }
}

extension Need {
    fileprivate static let codex = Need(missing: "there is no codex") {
        try await succeeds("sh", "-c", "\"\(CodexTests.program)\" --version")
    }
}
