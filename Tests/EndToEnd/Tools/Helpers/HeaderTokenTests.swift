import Foundation
import Testing
@testable import EndToEndRig

/// The helpers of bazel, vault and pnpm, started as these do. The clients are scripts: Debian has neither bazel
/// with credential helpers nor vault nor pnpm.
@Suite(.timeLimit(.minutes(10)))
struct HeaderTokenTests {
    let home: ScratchHome
    private static let token = "token-bilby.0123456789_abc"

    init() throws {
        home = try ScratchHome()
    }

    /// Runs a helper without a terminal, with a request that only bazel and vault's `store` have.
    private func ask(
        _ helper: String, _ arguments: String..., input: String = "",
        variables: [String: String?] = [:]
    ) async throws -> Outcome {
        try await home.command(
            "setsid", ["--wait", helper] + arguments, input: Array(input.utf8),
            variables: variables
        ).run()
    }

    @Test func bazel() async throws {
        let request = #"{"uri":"https://cache.example.com/ac/1"}"#
        try await home.set("--for", "bazel", "https://cache.example.com", secret: Self.token)
        try await home.set("--for", "bazel", "https://rpm.example.com", "ada", secret: "hunter2")
        expectAnswer(
            try await ask("bazel-credential-lanyard", "get", input: request),
            "{\"headers\":{\"Authorization\":[\"Bearer \(Self.token)\"]}}\n")
        expectAnswer(
            try await ask(
                "bazel-credential-lanyard", "get", input: #"{"uri":"https://rpm.example.com"}"#),
            "{\"headers\":{\"Authorization\":[\"Basic YWRhOmh1bnRlcjI=\"]}}\n")
        expectAnswer(
            try await ask(
                "bazel-credential-lanyard", "get", input: #"{"uri":"https://example.com"}"#),
            "{\"headers\":{}}\n")
        try await home.setPassphrase()
        let locked = try await ask("bazel-credential-lanyard", "get", input: request)
        expectRefusal(locked, "the keychain 'login' is locked", secret: Self.token)
    }

    /// Asks as a client does, with its limit of time, and fetches with the answer. Neither protocol tells the helper that
    /// a server has rejected a token.
    @Test(
        .needs(.python),
        arguments: [
            (
                "bazel",
                """
                answer = ask(["bazel-credential-lanyard", "get"], json.dumps({"uri": url}), 10)
                headers = {name: values[0] for name, values in json.loads(answer)["headers"].items()}
                """
            ),
            (
                "npm",
                """
                token = ask(["pnpm-token-lanyard", url.removesuffix("notes")], "", 60).strip()
                headers = {"Authorization": token if re.match("[A-Za-z]+ ", token) else "Bearer " + token}
                """
            ),
        ])
    func aWrongSecret(tool: String, protocolOfTool: String) async throws {
        let client = """
            import json, re, subprocess, sys, urllib.error, urllib.request
            def ask(command, request, limit):
                answer = subprocess.run(command, input=request, capture_output=True, timeout=limit, text=True)
                sys.stderr.write(answer.stderr)
                if answer.returncode != 0:
                    sys.exit(answer.returncode)
                return answer.stdout
            url = sys.argv[1]
            \(protocolOfTool)
            try:
                print(urllib.request.urlopen(urllib.request.Request(url, headers=headers)).read().decode())
            except urllib.error.HTTPError as error:
                print(error.code)
            """
        let server = ScriptedServer(
            script: """
                class Handler(Base):
                    def do_GET(self):
                        isKnown = self.headers.get("Authorization") == "Bearer " + arguments[0]
                        self.reply(200, b"fetched") if isKnown else self.reply(401)
                """, arguments: [Self.token])
        try await server.serve(home) { [self] port in
            let address = "http://127.0.0.1:\(port)/"
            func fetch() async throws -> Outcome {
                try await ask("python3", "-c", client, "\(address)notes")
            }
            try await home.set("--for", tool, address, secret: "wrong")
            expectAnswer(try await fetch(), "401\n")
            try await home.set("--for", tool, address, secret: Self.token)
            expectAnswer(try await fetch(), "fetched\n")
            try await home.setPassphrase()
            expectRefusal(try await fetch(), "is locked", secret: Self.token)
        }
    }

    /// vault starts its helper with a shell, and takes all of the output as the token.
    @Test func vault() async throws {
        let variables = ["VAULT_ADDR": "https://vault.example.com:8200"]
        func vault(_ operation: String, _ input: String = "") async throws -> Outcome {
            try await ask(
                "sh", "-c", "vault-token-lanyard \(operation)", input: input, variables: variables)
        }
        expectAnswer(try await vault("get"), "")
        expectAnswer(try await vault("store", Self.token), "")
        expectAnswer(try await vault("get"), Self.token)
        let other = try await ask("vault-token-lanyard", "get")
        expectAnswer(other, "")
        // Another server has a token of its own.
        let second = ["VAULT_ADDR": "https://vault.example.org:8200"]
        expectAnswer(
            try await ask("vault-token-lanyard", "store", input: "second", variables: second), "")
        expectAnswer(try await ask("vault-token-lanyard", "get", variables: second), "second")
        expectAnswer(try await vault("get"), Self.token)
        try await home.setPassphrase()
        expectRefusal(
            try await vault("get"), "the keychain 'login' is locked", secret: Self.token)
        // No secret has to be read for it.
        expectAnswer(try await vault("erase"), "")
        expectAnswer(try await vault("get"), "")
        #expect(try home.file(with: Self.token) == nil)
    }

    /// As pnpm 10 does: the setting is a path, which a shell starts with standard input closed.
    @Test func pnpm() async throws {
        let setup = [
            "lanyard", "setup", "pnpm", "https://npm.example.com/", "https://npm.example.org/",
        ]
        // It names what is still missing.
        let commands = ["com", "org"].map { "lanyard set --for npm https://npm.example.\($0)/\n" }
        let first = try await ask(setup[0], setup[1], setup[2], setup[3], setup[4])
        #expect(
            first.outputText.hasSuffix("next      \(commands[0])          \(commands[1])"),
            "\(first)")
        func pnpm(_ registry: String) async throws -> Outcome {
            let place = registry.dropFirst("https:".count)
            let settings = try #require(home.textAtHome(".npmrc")).split(separator: "\n")
            let start = "\(place):tokenHelper="
            let helper = try #require(
                settings.first { $0.hasPrefix(start) }?.dropFirst(start.count))
            #expect(FileManager.default.isExecutableFile(atPath: String(helper)))
            return try await ask("sh", "-c", "exec \(helper) <&-")
        }
        try await home.set("--for", "npm", "https://npm.example.com/", secret: Self.token)
        expectAnswer(try await pnpm("https://npm.example.com/"), "Bearer \(Self.token)\n")
        expectRefusal(
            try await pnpm("https://npm.example.org/"), "found no token", secret: Self.token)
        let again = try await ask(setup[0], setup[1], setup[2], setup[3], setup[4])
        #expect(again.outputText.hasSuffix("next      \(commands[1])"), "\(again)")
        try await home.set("--for", "npm", "https://npm.example.org/", secret: "second")
        expectAnswer(try await pnpm("https://npm.example.org/"), "Bearer second\n")
        expectAnswer(try await pnpm("https://npm.example.com/"), "Bearer \(Self.token)\n")
        try await home.setPassphrase()
        expectRefusal(
            try await pnpm("https://npm.example.com/"), "is locked", secret: Self.token)
    }
}
