import Foundation
import Testing

/// A server by TLS that knows its clients by their certificates, or by the token `tok123`: to others it says 401.
/// It has a folder of files, and answers kubectl's question for the version.
struct MutualTLSServer: Sendable {
    /// Where it listens on the loopback.
    let port: Int
    private let folder: String

    var address: String { "https://localhost:\(port)" }

    /// Who asked for what: lines of a path, a certificate's common name or `None`, and the header for tokens.
    func log() throws -> String {
        try String(contentsOfFile: "\(folder)/log", encoding: .utf8)
    }

    /// Runs it while `body` runs. Its files are those of the folder `files`.
    static func serve<Result: Sendable>(
        _ home: ScratchHome, _ certificates: ClientCertificates,
        _ body: @escaping @Sendable (MutualTLSServer) async throws -> Result
    ) async throws -> Result {
        let folder = certificates.folder
        // It ends with its standard input, so it can't outlive the tests.
        let command = try home.command(
            "sh",
            ["-c", "python3 -c \"$1\" \"$2\" >\"$2/log\" 2>&1 & read -r _; kill $!; wait", "sh"]
                + [script, folder])
        return try await command.run { _ in
            while true {
                let log = (try? String(contentsOfFile: "\(folder)/log", encoding: .utf8)) ?? ""
                let lines = log.split(separator: "\n", omittingEmptySubsequences: false)
                if lines.count > 1 {
                    let port = try #require(Int(lines[0]), "\(log)")
                    return try await body(MutualTLSServer(port: port, folder: folder))
                }
                try await Task.sleep(for: .milliseconds(25))
            }
        }.result
    }

    private static let script = """
        import functools, http.server, json, ssl, sys
        folder = sys.argv[1]
        class Handler(http.server.SimpleHTTPRequestHandler):
            def do_GET(self):
                subject = (self.connection.getpeercert() or {}).get("subject", ())
                name = dict(pair for part in subject for pair in part).get("commonName")
                token = self.headers.get("Authorization")
                print(self.path, name, token, flush=True)
                if name != "ada" and token != "Bearer tok123":
                    self.send_error(401)
                elif self.path.startswith("/files/"):
                    super().do_GET()
                else:
                    version = {"major": "1", "minor": "32", "gitVersion": "v1.32.0"}
                    body = json.dumps(version).encode()
                    self.send_response(200)
                    self.send_header("Content-Type", "application/json")
                    self.send_header("Content-Length", str(len(body)))
                    self.end_headers()
                    self.wfile.write(body)
            def log_message(self, *arguments):
                pass
        handler = functools.partial(Handler, directory=folder)
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(f"{folder}/server.pem")
        context.load_verify_locations(f"{folder}/ca.pem")
        context.verify_mode = ssl.CERT_OPTIONAL
        server.socket = context.wrap_socket(server.socket, server_side=True)
        print(server.server_address[1], flush=True)
        server.serve_forever()
        """
}
