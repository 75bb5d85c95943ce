import Foundation
import Testing

/// A server that speaks https as a cluster's does, and answers with the login that it was given, in JSON;
/// it refuses the token `wrong`.
struct ClusterServer: Sendable {
    /// `https://127.0.0.1:12345`, say.
    let address: String
    /// The certificates of the server and of those whom it knows.
    let made: MadeCertificates

    /// Runs a server while `body` runs.
    static func serve<Result: Sendable>(
        _ home: ScratchHome, _ made: MadeCertificates,
        _ body: @escaping @Sendable (ClusterServer) async throws -> Result
    ) async throws -> Result {
        let file = "\(home.path)/port-\(UUID().uuidString)"
        // The server ends with its standard input, so it can't outlive the tests.
        var command = try home.command(
            "python3",
            ["-c", script, made.path("server-with-key.pem"), made.path("root.pem"), file])
        command.timeLimit = .seconds(300)
        return try await command.run { _ in
            var port = ""
            for _ in 0..<1200 where port.isEmpty {
                port = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
                try await Task.sleep(for: .milliseconds(25))
            }
            try #require(!port.isEmpty, "the server does not start")
            return try await body(
                ClusterServer(address: "https://127.0.0.1:\(port)", made: made))
        }.result
    }

    private static let script = """
        import http.server, json, os, ssl, sys, threading
        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            def do_GET(self):
                subject = (self.connection.getpeercert() or {}).get("subject", ())
                names = [value for name in subject for key, value in name if key == "commonName"]
                body = json.dumps({"certificate": names[0] if names else None,
                                   "authorization": self.headers.get("Authorization")}).encode()
                self.send_response(401 if self.headers.get("Authorization") == "Bearer wrong" else 200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)
            def log_message(self, *arguments):
                pass
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(sys.argv[1])
        context.load_verify_locations(sys.argv[2])
        context.verify_mode = ssl.CERT_OPTIONAL
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        server.daemon_threads = True
        server.socket = context.wrap_socket(server.socket, server_side=True)
        with open(sys.argv[3] + ".new", "w") as file:
            file.write(str(server.server_port))
        os.rename(sys.argv[3] + ".new", sys.argv[3])
        threading.Thread(target=server.serve_forever, daemon=True).start()
        sys.stdin.read()
        """
}

/// A program that asks kubectl-credential-lanyard for a login, and uses it.
enum ClusterClient: String, CaseIterable, Sendable {
    /// The real one.
    case kubectl
    /// Kubernetes' library for Python.
    case library
    /// A program in Python that does the same, for where there is no kubectl.
    case scripted

    /// What it takes.
    var need: Need {
        switch self {
        case .kubectl: .kubectl
        case .library: .kubernetesLibrary
        case .scripted: .python
        }
    }

    /// What the server saw of the login, or how the client failed.
    ///
    /// - Parameters:
    ///   - what: The helper's argument.
    ///   - account: Its second argument.
    ///   - namesCluster: Whether the client tells the helper which cluster it is.
    func login(
        _ what: String, account: String? = nil, to server: ClusterServer,
        namesCluster: Bool = false, version: String = "v1", in home: ScratchHome
    ) async throws -> Outcome {
        let arguments = [what, account].compactMap(\.self)
        switch self {
        case .kubectl, .library:
            let list = arguments.map { "\"\($0)\"" }.joined(separator: ", ")
            let file = try home.write(
                """
                apiVersion: v1
                kind: Config
                current-context: test
                contexts: [{name: test, context: {cluster: test, user: ada}}]
                clusters:
                - name: test
                  cluster:
                    server: \(server.address)
                    certificate-authority: \(server.made.path("root.pem"))
                users:
                - name: ada
                  user:
                    exec:
                      apiVersion: client.authentication.k8s.io/\(version)
                      command: kubectl-credential-lanyard
                      args: [\(list)]
                      interactiveMode: IfAvailable
                      provideClusterInfo: \(namesCluster)

                """, to: "kubeconfig-\(UUID().uuidString)")
            return try await ask(with: file, in: home)
        case .scripted:
            return try await home.command(
                "setsid",
                [
                    "--wait", "python3", "-c", Self.script, server.address,
                    server.made.path("root.pem"), "client.authentication.k8s.io/\(version)",
                    namesCluster ? "yes" : "no", "kubectl-credential-lanyard",
                ] + arguments
            ).run()
        }
    }

    /// What the server saw of the login in a kubeconfig, or how the client failed. The script can't take one.
    func ask(with kubeconfig: String, in home: ScratchHome) async throws -> Outcome {
        let client =
            self == .kubectl
            ? ["kubectl", "--kubeconfig", kubeconfig, "get", "--raw", "/who"]
            : ["python3", "-W", "ignore", "-c", Self.libraryScript, kubeconfig]
        return try await home.command("setsid", ["--wait"] + client).run()
    }

    /// Without a login the library goes on as no one: here, that is a failure.
    private static let libraryScript = """
        import logging, sys
        class Failure(logging.Handler):
            def emit(self, record):
                sys.exit(record.getMessage())
        logging.getLogger().addHandler(Failure(logging.ERROR))
        from kubernetes import client, config
        config.load_kube_config(sys.argv[1])
        headers, configuration = {}, client.Configuration.get_default_copy()
        for name, setting in configuration.auth_settings().items():
            headers[setting["key"]] = setting["value"]
        api = client.ApiClient(configuration)
        answer = api.rest_client.request("GET", configuration.host + "/who", headers=headers)
        data = answer.read() if hasattr(answer, "read") else answer.data
        sys.stdout.write(data.decode() if isinstance(data, bytes) else data)
        """

    private static let script = """
        import json, os, ssl, subprocess, sys, urllib.request
        server, authority, version, names_cluster, *helper = sys.argv[1:]
        spec = {"interactive": False}
        if names_cluster == "yes":
            with open(authority) as file:
                spec["cluster"] = {"server": server, "certificate-authority-data": file.read()}
        request = {"apiVersion": version, "kind": "ExecCredential", "spec": spec}
        variables = dict(os.environ, KUBERNETES_EXEC_INFO=json.dumps(request))
        ended = subprocess.run(helper, stdout=subprocess.PIPE, env=variables)
        if ended.returncode != 0:
            sys.exit(f"the helper failed with {ended.returncode}")
        answer = json.loads(ended.stdout)
        assert answer["apiVersion"] == version and answer["kind"] == "ExecCredential", answer
        status, headers = answer["status"], {}
        context = ssl.create_default_context(cafile=authority)
        if "clientCertificateData" in status:
            file = os.memfd_create("login")
            os.write(file, (status["clientCertificateData"] + status["clientKeyData"]).encode())
            context.load_cert_chain(f"/proc/self/fd/{file}")
        if "token" in status:
            headers["Authorization"] = f"Bearer {status['token']}"
        asked = urllib.request.Request(server + "/who", headers=headers)
        sys.stdout.write(urllib.request.urlopen(asked, context=context).read().decode())
        """
}

extension Need {
    static let kubectl = Need(missing: "there is no kubectl") {
        try await succeeds("kubectl", "version", "--client")
    }

    /// From PyPI, in a virtual environment on the PATH.
    static let kubernetesLibrary = Need(missing: "python3 has no library kubernetes") {
        try await succeeds("python3", "-c", "import kubernetes.config")
    }
}
