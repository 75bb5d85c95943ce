import Foundation
import Testing
@testable import EndToEndRig

/// goauth-lanyard gives the real go the login of a module proxy.
@Suite(.needs(.openssl, .python), .timeLimit(.minutes(10)))
struct GoTests {
    private static let password = "go-password-bilby"
    private static let othersPassword = "go-password-quoll"

    let home: ScratchHome
    let made: MadeCertificates

    init() async throws {
        home = try ScratchHome()
        made = try await MadeCertificates(home)
    }

    /// Downloads modules, sixteen of the first proxy without a list.
    private func download(
        _ port: Int, _ modules: [String] = (0..<16).map { "example.com/notes\($0)@v1.0.0" }
    ) async throws -> Outcome {
        let folder = "\(home.path)/go-\(UUID().uuidString)"
        return try await home.command(
            "sh",
            [
                "-c", "cd \"$HOME\" && exec setsid --wait go mod download -modcacherw -json \"$@\"",
                "sh",
            ]
                + modules,
            variables: [
                "GOAUTH": "goauth-lanyard",
                "GOPROXY": "https://127.0.0.1:\(port)/proxy,https://127.0.0.1:\(port)/other",
                "GOSUMDB": "off", "GOTOOLCHAIN": "local", "GOPATH": folder,
                "GOCACHE": "\(folder)/cache", "GOENV": "off", "GOTELEMETRY": "off",
                "SSL_CERT_FILE": made.path("root.pem"),
            ]
        ).run()
    }

    private func withProxy(
        _ body: @escaping @Sendable (Int) async throws -> Void
    ) async throws {
        let server = ScriptedServer(
            script: GoTests.proxy, arguments: [GoTests.password, GoTests.othersPassword],
            certificate: made.path("server-with-key.pem"))
        try await server.serve(home, body)
    }

    @Test(.needs(.go)) func downloadsModules() async throws {
        try await withProxy { [home] port in
            let url = "https://127.0.0.1:\(port)"
            let refused = try await download(port)
            #expect(refused.status == 1 && refused.outputText.contains("401"), "\(refused)")
            try await home.set("--for", "go", url, "ada", secret: "wrong")
            let wrong = try await download(port)
            #expect(wrong.status == 1 && wrong.outputText.contains("401"), "\(wrong)")
            try await home.succeeds("lanyard", "remove", "--group", "go", url, "ada")
            // git's logins serve, too.
            for (tool, address) in [("git", url), ("go", "\(url)/proxy")] {
                try await home.set("--for", tool, address, "ada", secret: GoTests.password)
                let right = try await download(port)
                #expect(right.status == 0 && !right.outputText.contains("Error"), "\(right)")
                try await home.succeeds("lanyard", "remove", "--group", tool, address, "ada")
            }
            #expect(home.files(containing: GoTests.password) == [])
        }
    }

    /// Two proxies of one host.
    @Test(.needs(.go)) func eachProxyHasItsLogin() async throws {
        try await withProxy { [home] port in
            let url = "https://127.0.0.1:\(port)"
            try await home.set("--for", "go", "\(url)/proxy", "ada", secret: GoTests.password)
            try await home.set(
                "--for", "go", "\(url)/other", "eve", secret: GoTests.othersPassword)
            let both = try await download(
                port, ["example.com/notes@v1.0.0", "example.com/other@v1.0.0"])
            #expect(both.status == 0 && !both.outputText.contains("Error"), "\(both)")
        }
    }

    @Test(.needs(.go)) func whileLocked() async throws {
        try await withProxy { [home] port in
            try await home.set(
                "--for", "go", "https://127.0.0.1:\(port)", "ada", secret: GoTests.password)
            try await home.setPassphrase()
            let locked = try await download(port)
            #expect(locked.status == 1, "\(locked)")
            // go does not show its helper's errors.
            expectRefusal(
                try await home.command(
                    "setsid", ["--wait", "goauth-lanyard", "https://127.0.0.1:\(port)/proxy"]
                ).run(), "the keychain 'login' is locked")
        }
    }

    /// Calls the helper as go does: first without an address, then with one and the response on standard input.
    @Test func answersAsGoWants() async throws {
        func helper(_ arguments: String...) async throws -> Outcome {
            try await home.command(
                "sh", ["-c", "goauth-lanyard \"$@\" && cat", "sh"] + arguments,
                input: Array("rest".utf8)
            ).run()
        }
        let login = Data("ada:pw".utf8).base64EncodedString()
        let header = "\n\nAuthorization: Basic \(login)\n\n"
        try await home.set("--for", "go", "https://a.example/proxy", "ada", secret: "pw")
        expectAnswer(try await helper(), "rest")
        for address in ["https://a.example/proxy/x/@v/list", "https://a.example/proxy?go-get=1"] {
            expectAnswer(try await helper(address), "https://a.example/proxy\(header)rest")
        }
        for address in [
            "https://a.example/other", "https://a.example:8443/proxy", "https://b.example",
        ] {
            expectAnswer(try await helper(address), "rest")
        }
        let plain = try await helper("http://a.example/proxy")
        expectRefusal(plain, "is not an address of https")
        let calls = try await home.shell(
            "for _ in $(seq 16); do goauth-lanyard https://a.example/proxy & done; wait")
        expectAnswer(
            calls, String(repeating: "https://a.example/proxy\(header)", count: 16))
    }

    private static let proxy = """
        logins = {"proxy": f"ada:{arguments[0]}", "other": f"eve:{arguments[1]}"}
        class Handler(Base):
            def do_GET(self):
                proxy, name = self.path[1:].split("/@v/")[0].split("/", 1)
                login = "Basic " + base64.b64encode(logins[proxy].encode()).decode()
                if self.headers.get("Authorization") != login:
                    return self.reply(401, WWW_Authenticate='Basic realm="proxy"')
                if proxy == "proxy" and name.endswith("other"):
                    return self.reply(404)
                if self.path.endswith(".info"):
                    return self.reply(200, b'{"Version":"v1.0.0","Time":"2020-01-01T00:00:00Z"}')
                text = f"module {name}\\n".encode()
                if self.path.endswith(".mod"):
                    return self.reply(200, text)
                file = io.BytesIO()
                with zipfile.ZipFile(file, "w") as packed:
                    packed.writestr(f"{name}@v1.0.0/go.mod", text)
                self.reply(200, file.getvalue())
        """
}

extension Need {
    fileprivate static let go = Need(missing: "there is no go 1.24 or later") {
        let outcome = try await ScratchHome().command("go", ["version"]).run()
        guard let found = outcome.outputText.firstMatch(of: /go1\.(\d+)/) else {
            return false
        }
        return Int(found.1).map { $0 >= 24 } ?? false
    }
}
