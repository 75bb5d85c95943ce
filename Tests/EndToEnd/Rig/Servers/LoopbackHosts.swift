import Foundation
import Testing

/// A web server at many addresses of the loopback, each of which is another host to its clients.
struct LoopbackHosts: Sendable {
    /// `127.0.0.2:12345` and so on.
    let hosts: [String]
    /// The certificate by which clients know them, for https.
    let certificate: String
    private let folder: String

    /// What the addresses are for.
    enum Purpose: Sendable {
        /// Each hands everything on to the server at a host.
        case handsOn(to: String)
        /// Each has a page, by https, for the one of these that has its number.
        case pages(for: [Account])
    }

    func page(_ host: String) -> String { "https://\(host)/page" }

    /// Who was let in where, and with what. The server writes it when it ends.
    func letIn() throws -> [String: Set<Account>] {
        var found: [String: Set<Account>] = [:]
        let log = try String(contentsOfFile: "\(folder)/access", encoding: .utf8)
        for line in log.split(separator: "\n") where line.hasSuffix(" 200") {
            let words = line.split(separator: " ")
            let login = try #require(
                words.count == 4 && words[1] == "Basic"
                    ? Data(base64Encoded: String(words[2])) : nil,
                "\(line)")
            let parts = String(decoding: login, as: UTF8.self)
                .split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
                .map(String.init)
            found[String(words[0]), default: []].insert(
                Account(name: parts[0], password: parts.count == 2 ? parts[1] : ""))
        }
        return found
    }

    /// Runs the server while `body` runs.
    static func serve<Result: Sendable>(
        _ home: ScratchHome, _ count: Int, _ purpose: Purpose,
        _ body: @escaping @Sendable (LoopbackHosts) async throws -> Result
    ) async throws -> Result {
        let folder = "\(home.path)/hosts-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false)
        let addresses = (0..<count).map { "127.0.0.\($0 + 2)" }
        let certificate = "\(folder)/certificate.crt"
        if case .pages(let users) = purpose {
            try await makeCertificate(home, folder, addresses)
            let lines = users.map { "\($0.name):\($0.password)\n" }.joined()
            try Data(lines.utf8).write(to: URL(filePath: "\(folder)/users"))
            try Data("a page\n".utf8).write(to: URL(filePath: "\(folder)/page"))
        }
        return try await WebServer(home: home, folder: folder).serve { port in
            configuration(folder, addresses.map { "\($0):\(port)" }, purpose)
        } _: { port in
            try await body(
                LoopbackHosts(
                    hosts: addresses.map { "\($0):\(port)" }, certificate: certificate,
                    folder: folder))
        }
    }

    private static func makeCertificate(
        _ home: ScratchHome, _ folder: String, _ addresses: [String]
    ) async throws {
        try await home.shell(
            """
            openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=lanyard-test \\
                -addext "subjectAltName=$2" -keyout "$1.key" -out "$1.crt" 2>/dev/null
            cat "$1.key" "$1.crt" >"$1.pem"
            """, "\(folder)/certificate", addresses.map { "IP:\($0)" }.joined(separator: ","))
    }

    private static func configuration(
        _ folder: String, _ hosts: [String], _ purpose: Purpose
    ) -> String {
        let first = hosts[0].split(separator: ":")
        var lines = """
            server.bind = "\(first[0])"
            server.port = \(first[1])
            server.document-root = "\(folder)"
            accesslog.filename = "\(folder)/access"
            accesslog.format = "%{Host}i %{Authorization}i %s"

            """
        switch purpose {
        case .handsOn(let host):
            let other = host.split(separator: ":")
            lines += """
                server.modules = ("mod_proxy", "mod_accesslog")
                proxy.server = ("" => (("host" => "\(other[0])", "port" => \(other[1]))))

                """
            for host in hosts {
                lines += "$SERVER[\"socket\"] == \"\(host)\" { }\n"
            }
        case .pages(let users):
            lines += """
                server.modules = ("mod_openssl", "mod_auth", "mod_authn_file", "mod_accesslog")
                ssl.pemfile = "\(folder)/certificate.pem"
                auth.backend = "plain"
                auth.backend.plain.userfile = "\(folder)/users"

                """
            for (host, user) in zip(hosts, users) {
                lines += """
                    $SERVER["socket"] == "\(host)" {
                        ssl.engine = "enable"
                        auth.require = ("" => ("method" => "basic", "realm" => "pages",
                            "require" => "user=\(user.name)"))
                    }

                    """
            }
        }
        return lines
    }
}
