import Foundation
import Testing

/// A mail server, by TLS, for one who logs in.
struct MailServer: Sendable {
    /// Where it listens on the loopback.
    let port: Int
    /// The certificate by which clients know it.
    let certificate: String
    private let folder: String

    /// The letters that it took, and what it said to who was not let in.
    func log() throws -> String {
        try String(contentsOfFile: "\(folder)/log", encoding: .utf8)
    }

    /// Runs it while `body` runs.
    static func serve<Result: Sendable>(
        _ home: ScratchHome, for account: Account,
        _ body: @escaping @Sendable (MailServer) async throws -> Result
    ) async throws -> Result {
        let folder = "\(home.path)/mail"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false)
        try await home.shell(
            """
            openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=lanyard-test \\
                -addext subjectAltName=IP:127.0.0.1 -keyout "$1.key" -out "$1.crt" 2>/dev/null
            cat "$1.key" "$1.crt" >"$1.pem"
            """, "\(folder)/certificate")
        _ = try home.write("\(account.name)\n\(account.password)", to: "mail/account")
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
                    guard let port = Int(lines[0]) else {
                        throw DoesNotStart(log: log)
                    }
                    return try await body(
                        MailServer(
                            port: port, certificate: "\(folder)/certificate.crt", folder: folder))
                }
                try await Task.sleep(for: .milliseconds(25))
            }
        }.result
    }

    struct DoesNotStart: Error {
        let log: String
    }

    private static let script = """
        import base64, socket, ssl, sys
        folder = sys.argv[1]
        account = open(f"{folder}/account").read().split("\\n")
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(f"{folder}/certificate.pem")
        def serve(client):
            def say(text):
                client.write(text + "\\n")
                client.flush()
            say("220 mail.example ESMTP")
            known = letter = False
            for line in client:
                line = line.rstrip("\\r\\n")
                words = line.upper().split()
                if letter:
                    letter = line != "."
                    print(line, flush=True)
                    if not letter:
                        say("250 kept")
                elif words[:1] == ["EHLO"]:
                    say("250-mail.example\\n250 AUTH PLAIN")
                elif words[:2] == ["AUTH", "PLAIN"]:
                    known = base64.b64decode(line.split()[2]).decode().split("\\0")[1:] == account
                    say("235 welcome" if known else "535 who are you")
                elif words[:1] == ["QUIT"]:
                    say("221 bye")
                    return
                elif words[:1] == ["DATA"] and known:
                    letter = True
                    say("354 go on")
                else:
                    say("250 well" if known else "530 log in")
        listener = socket.create_server(("127.0.0.1", 0))
        print(listener.getsockname()[1], flush=True)
        while True:
            connection, _ = listener.accept()
            try:
                with context.wrap_socket(connection, server_side=True) as stream:
                    with stream.makefile("rw", newline="\\r\\n", encoding="utf-8") as client:
                        serve(client)
            except OSError as error:
                print(error, flush=True)
        """
}
