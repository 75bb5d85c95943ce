import Testing
@testable import EndToEndRig

/// A registry that talks to clients with a certificate alone: skopeo, podman and buildah take a folder with the
/// certificate and its key, here with links to files in memory.
@Suite(.needs(.openssl, .registry, .skopeo), .timeLimit(.minutes(10)))
struct RegistryCertificateTests {
    let home: ScratchHome
    let made: MadeCertificates
    private let user = MadeCertificates.user

    init() async throws {
        home = try ScratchHome()
        made = try await MadeCertificates(home)
        try await home.importCertificates(
            made.path("bundle.pem"), expecting: "1 key, 3 certificates")
        try home.configureClients(.everything)
    }

    /// The recipe of the manual: runs the client with `FOLDER` as the folder.
    private static let script = """
        folder=$(mktemp -d "$XDG_RUNTIME_DIR/certificates.XXXXXX")
        trap 'rm -r "$folder"' EXIT
        ln -s "$CERTIFICATE" "$folder/client.cert"
        ln -s "$KEY" "$folder/client.key"
        cp "$1" "$folder/ca.crt"
        shift
        for argument do
            shift
            [ "$argument" != FOLDER ] || argument=$folder
            set -- "$@" "$argument"
        done
        "$@"
        """

    private func withCertificate(
        _ client: RegistryClient, _ arguments: [String], input: String = "",
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Outcome {
        var command = try home.client(client, arguments, input: input)
        command.arguments =
            [
                "exec", "--certificate", "CERTIFICATE=\(user)", "--private-key", "KEY=\(user)",
                "--",
                "sh", "-euc", Self.script, "sh", made.path("root.pem"), client.rawValue,
            ] + arguments
        command.program = "lanyard"
        let outcome = try await command.run()
        #expect(outcome.status == 0, "\(outcome)", sourceLocation: sourceLocation)
        let left = try Snapshot("\(home.path)/home/run").entries.keys
        #expect(!left.contains { $0.contains("certificates.") }, sourceLocation: sourceLocation)
        return outcome
    }

    @Test func skopeoPushesAndInspects() async throws {
        try await Registry.serve(home, certificates: made) { [home, made] registry in
            let login = try await home.run(.docker, ["store"], input: registry.login())
            #expect(login.status == 0, "\(login)")
            let image = try await home.makeImage()
            let inspect = ["inspect", "--cert-dir"]
            try await home.shell(
                "mkdir \"$1\" && cp \"$2\" \"$1/ca.crt\"", "\(home.path)/ca", made.path("root.pem"))
            try await home.fails(
                .skopeo, inspect + ["\(home.path)/ca", registry.image()], saying: "bad certificate")
            _ = try await withCertificate(
                .skopeo, ["copy", "--dest-cert-dir", "FOLDER", image.name, registry.image()])
            let inspected = try await withCertificate(
                .skopeo, inspect + ["FOLDER", registry.image()])
            #expect(inspected.outputText.contains("\"\(registry.host)/notes\""), "\(inspected)")
        }
    }

    @Test(.needs(.podman)) func podmanLogsIn() async throws {
        try await logsIn(.podman)
    }

    @Test(.needs(.buildah)) func buildahLogsIn() async throws {
        try await logsIn(.buildah)
    }

    private func logsIn(_ client: RegistryClient) async throws {
        try await Registry.serve(home, certificates: made) { [home] registry in
            let outcome = try await withCertificate(
                client,
                [
                    "login", "--cert-dir", "FOLDER", "--username", Registry.user,
                    "--password-stdin", registry.host,
                ], input: Registry.password)
            #expect(outcome.outputText.contains("Login Succeeded!"), "\(outcome)")
            try await home.expectKept(registry)
        }
    }

    @Test(.needs(.podman, .podmanImages)) func podmanPulls() async throws {
        try await Registry.serve(home, certificates: made) { [home] registry in
            let login = try await home.run(.docker, ["store"], input: registry.login())
            #expect(login.status == 0, "\(login)")
            _ = try await withCertificate(
                .skopeo,
                [
                    "copy", "--dest-cert-dir", "FOLDER", try await home.makeImage().name,
                    registry.image(),
                ])
            _ = try await withCertificate(
                .podman, ["pull", "--cert-dir", "FOLDER", registry.image()])
            let images = try await home.succeeds(.podman, ["images", "--noheading"])
            #expect(images.outputText.contains("\(registry.host)/notes "), "\(images)")
        }
    }
}
