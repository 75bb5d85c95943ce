import Testing
@testable import EndToEndRig

/// kubectl-credential-lanyard gives kubectl and Kubernetes' library for Python certificates and tokens. A script asks
/// and answers as kubectl does, for where both are missing.
@Suite(.needs(.openssl, .python), .timeLimit(.minutes(10)))
struct KubectlTests {
    let home: ScratchHome
    let made: MadeCertificates
    private let user = MadeCertificates.user
    private static let token = "token-bilby.0123456789_abc"

    init() async throws {
        home = try ScratchHome()
        made = try await MadeCertificates(home)
        try await home.importCertificates(
            made.path("bundle.pem"), expecting: "1 key, 3 certificates")
    }

    /// Runs a test with each client that is here, and says which.
    private func withClients(
        _ test: String = #function,
        _ body: @escaping @Sendable (ClusterServer, ClusterClient) async throws -> Void
    ) async throws {
        var clients: [ClusterClient] = []
        for client in ClusterClient.allCases {
            if let missing = await client.need.reasonToSkip {
                print("skipped: part of \(test): \(missing)")
            } else {
                clients.append(client)
            }
        }
        try await ClusterServer.serve(home, made) { [clients] server in
            for client in clients {
                try await body(server, client)
            }
        }
    }

    private func expect(
        _ outcome: Outcome, certificate: JSONText = nil, authorization: JSONText = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        #expect(
            outcome.status == 0 && outcome.errorText == "", "\(outcome)",
            sourceLocation: sourceLocation)
        let seen = try JSONText(outcome.output)
        #expect(
            seen == ["certificate": certificate, "authorization": authorization], "\(outcome)",
            sourceLocation: sourceLocation)
    }

    @Test func aCertificate() async throws {
        try await withClients { [home, user] server, client in
            for version in ["v1", "v1beta1"] {
                try expect(
                    try await client.login(user, to: server, version: version, in: home),
                    certificate: .string(user))
            }
            let unknown = try await client.login("nobody", to: server, in: home)
            #expect(unknown.status != 0 && unknown.output.isEmpty, "\(unknown)")
            #expect(
                unknown.errorText.contains("lanyard: error: found no certificate 'nobody'"),
                "\(unknown)")
        }
    }

    @Test func aTokenByURLAndByCluster() async throws {
        try await withClients { [home] server, client in
            let missing = try await client.login(
                "cluster", to: server, namesCluster: true, in: home)
            #expect(missing.status != 0, "\(missing)")
            #expect(
                missing.errorText.contains("lanyard: hint: lanyard set --for kubectl https://"),
                "\(missing)")
            try await home.set("--for", "kubectl", server.address, secret: Self.token)
            let bearer = JSONText.string("Bearer \(Self.token)")
            try expect(
                try await client.login(server.address, to: server, in: home),
                authorization: bearer)
            try expect(
                try await client.login("cluster", to: server, namesCluster: true, in: home),
                authorization: bearer)
            let unnamed = try await client.login("cluster", to: server, in: home)
            #expect(unnamed.status != 0, "\(unnamed)")
            #expect(
                unnamed.errorText.contains(
                    "lanyard: error: kubectl does not name the cluster\n"
                        + "lanyard: hint: set provideClusterInfo: true in the kubeconfig\n"),
                "\(unnamed)")
            // Of another port there is none.
            let other = try await client.login("https://127.0.0.1:1", to: server, in: home)
            #expect(other.errorText.contains("found no token for 127.0.0.1"), "\(other)")
            try await home.succeeds("lanyard", "remove", "--group", "kubectl", server.address)
        }
    }

    @Test func aWrongToken() async throws {
        try await withClients { [home] server, client in
            try await home.set("--for", "kubectl", server.address, secret: "wrong")
            let wrong = try await client.login(server.address, to: server, in: home)
            #expect(wrong.status != 0 && wrong.output.isEmpty, "\(wrong)")
            #expect(!wrong.errorText.contains("lanyard: "), "\(wrong)")
            try await home.set("--for", "kubectl", server.address, secret: Self.token)
            try expect(
                try await client.login(server.address, to: server, in: home),
                authorization: .string("Bearer \(Self.token)"))
        }
    }

    @Test func twoAccounts() async throws {
        try await withClients { [home] server, client in
            for (account, token) in [("ada", Self.token), ("eve", "token-of-eve")] {
                try await home.set("--for", "kubectl", server.address, account, secret: token)
                try expect(
                    try await client.login(server.address, account: account, to: server, in: home),
                    authorization: .string("Bearer \(token)"))
            }
            let missing = try await client.login(
                server.address, account: "bob", to: server, in: home)
            #expect(missing.status != 0, "\(missing)")
            #expect(missing.errorText.contains("found no token for bob on"), "\(missing)")
        }
    }

    @Test(.needs(.keyrings)) func whileLocked() async throws {
        try await home.setPassphrase()
        try await withClients { [home, user] server, client in
            let locked = try await client.login(user, to: server, in: home)
            #expect(locked.status != 0 && locked.output.isEmpty, "\(locked)")
            #expect(
                locked.errorText.contains("lanyard: error: the keychain 'login' is locked"),
                "\(locked)")
        }
        try await home.forgettingKeys { [home] in
            try await home.unlock()
            try await withClients { [home, user] server, client in
                try expect(
                    try await client.login(user, to: server, in: home), certificate: .string(user))
            }
        }
    }

    @Test func aNamedKeychain() async throws {
        let found = try await home.command(
            "kubectl-credential-lanyard", ["--keychain", "login", user]
        ).run()
        #expect(found.status == 0 && found.errorText == "" && !found.output.isEmpty, "\(found)")
        for keychain in ["other", "-x"] {
            let missing = try await home.command(
                "kubectl-credential-lanyard", ["--keychain", keychain, user]
            ).run()
            expectRefusal(missing, "keychain")
        }
    }

    @Test(
        arguments: [
            ("{", "KUBERNETES_EXEC_INFO is invalid"), ("{}", "is not an ExecCredential"),
            (
                #"{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v9"}"#,
                "unknown version of the protocol"
            ),
            (
                #"{"kind":"Pod","apiVersion":"client.authentication.k8s.io/v1"}"#,
                "is not an ExecCredential"
            ),
        ])
    func anInvalidRequest(request: String, reason: String) async throws {
        let outcome = try await home.command(
            "kubectl-credential-lanyard", [user], variables: ["KUBERNETES_EXEC_INFO": request]
        ).run()
        expectRefusal(outcome, reason)
    }
}
