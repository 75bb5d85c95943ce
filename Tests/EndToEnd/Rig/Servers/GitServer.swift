import Foundation
import Glibc
import Testing

/// A web server that lets real git clone, fetch and push, to who has a password.
struct GitServer: Sendable {
    /// `http://127.0.0.1:12345`, say.
    let origin: String
    private let folder: String

    /// A repository with its users' passwords.
    struct Repository {
        var name = "notes"
        var users = ["ada": "right"]
    }

    /// Where and how the server listens.
    struct Address {
        var host = "127.0.0.1"
        /// The certificate with its key, for https.
        var certificate: String?
        /// Whose certificates clients need, nil if they need none.
        var clientAuthority: String?
    }

    /// The repository's address.
    ///
    /// - Parameter user: To stand in it.
    func url(_ name: String = "notes", user: String? = nil) -> String {
        let user = user.map { "\($0)@" } ?? ""
        return "\(origin.replacing("://", with: "://\(user)", maxReplacements: 1))/git/\(name).git"
    }

    /// `127.0.0.1:12345`, say.
    var host: String { String(origin.split(separator: "/")[1]) }

    /// The protocol and host lines of a request.
    var request: String { "protocol=\(origin.prefix { $0 != ":" })\nhost=\(host)\n" }

    /// The repository's folder on the server.
    func repository(_ name: String = "notes") -> String { "\(folder)/\(name).git" }

    /// Who was let in, and who was not (401), in order, as `USER STATUS`. The server writes it when
    /// it ends.
    func log() throws -> [String] {
        try String(contentsOfFile: "\(folder)/access", encoding: .utf8)
            .split(separator: "\n").map(String.init)
    }

    /// Runs a server while `body` runs.
    static func serve<Result: Sendable>(
        _ home: ScratchHome, _ repositories: [Repository] = [Repository()],
        at address: Address = Address(),
        _ body: @escaping @Sendable (GitServer) async throws -> Result
    ) async throws -> Result {
        let folder = try await makeRepositories(repositories, home)
        let scheme = address.certificate == nil ? "http" : "https"
        let programs = try await home.succeeds("git", "--exec-path").outputText
        @Sendable func server(_ port: Int) -> GitServer {
            GitServer(origin: "\(scheme)://\(address.host):\(port)", folder: folder)
        }
        return try await WebServer(
            home: home, folder: folder,
            variables: [
                "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_PROJECT_ROOT": folder,
                "GIT_HTTP_EXPORT_ALL": "1",
            ]
        ).serve { port in
            try server(port).configuration(port, repositories, address, programs)
        } _: { port in
            try await body(server(port))
        }
    }

    private static func makeRepositories(
        _ repositories: [Repository], _ home: ScratchHome
    ) async throws -> String {
        let folder = "\(home.path)/server-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false)
        for repository in repositories {
            let users = repository.users.map { "\($0.key):\($0.value)\n" }.joined()
            try Data(users.utf8).write(to: URL(filePath: "\(folder)/\(repository.name).users"))
            try await home.shell(
                """
                git init --quiet --bare --initial-branch=main "$1"
                cd "$1"
                export GIT_AUTHOR_NAME=A GIT_AUTHOR_EMAIL=a@example.com
                export GIT_COMMITTER_NAME=A GIT_COMMITTER_EMAIL=a@example.com
                blob=$(echo 'a note' | git hash-object -w --stdin)
                tree=$(printf '100644 blob %s\\tnotes.txt\\n' "$blob" | git mktree)
                git update-ref refs/heads/main "$(git commit-tree -m 'a first note' "$tree")"
                """, "\(folder)/\(repository.name).git")
        }
        return folder
    }

    private func configuration(
        _ port: Int, _ repositories: [Repository], _ address: Address, _ gitPrograms: String
    ) throws -> String {
        let programs = gitPrograms.trimmingCharacters(in: .whitespacesAndNewlines)
        let tls = address.certificate == nil ? "" : "\"mod_openssl\", "
        var lines = """
            server.bind = "\(address.host)"
            server.port = \(port)
            server.document-root = "\(folder)"
            server.modules = (\(tls)"mod_auth", "mod_authn_file", "mod_alias", "mod_setenv",
                "mod_cgi", "mod_accesslog")
            accesslog.filename = "\(folder)/access"
            accesslog.format = "%u %s"
            auth.backend = "plain"
            alias.url = ("/git" => "\(programs)/git-http-backend")
            cgi.assign = ("" => "")
            setenv.add-environment = ("GIT_PROJECT_ROOT" => "\(folder)", "GIT_HTTP_EXPORT_ALL" => "1",
                "GIT_CONFIG_NOSYSTEM" => "1", "GIT_CONFIG_GLOBAL" => "/dev/null")

            """
        if let certificate = address.certificate {
            lines += """
                ssl.engine = "enable"
                ssl.pemfile = "\(certificate)"

                """
        }
        if let authority = address.clientAuthority {
            lines += """
                ssl.ca-file = "\(authority)"
                ssl.verifyclient.activate = "enable"
                ssl.verifyclient.enforce = "enable"

                """
        }
        for repository in repositories {
            lines += """
                $HTTP["url"] =~ "^/git/\(repository.name)\\.git(/|$)" {
                    auth.backend.plain.userfile = "\(folder)/\(repository.name).users"
                    auth.require = ("" => ("method" => "basic", "realm" => "notes",
                        "require" => "valid-user"))
                }

                """
        }
        return lines
    }
}
