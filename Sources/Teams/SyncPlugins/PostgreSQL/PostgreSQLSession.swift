internal import Glibc
internal import LinuxSystem
internal import KeychainPlugin
internal import LanyardSecrets
internal import SyncEngine

/// A connection to the server: a process of psql, which ends with this value.
final class PostgreSQLSession {
    /// Why a statement has no result.
    enum Failure: Error {
        /// The server's SQLSTATE.
        case state(String)
        /// The server stored it, but only on itself, where it can still be lost.
        case warning
        case connection(KeychainError)
    }

    private let process: ChildProcess
    private let address: PostgreSQLAddress
    private var isBroken = false
    private var lastMark = 0
    /// Whether a statement has had a result: only then there is a connection.
    private var isConnected = false

    /// Starts psql. It connects meanwhile.
    ///
    /// - Parameter password: For all of the address's hosts; without one, libpq looks in the user's ~/.pgpass.
    init(
        _ address: PostgreSQLAddress, password: borrowing Secret?
    ) throws(KeychainError) {
        self.address = address
        guard let psql = PostgreSQLSession.psql else {
            throw KeychainError(
                .notAvailable, "psql is not installed",
                hint: "install it: apt install postgresql-client")
        }
        do throws(SystemCallError) {
            var variables = address.variables
            var file: Int32?
            defer { file.map(SystemCalls.close) }
            if let entry = PostgreSQLSession.passwordEntry(password) {
                // Only libpq opens it: no other program sees the password.
                file = try SystemCalls.makeSealedMemoryFile(entry)
                variables["PGPASSFILE"] = "/proc/self/fd/3"
            }
            process = try ChildProcess(.socket) { input, output throws(SystemCallError) in
                try SystemCalls.startProcess(
                    psql,
                    [
                        "--no-psqlrc", "--quiet", "--no-align", "--tuples-only", "--no-password",
                        "--field-separator= ", "--set=ON_ERROR_STOP=1", "--set=VERBOSITY=sqlstate",
                        "--set=SHOW_CONTEXT=never", "--dbname=\(address.text)",
                    ], input: input, output: output, errors: output, inherited: file,
                    isOwnSession: true, variables: variables, withheld: ["PG"])
            }
        } catch {
            throw KeychainError(.notAvailable, "psql can't be started: \(error.words)")
        }
        ProgramRun.setCurrent(process.identifier)
        if let identifier = process.identifier {
            // psql holds an answer as a whole: one that is too large for an honest server ends it.
            SystemCalls.limitMemory(of: identifier, to: PostgreSQLSession.memoryLimit)
        }
    }

    /// An answer has entries and records, both in hexadecimal digits, each more than once in memory.
    private static let memoryLimit = 8 * SyncLimits.answerSize
    private static let answerLimit = 4 * SyncLimits.answerSize
    /// The most rows of an answer.
    private static let rowLimit = 1_000_000

    deinit {
        ProgramRun.setCurrent(nil)
    }

    /// The line of ~/.pgpass for a password, nil if there is none.
    private static func passwordEntry(_ password: borrowing Secret?) -> Secret? {
        switch password {
        case .some(let password):
            var entry = SecretBuilder(capacity: 2 * password.count + 16)
            entry.append("*:*:*:*:")
            password.withBytes { bytes in
                for index in bytes.indices {
                    let byte = bytes[index]
                    if byte == UInt8(ascii: "\\") || byte == UInt8(ascii: ":") {
                        entry.append(UInt8(ascii: "\\"))
                    }
                    entry.append(byte)
                }
            }
            entry.append(UInt8(ascii: "\n"))
            return entry.finish()
        case .none: return nil
        }
    }

    /// The path of psql. Debian's is a script in Perl that starts the newest one, and takes much longer.
    private static var psql: String? {
        let folder = "/usr/lib/postgresql"
        let versions = ((try? PinnedFolder(folder, .any).names()) ?? []).compactMap { Int($0) }
        return versions.sorted(by: >).map { "\(folder)/\($0)/bin/psql" }
            .first(where: SystemCalls.isExecutable) ?? ProgramRun.find("psql")
    }

    // MARK: Statements

