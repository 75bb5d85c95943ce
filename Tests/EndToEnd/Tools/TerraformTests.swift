import Foundation
import Testing

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

    private func terraform(_ arguments: [String]) async throws -> Outcome {
        try await home.command(
            "sh",
            ["-c", "cd \"$HOME/project\" && exec setsid --wait terraform \"$@\"", "sh"] + arguments,
            variables: [
                "SSL_CERT_FILE": made.path("root.pem"), "CHECKPOINT_DISABLE": "1",
                "TF_CLI_ARGS": "-no-color",
            ]
        ).run()
    }

    private func withRegistry(
        _ body: @escaping @Sendable (String) async throws -> Void
    ) async throws {
        let server = ScriptedServer(
            script: TerraformTests.registry, arguments: [TerraformTests.token],
            certificate: made.path("server-with-key.pem"))
        try await server.serve(home) { [home] port in
            let host = "127.0.0.1:\(port)"
            try await home.shell(
                """
                mkdir -p "$HOME/.terraform.d/plugins" "$HOME/project"
                ln -s "$(command -v terraform-credentials-lanyard)" "$HOME/.terraform.d/plugins/"
                echo 'credentials_helper "lanyard" {}' >"$HOME/.terraformrc"
                printf 'module "notes" {\\n source = "%s/ada/notes/test"\\n version = "1.0.0"\\n}\\n' \
                    "$1" >"$HOME/project/main.tf"
                """, host)
            try await body(host)
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
            let forgotten = try await home.command("terraform-credentials-lanyard", ["get", host])
                .run()
            expectAnswer(forgotten, "{}\n")
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

    /// terraform stores a token only after a login in a browser: this calls the helper as it does.
    @Test func storesAndForgets() async throws {
        func helper(_ arguments: String..., input: String = "") async throws -> Outcome {
            try await home.command(
                "terraform-credentials-lanyard", arguments, input: Array(input.utf8)
            ).run()
        }
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
        token, = arguments
        def module():
            file = io.BytesIO()
            with tarfile.open(fileobj=file, mode="w:gz") as packed:
                packed.addfile(tarfile.TarInfo("main.tf"))
            return file.getvalue()
        class Handler(Base):
            def do_GET(self):
                path = self.path.split("?")[0]
                if path == "/.well-known/terraform.json":
                    return self.reply(200, b'{"modules.v1":"/modules/"}', Content_Type="application/json")
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
        """
}

extension Need {
    fileprivate static let terraform = Need(missing: "there is no terraform") {
        try await succeeds("terraform", "version")
    }
}
