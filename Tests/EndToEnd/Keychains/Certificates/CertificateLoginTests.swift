import Testing
@testable import EndToEndRig

/// Real clients, and a server that talks to those with a certificate alone.
@Suite(.needs(.openssl, .tls, .git, .lighttpd, .curl), .timeLimit(.minutes(10)))
struct CertificateLoginTests {
    let home: ScratchHome
    let made: MadeCertificates
    private let user = MadeCertificates.user

    init() async throws {
        home = try ScratchHome()
        made = try await MadeCertificates(home)
        try await home.importCertificates(
            made.path("bundle.pem"), expecting: "1 key, 3 certificates")
        try await home.configureGit()
        try await home.succeeds(
            "git", "config", "--global", "http.sslCAInfo", made.path("root.pem"))
    }

    private func serve(
        _ body: @escaping @Sendable (GitServer) async throws -> Void
    ) async throws {
        try await GitServer.serve(
            home,
            at: GitServer.Address(
                certificate: made.path("server-with-key.pem"),
                clientAuthority: made.path("root.pem")), body)
    }

    @Test func curl() async throws {
        try await serve { [home, made, user] server in
            let curl = [
                "curl", "-sS", "-o", "/dev/null", "-w", "%{http_code}", "--cacert",
                made.path("root.pem"), "\(server.url())/info/refs?service=git-upload-pack",
            ]
            let without = try await home.command("curl", Array(curl.dropFirst())).run()
            #expect(without.status != 0, "\(without)")
            // The password is another matter.
            for arguments in [
                ["--identity", "I=\(user)", "--"] + curl + ["--cert", "{I}"],
                ["--certificate", "C=\(user)", "--private-key", "K=\(user)", "--"] + curl
                    + ["--cert", "{C}", "--key", "{K}"],
            ] {
                let outcome = try await home.lanyardAlone(["exec"] + arguments)
                #expect(outcome.status == 0 && outcome.outputText == "401", "\(outcome)")
            }
            try await home.set(server.origin, "ada", secret: "right")
            let both = try await home.lanyardAlone(
                ["exec", "--identity", "I=\(user)", "--netrc", "N=\(server.origin)", "--"] + curl
                    + ["--cert", "{I}", "--netrc-file", "{N}"])
            #expect(both.status == 0 && both.outputText == "200", "\(both)")
        }
    }

    /// Options of git's, or its variables: the login comes from the helper.
    @Test func gitClonesAndPushes() async throws {
        try await serve { [home, user] server in
            try await home.store("\(server.request)username=ada\npassword=right\n")
            let refused = try await home.git("ls-remote", server.url())
            #expect(refused.status == 128, "\(refused)")
            let clone = "\(home.path)/clone"
            let pair = ["exec", "--certificate", "C=\(user)", "--private-key", "K=\(user)", "--"]
            let cloned = try await home.lanyardAlone(
                pair + [
                    "git", "-c", "http.sslCert={C}", "-c", "http.sslKey={K}", "clone", "--quiet",
                    server.url(), clone,
                ])
            expectAnswer(cloned, "")
            try await home.succeeds("git", "-C", clone, "commit", "--allow-empty", "-m", "mine")
            let pushed = try await home.lanyardAlone(
                [
                    "exec", "--certificate", "GIT_SSL_CERT=\(user)", "--private-key",
                    "GIT_SSL_KEY=\(user)", "--", "git", "-C", clone, "push", "--quiet", "origin",
                    "main",
                ])
            expectAnswer(pushed, "")
            #expect(
                try await home.commit("main", in: clone)
                    == home.commit("main", in: server.repository()))
            let configuration = try await home.succeeds("git", "-C", clone, "config", "--list")
            #expect(!configuration.outputText.contains("/proc/"), "\(configuration)")
        }
    }
}
