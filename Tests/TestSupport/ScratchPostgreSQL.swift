import Foundation

/// A PostgreSQL server of Debian in a scratch folder, on a port of the loopback with TLS and a socket. It ends with
/// this process.
package final class ScratchPostgreSQL: @unchecked Sendable {
    /// Its folder, which root shares with the server's user.
    package let path: String
    package let port: Int
    private let starter: String
    private var process: Process?
    private var input: Pipe?

    /// The folder of its programs, the newest ones; nil if it is not installed, or can't run here.
    package static let programs: String? = {
        let folder = "/usr/lib/postgresql"
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return versions.compactMap { Int($0) }.sorted(by: >).map { "\(folder)/\($0)/bin" }
            .first { FileManager.default.isExecutableFile(atPath: "\($0)/initdb") }
    }()

    /// For most tests, each with a team of its own.
    package static let shared = Result { try ScratchPostgreSQL() }

    /// Makes and starts a server.
    ///
    /// - Parameter folder: Where its folder is made, nil for the usual place.
    package init(in folder: String? = nil, from primary: ScratchPostgreSQL? = nil) throws {
        path = "\(folder ?? "/tmp")/lanyard-pg-\(UUID().uuidString.prefix(8))"
        // Below those that the kernel gives to clients, ip_local_port_range, and unlike those of lighttpd.
        port = Int.random(in: 10_000..<20_000)
        // It refuses to run as root.
        starter = getuid() == 0 ? "setpriv --reuid=postgres --regid=postgres --clear-groups" : ""
        let makeData =
            primary.map {
                "$run \"$bin/pg_basebackup\" -D \"$1/data\" -R -c fast -h \"\($0.path)\" -p \($0.port) -U postgres"
            } ?? """
                $run "$bin/initdb" -D "$1/data" -U postgres -A trust --no-sync -E UTF8 --locale=C
                printf '%s\\n' 'local all postgres trust' 'local replication postgres trust' \
                    'local all all scram-sha-256' 'host all all 127.0.0.1/32 scram-sha-256' \
                    >"$1/data/pg_hba.conf"
                """
        try shell(
            """
            umask 077
            mkdir "$1"
            openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost \
                -addext subjectAltName=IP:127.0.0.1,DNS:localhost \
                -keyout "$1/key.pem" -out "$1/certificate.pem"
            [ "$(id -u)" != 0 ] || chown -R postgres "$1"
            \(makeData)
            """)
        try start()
        if primary == nil {
            try sql(
                """
                CREATE ROLE ada LOGIN PASSWORD 'ri:g\\ht'; CREATE ROLE grace LOGIN PASSWORD 'other';
                """)
            try sql("CREATE DATABASE team OWNER ada")
        }
    }

    /// Starts it again, too. It ends when its input does.
    package func start() throws {
        let process = Process()
        let input = Pipe()
        process.executableURL = URL(filePath: "/bin/bash")
        // bash: this process may block signals that dash waits for.
        process.arguments = [
            "-c",
            """
            run="\(starter)"
            $run "$2/postgres" -D "$1/data" -p \(port) -c listen_addresses=127.0.0.1 \
                -c unix_socket_directories="$1" -c ssl=on -c ssl_cert_file="$1/certificate.pem" \
                -c ssl_key_file="$1/key.pem" -c fsync=off -c max_connections=120 \
                -c shared_buffers=16MB -c log_min_messages=warning >>"$1/log" 2>&1 </dev/null &
            server=$!
            read -r command
            if [ "$command" = stop ]; then kill -INT $server; wait; exit; fi
            kill -QUIT $server
            wait
            rm -rf "$1"
            """, "sh", path, Self.programs!,
        ]
        process.standardInput = input
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        self.process = process
        self.input = input
        for _ in 0..<400 {
            if (try? sql("SELECT 1")) == "1" {
                return
            }
            usleep(25_000)
        }
        throw ShellFailure(
            text: (try? String(contentsOfFile: "\(path)/log", encoding: .utf8)) ?? "")
    }

    /// Kills all of its processes at once, as a crash does.
    package func kill() throws {
        try shell(
            """
            server=$(head -1 "$1/data/postmaster.pid")
            children=$(pgrep -P "$server" || :)
            kill -9 "$server" $children || :
            while kill -0 "$server" 2>/dev/null && ! grep -q '^State:.Z' "/proc/$server/status"; do
                sleep 0.02
            done
            """)
        try input?.fileHandleForWriting.write(contentsOf: Data("stop\n".utf8))
        process?.waitUntilExit()
    }

    deinit {
        try? input?.fileHandleForWriting.close()
        process?.waitUntilExit()
        try? FileManager.default.removeItem(atPath: path)
    }

    /// The parameters of an address that let clients check the server's certificate.
    package var verified: String { "?sslmode=verify-full&sslrootcert=\(path)/certificate.pem" }

    /// Runs statements as the server's administrator.
    @discardableResult
    package func sql(_ text: String, database: String = "postgres") throws -> String {
        try shell(
            """
            printf '%s\\n' "$3" | "$bin/psql" -XqAt -v ON_ERROR_STOP=1 -h "$1" -p \(port) -U postgres \
                "\(database)"
            """, text)
    }

    /// An address on the loopback.
    package func address(
        account: String = "ada", database: String = "team", _ parameters: String = ""
    ) -> String {
        "postgres://\(account)@127.0.0.1:\(port)/\(database)\(parameters)"
    }

    package struct ShellFailure: Error, CustomStringConvertible {
        let text: String
        package var description: String { text }
    }

    @discardableResult
    package func shell(_ script: String, _ arguments: String...) throws -> String {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "/bin/bash")
        process.arguments =
            ["-euc", "bin=$2 run=\"\(starter)\"\n\(script)", "sh", path, Self.programs!] + arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let text = String(
            decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self
        ).trimmingCharacters(in: .whitespacesAndNewlines)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw ShellFailure(text: text)
        }
        return text
    }
}
