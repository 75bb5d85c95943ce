import Foundation
import Testing
@testable import EndToEndRig

/// terraform-credentials-lanyard gives real terraform the token of a private registry.
@Suite(.needs(.openssl, .python), .timeLimit(.minutes(10)))
struct TerraformTests {
    private static let token = "terraform-token-bilby"

    let home: ScratchHome
    let made: MadeCertificates

    init() async throws {
        home = try ScratchHome()
        made = try await MadeCertificates(home)
    }

    private func terraform(_ arguments: [String], input: String = "") async throws -> Outcome {
        try await home.command(
            "sh",
            ["-c", "cd \"$HOME/project\" && exec setsid --wait terraform \"$@\"", "sh"] + arguments,
            input: Array(input.utf8),
            variables: [
                "SSL_CERT_FILE": made.path("root.pem"), "CHECKPOINT_DISABLE": "1",
                "TF_CLI_ARGS": "-no-color",
                "PATH": "\(home.path)/home/bin:\(try home.environment()["PATH"] ?? "")",
            ]
        ).run()
    }

    private func helper(_ arguments: String..., input: String = "") async throws -> Outcome {
        try await home.command(
            "terraform-credentials-lanyard", arguments, input: Array(input.utf8)
        ).run()
    }

    /// With a module in the project that a registry of its own has.
    private func withRegistry(
        token: String = TerraformTests.token,
        _ body: @escaping @Sendable (String) async throws -> Void
    ) async throws {
        let server = ScriptedServer(
            script: TerraformTests.registry, arguments: [token],
            certificate: made.path("server-with-key.pem"))
        try await server.serve(home) { [home] port in
            let host = "127.0.0.1:\(port)"
            try await home.shell(
                """
                lanyard setup terraform
                mkdir -p "$HOME/project"
                printf 'module "notes-%s" {\\n source = "%s/ada/notes/test"\\n version = "1.0.0"\\n}\\n' \
                    "${1#*:}" "$1" >>"$HOME/project/main.tf"
                """, host)
            try await body(host)
        }
    }

    /// The browser is a script.
    @Test(.needs(.terraform, .curl)) func logsInToTwoHosts() async throws {
        try await home.shell(
            """
            mkdir "$HOME/bin"
            printf '#!/bin/sh\\ncurl -fsSL --cacert %s "$1" >/dev/null 2>&1 &\\n' "$1" >"$HOME/bin/xdg-open"
            chmod +x "$HOME/bin/xdg-open"
            """, made.path("root.pem"))
        let other = "terraform-token-quokka"
        try await withRegistry { first in
            try await withRegistry(token: other) { [home] second in
                for host in [first, second] {
                    let login = try await terraform(["login", host], input: "yes\n")
                    #expect(login.status == 0, "\(login)")
                }
                #expect(home.files(containing: TerraformTests.token) == [])
                let both = try await terraform(["init"])
                #expect(both.status == 0, "\(both)")
                let logout = try await terraform(["logout", first])
                #expect(logout.status == 0, "\(logout)")
                expectAnswer(try await helper("get", first), "{}\n")
                expectAnswer(try await helper("get", second), "{\"token\":\"\(other)\"}\n")
            }
        }
    }

    @Test(.needs(.terraform)) func aPrivateRegistry() async throws {
        try await withRegistry { [home] host in
            let refused = try await terraform(["init"])
            #expect(refused.status == 1, "\(refused)")
            try await home.set("--for", "terraform", host, secret: "wrong")
            let wrong = try await terraform(["init"])
            #expect(wrong.status == 1, "\(wrong)")
            try await home.set("--for", "terraform", host, secret: TerraformTests.token)
            let right = try await terraform(["init"])
            #expect(right.status == 0, "\(right)")
            #expect(home.files(containing: TerraformTests.token) == [])
            let logout = try await terraform(["logout", host])
            #expect(logout.status == 0, "\(logout)")
            expectAnswer(try await helper("get", host), "{}\n")
        }
    }

    @Test(.needs(.terraform)) func whileLocked() async throws {
        try await withRegistry { [home] host in
            try await home.set("--for", "terraform", host, secret: TerraformTests.token)
            try await home.setPassphrase()
            let locked = try await terraform(["init"])
            #expect(locked.status == 1, "\(locked)")
            // terraform does not show its helper's errors.
            expectRefusal(
                try await home.command(
                    "setsid", ["--wait", "terraform-credentials-lanyard", "get", host]
                ).run(), "the keychain 'login' is locked")
        }
    }

    /// What terraform itself does not send.
    @Test func storesAndForgets() async throws {
        let token = "{\"token\":\"\(TerraformTests.token)\"}"
        expectAnswer(try await helper("get", "a.example"), "{}\n")
        expectAnswer(try await helper("store", "a.example", input: token), "")
        expectAnswer(try await helper("get", "A.example:443"), "\(token)\n")
        expectAnswer(try await helper("get", "a.example:8443"), "{}\n")
        let unknown = try await helper(
            "store", "a.example", input: "{\"token\":\"secret-bilby\",\"more\":1}")
        expectRefusal(unknown, "credentials with more than a token can't be stored")
        expectAnswer(try await helper("forget", "a.example"), "")
        expectAnswer(try await helper("forget", "a.example"), "")
        expectAnswer(try await helper("get", "a.example"), "{}\n")
        // Nothing but store reads standard input.
        let reading = try await home.command(
            "sh", ["-c", "terraform-credentials-lanyard get a.example && cat"],
            input: Array("rest".utf8)
        ).run()
        expectAnswer(reading, "{}\nrest")
    }

    private static let registry = """
        import urllib.parse
        token, = arguments
        services = {"modules.v1": "/modules/", "login.v1": {
            "client": "terraform-cli", "grant_types": ["authz_code"], "authz": "/authorize", "token": "/token"}}
        def module():
            file = io.BytesIO()
            with tarfile.open(fileobj=file, mode="w:gz") as packed:
                packed.addfile(tarfile.TarInfo("main.tf"))
            return file.getvalue()
        class Handler(Base):
            def do_GET(self):
                path = self.path.split("?")[0]
                if path == "/.well-known/terraform.json":
                    return self.reply(200, json.dumps(services).encode(), Content_Type="application/json")
                if path == "/authorize":
                    query = dict(urllib.parse.parse_qsl(self.path.split("?")[1]))
                    code = urllib.parse.urlencode({"code": "a-code", "state": query["state"]})
                    return self.reply(302, Location=query["redirect_uri"] + "?" + code)
                if path == "/notes.tar.gz":
                    return self.reply(200, module(), Content_Type="application/gzip")
                if self.headers.get("Authorization") != f"Bearer {token}":
                    return self.reply(401)
                if path == "/modules/ada/notes/test/versions":
                    return self.reply(200, b'{"modules":[{"versions":[{"version":"1.0.0"}]}]}',
                                      Content_Type="application/json")
                if path == "/modules/ada/notes/test/1.0.0/download":
                    return self.reply(204, X_Terraform_Get=origin + "/notes.tar.gz")
                self.reply(404)
            do_HEAD = do_GET
            def do_POST(self):
                form = dict(urllib.parse.parse_qsl(self.body().decode()))
                if form.get("code") != "a-code":
                    return self.reply(400)
                answer = {"access_token": token, "token_type": "bearer"}
                self.reply(200, json.dumps(answer).encode(), Content_Type="application/json")
        """
}

extension Need {
    fileprivate static let terraform = Need(missing: "there is no terraform") {
        try await succeeds("terraform", "version")
    }
}
