import Testing

/// kubectl-credential-lanyard gives kubectl certificates and tokens. Without kubectl, a script alone asks and
/// answers as it does.
@Suite(.needs(.openssl, .python), .timeLimit(.minutes(10)))
struct KubectlTests {
    let home: ScratchHome
    let made: MadeCertificates
    private let user = MadeCertificates.user
    private static let token = "token-bilby.0123456789_abc"

    init() async throws {
        home = try ScratchHome()
        made = try await MadeCertificates(home)
        try await home.importCertificates(made.path("bundle.pem"), expecting: "5 new")
    }

    /// Runs a test with each client that is here, and says which.
    private func withClients(
        _ test: String = #function,
        _ body: @escaping @Sendable (ClusterServer, ClusterClient) async throws -> Void
    ) async throws {
        let missing = await Need.kubectl.reasonToSkip
        if let missing {
            print("skipped: part of \(test): \(missing)")
        }
        try await ClusterServer.serve(home, made) { server in
            for client in ClusterClient.allCases where client != .kubectl || missing == nil {
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
