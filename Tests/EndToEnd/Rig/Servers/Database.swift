import Foundation
import Testing

/// PostgreSQL on a loopback port, for one who has a password. It runs as another user, since it refuses root.
struct Database: Sendable {
    /// What tells clients where it is, and who they are.
    let variables: [String: String]

    /// Puts its programs on the PATH, where Debian has several versions of them.
    static let programs = "PATH=$(printf '%s:' /usr/lib/postgresql/*/bin)$PATH"

    /// Runs it while `body` runs.
    static func serve<Result: Sendable>(
        _ home: ScratchHome, for account: Account,
        _ body: @escaping @Sendable (Database) async throws -> Result
    ) async throws -> Result {
        let folder = try home.folder("database", of: AnotherUser.id)
        let password = try home.write(account.password, to: "database/password", mode: 0o644)
        while true {
            let port = Int.random(in: 20000..<30000)
            let database = Database(variables: [
                "PGHOST": "127.0.0.1", "PGPORT": "\(port)", "PGDATABASE": "postgres",
                "PGUSER": account.name,
            ])
            // It ends with its standard input, so it can't outlive the tests.
            let script = """
                \(programs)
                cd "$1"
                [ -d data ] || initdb --pgdata=data --username="$2" --pwfile="$3" --no-sync \\
                    --auth=scram-sha-256 >log 2>&1
                postgres -D data -p "$4" -c listen_addresses=127.0.0.1 \\
                    -c unix_socket_directories= -c fsync=off >log 2>&1 &
                read -r _ || :
                kill -INT $!
                wait
                """
            var command = try home.command(
                "setpriv",
                AnotherUser.arguments + [
                    "sh", "-euc", script, "sh", folder, account.name, password, "\(port)",
                ])
            command.timeLimit = .seconds(300)
            let result = try await command.run { _ -> Result? in
                guard try await isListening("\(folder)/log") else {
                    return nil
                }
                return try await body(database)
            }.result
            if let result {
                return result
            }
        }
    }

    /// Whether it listens: not if another program has the port.
    private static func isListening(_ file: String) async throws -> Bool {
        var log = ""
        for _ in 0..<2400 {
            log = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
            if log.contains("ready to accept connections") {
                return true
            }
            if log.contains("Address already in use") {
                return false
            }
            try await Task.sleep(for: .milliseconds(25))
        }
        throw DoesNotStart(log: log)
    }

    struct DoesNotStart: Error {
        let log: String
    }
}
