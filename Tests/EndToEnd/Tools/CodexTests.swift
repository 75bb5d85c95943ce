import Testing

/// The command that lanyard-get(1) gives Codex for a model provider. Codex is in no registry that the tests use, so a
/// script does what it does: it reads all output within `timeout_ms`, without white space at its ends.
@Suite(.needs(.python), .timeLimit(.minutes(10)))
struct CodexTests {
    let home: ScratchHome

    /// Prints the status, the token or the error, and what is left of the command's standard input.
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

    init() throws {
        home = try ScratchHome()
    }

    /// Without a terminal.
    private func ask() async throws -> Outcome {
        try await home.command(
            "setsid",
            ["--wait", "python3", "-c", Self.client, #"["lanyard", "get", "codex"]"#]
        ).run()
    }

    @Test func aToken() async throws {
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
