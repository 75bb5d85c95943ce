import Foundation
import Glibc
import Testing

/// Debian's docker-registry on a loopback port, for those who have a login.
struct Registry: Sendable {
    /// `127.0.0.1:12345`, say.
    let host: String
    private let folder: String
    /// What the server shows, and whose certificates clients need; nil for http.
    private let certificates: MadeCertificates?

    /// Who may do everything there.
    static let user = "user-quokka"
    static let password = "secret-bilby-0123456789"

    /// An image's name there, as the clients' own names for it have it.
    func image(_ name: String = "notes:latest") -> String { "docker://\(host)/\(name)" }

    /// What a helper is given to keep the login.
    func login(
        _ user: String = Registry.user, _ password: String = Registry.password
    ) -> String {
        #"{"ServerURL":"\#(host)","Username":"\#(user)","Secret":"\#(password)"}"# + "\n"
    }

    /// Runs a registry while `body` runs.
    ///
    /// - Parameters:
    ///   - password: The one of ``user``.
    ///   - others: Who may do everything there, too.
    ///   - certificates: For a registry that speaks https to clients with a certificate alone.
    static func serve<Result: Sendable>(
        _ home: ScratchHome, password: String = Registry.password,
        others: [Account] = [], certificates: MadeCertificates? = nil,
        _ body: @escaping @Sendable (Registry) async throws -> Result
    ) async throws -> Result {
        let folder = "\(home.path)/registry-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false)
        var users: [UInt8] = []
        for user in [Account(name: user, password: password)] + others {
            var command = try home.command(
                "htpasswd", ["-n", "-i", "-B", user.name], input: Array(user.password.utf8))
            command.timeLimit = .seconds(240)
            let line = try await command.run()
            try #require(line.status == 0, "\(line)")
            users += line.output
        }
        try Data(users).write(to: URL(filePath: "\(folder)/users"))
        while true {
            let registry = Registry(
                host: "127.0.0.1:\(Int.random(in: 30000..<32768))", folder: folder,
                certificates: certificates)
            if let result = try await registry.serve(home, body) {
                return result
            }
        }
    }

    /// - Returns: Nil if another program has the port.
    private func serve<Result: Sendable>(
        _ home: ScratchHome, _ body: @escaping @Sendable (Registry) async throws -> Result
    ) async throws -> Result? {
        try Data(configuration.utf8).write(to: URL(filePath: "\(folder)/config.yml"))
        // The registry ends with its standard input, so it can't outlive the tests.
        var command = try home.command(
            "sh",
            [
                "-c",
                """
                docker-registry serve "$1/config.yml" >"$1/log" 2>&1 &
                read -r _
                kill $!
                wait
                """, "sh", folder,
            ])
        command.timeLimit = .seconds(300)
        return try await command.run { _ -> Result? in
            try await isListening() ? try await body(self) : nil
        }.result
    }

    private func isListening() async throws -> Bool {
        var log = ""
        for _ in 0..<1200 {
            log = (try? String(contentsOfFile: "\(folder)/log", encoding: .utf8)) ?? ""
            if log.contains("listening on \(host)") {
                return true
            }
            if log.contains("address already in use") {
                return false
            }
            try await Task.sleep(for: .milliseconds(25))
        }
        throw DoesNotStart(log: log)
    }

    struct DoesNotStart: Error {
        let log: String
    }

    private var tls: String {
        guard let certificates else {
            return ""
        }
        return """
              tls:
                certificate: \(certificates.path("server.pem"))
                key: \(certificates.path("server.key"))
                clientcas:
                  - \(certificates.path("root.pem"))

            """
    }

    private var configuration: String {
        """
        version: 0.1
        log:
          formatter: text
        storage:
          filesystem:
            rootdirectory: \(folder)/images
        http:
          addr: \(host)
        \(tls)auth:
          htpasswd:
            realm: notes
            path: \(folder)/users

        """
    }
}