    /// Runs a statement and returns the fields of its rows.
    func run(_ statement: SQL, until deadline: Deadline) throws(Failure) -> [[Substring]] {
        guard !isBroken else {
            throw .connection(KeychainError(.notAvailable))
        }
        lastMark += 1
        let mark = "lanyard \(lastMark)"
        var rows: [[Substring]] = []
        var size = 0
        var warnings = 0
        do throws(LineChannel.Failure) {
            try process.channel.write(
                Secret("\(statement.text);\n\\echo \(mark)\n"), until: deadline)
        } catch {
            // psql has ended, and said why.
            guard case .ended = error else {
                throw broken(error)
            }
        }
        var words: [String] = []
        while true {
            let line: String
            do throws(LineChannel.Failure) {
                guard
                    let read = try process.channel.readLine(until: deadline)?.withBytes({
                        String(decoding: ByteString(copying: $0).bytes, as: UTF8.self)
                    })
                else {
                    throw .ended
                }
                line = read
            } catch {
                throw words.isEmpty ? broken(error) : ended(words)
            }
            if line == mark {
                break
            }
            if line.hasPrefix("ERROR:") || line.hasPrefix("FATAL:") {
                isBroken = true
                throw .state(
                    line.drop { $0 != ":" }.drop { !$0.isNumber && !$0.isUppercase }.description)
            } else if line.hasPrefix("WARNING:") {
                warnings += 1
            } else if line.hasPrefix("psql:") || !words.isEmpty {
                words.append(line)
            } else if !line.hasPrefix("NOTICE:"), !line.isEmpty {
                size += line.utf8.count
                guard size <= PostgreSQLSession.answerLimit,
                    rows.count < PostgreSQLSession.rowLimit
                else {
                    throw broken(.tooLong)
                }
                rows.append(line.split(separator: " ", omittingEmptySubsequences: false))
            }
        }
        guard words.isEmpty else {
            throw ended(words)
        }
        isConnected = true
        guard warnings == 0 else {
            throw .warning
        }
        return rows
    }

    private func broken(_ failure: LineChannel.Failure) -> Failure {
        isBroken = true
        let reason =
            switch failure {
            case .deadline: "the PostgreSQL server did not answer in time"
            case .tooLong: "the PostgreSQL server sent more than any team has"
            case .ended, .endedInLine, .signal, .systemCall:
                "the connection to the PostgreSQL server broke"
            }
        return .connection(
            KeychainError(
                .notAvailable, reason, hint: "see whether the server works, then try again"))
    }

    /// The reasons in what psql says: one for each host and attempt, which it names before it.
    private static func reason(in lines: [String]) -> String {
        var reasons: [String] = []
        for line in lines where line.contains(" failed: ") || reasons.isEmpty {
            let starts = ["FATAL:  ", "fe_sendauth: ", " failed: ", "psql: error: "]
            let start = starts.compactMap { line.firstRange(of: $0)?.upperBound }.max()
            let words = line[(start ?? line.startIndex)...].unicodeScalars
            let reason = String(
                words.filter { $0.value >= 0x20 }.prefix(200).map(Character.init))
            // libpq tries it without TLS afterwards, on this machine.
            if !reasons.contains(reason), reasons.isEmpty || !reason.hasSuffix("no encryption") {
                reasons.append(reason)
            }
        }
        return reasons.joined(separator: "; ")
    }

    /// What psql says when it can't connect, or loses its connection. libpq gives no SQLSTATE then.
    private func ended(_ lines: [String]) -> Failure {
        isBroken = true
        guard !isConnected else {
            return broken(.ended)
        }
        let text = lines.joined(separator: " ")
        let words = PostgreSQLSession.reason(in: lines)
        if text.contains("password authentication failed") || text.contains("no password supplied")
            || text.contains("authentication failed") || text.contains("pg_hba.conf")
            || text.contains("role \"")
        {
            return .connection(
                KeychainError(
                    .authFailed, "the PostgreSQL server refused the login: \(words)",
                    hint: "store its password: lanyard set "
                        + SyncAddress.login(of: address.text).shellQuoted))
        }
        if text.contains("certificate") || text.contains("SSL") {
            return .connection(
                KeychainError(
                    .notAvailable, "the PostgreSQL server can't be trusted: \(words)",
                    hint: "put the certificate of its authority in ~/.postgresql/root.crt"))
        }
        return .connection(
            KeychainError(
                .notAvailable, "the PostgreSQL server can't be reached: \(words)",
                hint: "psql \(address.text.shellQuoted)"))
    }
}
