import Foundation
import Testing

/// An HTTP server in Python on a loopback port of its own.
struct ScriptedServer: Sendable {
    /// Defines `class Handler(Base)`, whose arguments are `arguments`; `origin` is the server's address.
    let script: String
    var arguments: [String] = []
    /// A file with a certificate and its key, for a server that speaks https.
    var certificate: String?

    /// Runs it while `body` runs.
    ///
    /// - Parameter body: Is given the port.
    func serve<Result: Sendable>(
        _ home: ScratchHome, _ body: @escaping @Sendable (Int) async throws -> Result
    ) async throws -> Result {
        let file = "\(home.path)/port-\(UUID().uuidString)"
        // The server ends with its standard input, so it can't outlive the tests.
        var command = try home.command(
            "python3",
            [
                "-c", "\(ScriptedServer.prelude)\n\(script)\n\(ScriptedServer.start)", file,
                certificate ?? "",
            ] + arguments)
        command.timeLimit = .seconds(300)
        return try await command.run { _ in
            for _ in 0..<1200 {
                if let text = try? String(contentsOfFile: file, encoding: .utf8) {
                    return try await body(try #require(Int(text)))
                }
                try await Task.sleep(for: .milliseconds(25))
            }
            throw DoesNotStart()
        }.result
    }

    struct DoesNotStart: Error {}

    private static let prelude = """
        import base64, hashlib, http.server, io, json, os, ssl, sys, tarfile, threading, zipfile
        file, certificate, *arguments = sys.argv[1:]
        class Base(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            def reply(self, status, body=b"", **headers):
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name.replace("_", "-"), value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                if self.command != "HEAD":
                    self.wfile.write(body)
            def body(self):
                return self.rfile.read(int(self.headers.get("Content-Length") or 0))
            def log_message(self, *arguments):
                pass
        """

    private static let start = """
        class Server(http.server.ThreadingHTTPServer):
            request_queue_size = 128
        server = Server(("127.0.0.1", 0), Handler)
        server.daemon_threads = True
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            server.socket = context.wrap_socket(server.socket, server_side=True)
        origin = f"{'https' if certificate else 'http'}://127.0.0.1:{server.server_port}"
        with open(file + ".new", "w") as opened:
            opened.write(str(server.server_port))
        os.rename(file + ".new", file)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        sys.stdin.read()
        """
}

extension ScratchHome {
    /// The names of the files below this home whose bytes contain a text.
    func files(containing text: String) -> [String] {
        let names = FileManager.default.enumerator(atPath: path)?.allObjects as? [String] ?? []
        return names.filter { name in
            let bytes = FileManager.default.contents(atPath: "\(path)/\(name)")
            return bytes?.range(of: Data(text.utf8)) != nil
        }
    }
}
