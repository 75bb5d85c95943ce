import Foundation
import Testing
@testable import EndToEndRig

/// `lanyard setup kubectl` moves the logins of a kubeconfig into the keychain, real clients use them, and `--undo` puts
/// every byte back.
@Suite(.needs(.openssl, .python), .timeLimit(.minutes(10)))
struct SetupKubectlTests {
    let home: ScratchHome
    let made: MadeCertificates
    private static let tokens = ["ada": "token-bilby", "eve": "token-of-eve"]

    init() async throws {
        home = try ScratchHome()
        made = try await MadeCertificates(home)
    }

    private var file: String { "\(home.path)/home/.kube/config" }

    private func base64(_ names: String...) throws -> String {
        let bytes = try names.flatMap { try home.read(made.path($0)) }
        return Data(bytes).base64EncodedString()
    }

    /// Two users with tokens and one with a certificate, each with a context; the current one is ada's.
    private func writeConfig(_ server: ClusterServer) throws -> [UInt8] {
        try FileManager.default.createDirectory(
            atPath: "\(home.path)/home/.kube", withIntermediateDirectories: true)
        let users = ["ada", "eve", "robot"]
        let contexts = users.map {
            "- context:\n    cluster: test\n    user: \($0)\n  name: \($0)\n"
        }
        _ = try home.write(
            """
            apiVersion: v1
            clusters:
            - cluster:
                certificate-authority: \(made.path("root.pem"))
                server: \(server.address)
              name: test
            contexts:
            \(contexts.joined())current-context: ada
            kind: Config
            # mine
            preferences: {}
            users:
            - name: ada
              user:
                token: \(Self.tokens["ada"] ?? "")
            - name: eve
              user:
                token: \(Self.tokens["eve"] ?? "")
            - name: robot
              user:
                client-certificate-data: \(try base64("ada.pem", "issuer.pem"))
                client-key-data: \(try base64("ada.key"))

            """, to: "home/.kube/config")
        return try home.read(file)
    }

    private func ask(_ client: ClusterClient, _ user: String) async throws -> Outcome {
        let text = String(decoding: try home.read(file), as: UTF8.self)
        let other = try home.write(
            text.replacingOccurrences(of: "current-context: ada", with: "current-context: \(user)"),
            to: "kubeconfig-\(UUID().uuidString)")
        return try await client.ask(with: other, in: home)
    }

    private func expectLogins(_ client: ClusterClient) async throws {
        for (user, token) in Self.tokens {
            let outcome = try await ask(client, user)
            #expect(
                outcome.status == 0 && outcome.outputText.contains("Bearer \(token)"), "\(outcome)")
        }
        let outcome = try await ask(client, "robot")
        #expect(outcome.status == 0, "\(outcome)")
        #expect(outcome.outputText.contains(MadeCertificates.user), "\(outcome)")
    }

    @Test func movesAndUndoes() async throws {
        var clients: [ClusterClient] = []
        for client in [ClusterClient.kubectl, .library] {
            if let missing = await client.need.reasonToSkip {
                print("skipped: part of movesAndUndoes: \(missing)")
            } else {
                clients.append(client)
            }
        }
        try await ClusterServer.serve(home, made) { [home, file, clients] server in
            let original = try writeConfig(server)
            let plan = try await home.lanyard("setup", "kubectl", "--dry-run", "eve", "robot")
            #expect(plan.status == 0 && !plan.outputText.contains("token-of-eve"), "\(plan)")
            #expect(try home.read(file) == original)
            // One after the other.
            try await home.succeeds("lanyard", "setup", "kubectl")
            try await home.succeeds("lanyard", "setup", "kubectl", "eve", "robot")
            #expect(home.files(containing: "token-") == [])
            #expect(home.files(containing: try base64("ada.key")) == [])
            for client in clients {
                try await expectLogins(client)
            }
            try await home.succeeds("lanyard", "setup", "kubectl", "--undo")
            #expect(try home.read(file) == original)
            for client in clients {
                try await expectLogins(client)
            }
            let nothing = try await home.lanyard("setup", "kubectl", "--undo")
            #expect(nothing.status == 44, "\(nothing)")
        }
    }

    /// Several clusters call their user the same, and a user may have imported a certificate before.
    @Test func certificatesOfOneName() async throws {
        try await home.importCertificates(made.path("ada.pem"), expecting: "1 certificate")
        try FileManager.default.createDirectory(
            atPath: "\(home.path)/home/.kube", withIntermediateDirectories: true)
        for name in ["ada", "server"] {
            _ = try home.write(
                """
                clusters:
                - cluster:
                    server: https://a.example:6443
                  name: one
                contexts:
                - context:
                    cluster: one
                    user: cluster
                  name: one
                current-context: one
                users:
                - name: cluster
                  user:
                    client-certificate-data: \(try base64("\(name).pem"))
                    client-key-data: \(try base64("\(name).key"))

                """, to: "home/.kube/config")
            try await home.succeeds("lanyard", "setup", "kubectl")
            let text = String(decoding: try home.read(file), as: UTF8.self)
            let argument = try #require(
                text.split(separator: "\n").map { $0.drop { $0 == " " } }
                    .first { $0.hasPrefix("- \"") }?.dropFirst(3).dropLast())
            let answer = try await home.command(
                "kubectl-credential-lanyard", [String(argument)]
            ).run()
            #expect(answer.status == 0, "\(answer)")
            let pem = String(decoding: try home.read(made.path("\(name).pem")), as: UTF8.self)
            #expect(
                try JSONText(answer.output).members["status"]?.members["clientCertificateData"]
                    == .string(pem), "\(answer)")
        }
    }

    /// Without the passphrase nothing can move, and nothing be put back.
    @Test(.needs(.keyrings)) func whileLocked() async throws {
        try await home.setPassphrase()
        try await ClusterServer.serve(home, made) { [home, file] server in
            let original = try writeConfig(server)
            let locked = try await home.command(
                "setsid", ["--wait", "lanyard", "setup", "kubectl"]
            ).run()
            #expect(locked.status != 0 && locked.errorText.contains("is locked"), "\(locked)")
            #expect(try home.read(file) == original)
        }
    }
}
