import Foundation
import Testing
@testable import EndToEndRig

/// vault-token-lanyard and real OpenBao, whose protocol for token helpers is vault's; the server is a script.
@Suite(.needs(.openBao, .python), .timeLimit(.minutes(10)))
struct OpenBaoTests {
    private static let token = "token-bilby.0123456789_abc"

    let home: ScratchHome

    init() throws {
        home = try ScratchHome()
    }

    private func bao(
        _ address: String, _ arguments: String..., input: String = ""
    ) async throws -> Outcome {
        try await home.command(
            "setsid", ["--wait", "bao"] + arguments, input: Array(input.utf8),
            variables: ["BAO_ADDR": address]
        ).run()
    }

    @Test func logsInAndLooksUp() async throws {
        try await ScriptedServer(script: OpenBaoTests.server, arguments: [OpenBaoTests.token])
            .serve(home) { [home] port in
                let address = "http://127.0.0.1:\(port)"
                try await home.succeeds("lanyard", "setup", "vault")
                func lookUp(_ address: String = address) async throws -> Outcome {
                    try await bao(address, "token", "lookup")
                }
                let missing = try await lookUp()
                #expect(missing.status == 2, "\(missing)")
                #expect(missing.errorText.contains("permission denied"), "\(missing)")
                let login = try await bao(address, "login", "-", input: OpenBaoTests.token)
                #expect(login.status == 0, "\(login)")
                #expect(home.files(containing: OpenBaoTests.token) == [])
                let found = try await lookUp()
                #expect(found.status == 0 && found.outputText.contains("an-accessor"), "\(found)")
                // Another server does not get it.
                let other = try await lookUp("http://localhost:\(port)")
                #expect(other.status == 2, "\(other)")

                try await home.set("--for", "vault", address, secret: "wrong")
                let wrong = try await lookUp()
                #expect(wrong.status == 2, "\(wrong)")
                #expect(wrong.errorText.contains("permission denied"), "\(wrong)")
                let again = try await bao(address, "login", "-", input: OpenBaoTests.token)
                #expect(again.status == 0, "\(again)")
                #expect(try await lookUp().status == 0)

                try await home.setPassphrase()
                let locked = try await lookUp()
                #expect(locked.status != 0 && locked.output.isEmpty, "\(locked)")
                #expect(
                    locked.errorText.contains("lanyard: error: the keychain 'login' is locked"),
                    "\(locked)")
                try await home.succeeds("lanyard", "setup", "vault", "--undo")
                #expect(!FileManager.default.fileExists(atPath: "\(home.path)/home/.bao"))
            }
    }

    private static let server = """
        token, = arguments
        class Handler(Base):
            def do_GET(self):
                if self.headers.get("X-Vault-Token") != token:
                    return self.reply(403, b'{"errors":["permission denied"]}')
                data = {"id": token, "accessor": "an-accessor", "ttl": 0, "policies": ["root"], "type": "service"}
                self.reply(200, json.dumps({"data": data}).encode())
        """
}

extension Need {
    fileprivate static let openBao = Need(missing: "there is no bao, of OpenBao") {
        try await succeeds("bao", "version")
    }
}
