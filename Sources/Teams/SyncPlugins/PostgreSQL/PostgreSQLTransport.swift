internal import Glibc
internal import LinuxSystem
package import LanyardSecrets
package import SyncEngine

/// A PostgreSQL server as a team's server, or one that speaks its protocol and the common part of its SQL.
///
/// psql, the server's own client, connects and speaks for us. Each operation is one statement.
package final class PostgreSQLTransport: SyncServer {
    package var timeLimit: Int64 = 20_000
    private let address: PostgreSQLAddress
    private let team: Identifier
    private let password: Secret?
    private var session: PostgreSQLSession?

    /// Creates a transport; psql is not started yet.
    ///
    /// - Throws: ``Status/param`` for an address that can't be used.
    package convenience init(_ address: consuming SyncAddress) throws(KeychainError) {
        // Safe: no other thread changes the environment; the text is copied.
        let home = unsafe getenv("HOME").map { unsafe String(cString: $0) }
        try self.init(address, home: home)
    }

    init(_ address: consuming SyncAddress, home: String?) throws(KeychainError) {
        self.address = try PostgreSQLAddress(address.address, home: home)
        team = address.team
        switch address.password {
        case .some(let password): self.password = password.copy()
        case .none: password = nil
        }
    }

    package func create() throws(KeychainError) {
        // Who may not create tables can use those that are there.
        do throws(KeychainError) {
            _ = try head()
            return
        } catch  where error.status == .noSuchKeychain {}
        for statement in Statements.create {
            _ = try run(statement)
        }
    }

    package func create(for accounts: [String]) throws(KeychainError) {
        var statements = Statements.create
        for account in accounts {
            statements += Statements.grant(to: try PostgreSQLAccount(account))
        }
        for statement in statements {
            _ = try run(statement)
        }
    }

    package func head() throws(KeychainError) -> ServerHead {
        guard let row = try run(Statements.head(team)).first else {
            return .start
        }
        return try head(row)
    }

    package func changes(since head: ServerHead) throws(KeychainError) -> ServerChanges {
        if let changes = try sound(changes: head) {
            return changes
        }
        // Each account may set any numbers.
        _ = try run(Statements.renumber(team))
        guard let changes = try sound(changes: head) else {
            throw PostgreSQLTransport.nonsense
        }
        return changes
    }

    /// Returns what changed after a head, nil if there are numbers that no put can have made.
    private func sound(changes head: ServerHead) throws(KeychainError) -> ServerChanges? {
        // Then all are asked for, whatever their numbers.
        let sequence = head.sequence == 0 ? -Int64.max : Int64(clamping: head.sequence)
        let rows = try run(
            Statements.changes(
                team, sequence: sequence, rosterCount: Int64(clamping: head.rosterCount)))
        var present = ServerHead.start
        var entries: [UInt64: [UInt8]] = [:]
        var records: [(sequence: UInt64, record: ServerRecord)] = []
        for row in rows {
            guard row.count == 5 else {
                throw PostgreSQLTransport.nonsense
            }
            switch row[0] {
            case "0": present = try self.head(Array(row[1...2]))
            case "1": entries[try number(row[1])] = try bytes(row[4])
            case "2":
                guard let id = Identifier(String(row[3])) else {
                    throw PostgreSQLTransport.nonsense
                }
                let record = ServerRecord(
                    id: id, version: try number(row[1]), content: try bytes(row[4]))
                guard let sequence = Int64(row[2]), sequence > 0 else {
                    return nil
                }
                records.append((UInt64(sequence), record))
            default: throw PostgreSQLTransport.nonsense
            }
        }
        records.sort { $0.sequence < $1.sequence }
        let missing = present.rosterCount > head.rosterCount + UInt64(entries.count)
        guard present.sequence < SyncLimits.number, !missing,
            records.last.map({ $0.sequence <= present.sequence }) ?? true
        else {
            return nil
        }
        return ServerChanges(
            upTo: records.last?.sequence, of: present,
            roster: entries.sorted { $0.key < $1.key }.map({ $0.value }),
            records: records.map({ $0.record }))
    }

    package func record(_ id: Identifier) throws(KeychainError) -> ServerRecord? {
        guard let row = try run(Statements.record(id, team)).first else {
            return nil
        }
        guard row.count == 2 else {
            throw PostgreSQLTransport.nonsense
        }
        return ServerRecord(id: id, version: try number(row[0]), content: try bytes(row[1]))
    }

    package func put(
        _ records: [ServerRecord], rosterCount: UInt64
    ) throws(KeychainError) -> PutResult {
        guard !records.isEmpty else {
            return try head().rosterCount == rosterCount ? .stored : .conflict
        }
        guard let count = Int64(exactly: rosterCount),
            Set(records.map({ $0.id })).count == records.count
        else {
            return .conflict
        }
        var puts: [(ServerRecord, version: Int64)] = []
        for record in records {
            guard let version = Int64(exactly: record.version) else {
                return .conflict
            }
            puts.append((record, version))
        }
        return try change(Statements.put(puts, team, rosterCount: count))
    }

    package func putRoster(
        _ entry: [UInt8], at head: ServerHead
    ) throws(KeychainError) -> PutResult {
        guard let sequence = Int64(exactly: head.sequence),
            let count = Int64(exactly: head.rosterCount)
        else {
            return .conflict
        }
        return try change(
            Statements.putRoster(entry, team, sequence: sequence, rosterCount: count))
    }

    // MARK: Statements

    private func change(_ statement: SQL) throws(KeychainError) -> PutResult {
        do throws(KeychainError) {
            return try run(statement).first?.first == "1" ? .stored : .conflict
        } catch  where error.status == .duplicateItem {
            return .conflict
        }
    }

    /// Runs a statement, and tries it again if the server says so.
    private func run(_ statement: SQL) throws(KeychainError) -> [[Substring]] {
        let deadline = Deadline(milliseconds: timeLimit)
        while true {
            let session =
                switch self.session {
                case let session?: session
                case nil: try PostgreSQLSession(address, password: password)
                }
            self.session = session
            do throws(PostgreSQLSession.Failure) {
                return try session.run(statement, until: deadline)
            } catch {
                self.session = nil
                switch error {
                case .connection(let error): throw error
                case .warning:
                    throw KeychainError(
                        .notAvailable, "the PostgreSQL server warned that a change may be lost",
                        hint: "see the server's log; the next exchange finds out")
                case .state(let state):
                    // Two at once; the next attempt finds the other's change.
                    guard ["40001", "40P01", "23505"].contains(state), !deadline.hasPassed else {
                        throw failure(state)
                    }
                    SystemCalls.sleep(milliseconds: UInt32.random(in: 1...20))
                }
            }
        }
    }

    private func failure(_ state: String) -> KeychainError {
        switch state {
        // A race that the statement noticed at its end.
        case "22012": KeychainError(.duplicateItem)
        case "42P01":
            KeychainError(
                .noSuchKeychain, "the PostgreSQL database has no tables for teams",
                hint: "let the database's owner run: \(address.preparation)")
        case "42501":
            KeychainError(
                .writePermissions, "the PostgreSQL account lacks rights",
                hint: "let the database's owner run: \(address.preparation)")
        case "42704":
            KeychainError(
                .param, "the PostgreSQL server has no such account",
                hint: "create it in psql: CREATE ROLE ada LOGIN; then \\password ada")
        case "25006":
            KeychainError(
                .readOnly, "the PostgreSQL server is a read-only standby",
                hint: "name all servers in the address: postgres://ACCOUNT@ONE,TWO/DATABASE")
        case "53100": KeychainError(.diskFull, "the disk of the PostgreSQL server is full")
        default:
            KeychainError(
                .notAvailable, "the PostgreSQL server failed with SQLSTATE \(state)",
                hint: "see the server's log")
        }
    }

    // MARK: Rows

    private static let nonsense = KeychainError(
        .decode, "the PostgreSQL server's answer makes no sense")

    private func head(_ row: [Substring]) throws(KeychainError) -> ServerHead {
        guard row.count == 2 else {
            throw PostgreSQLTransport.nonsense
        }
        return ServerHead(sequence: try number(row[0]), rosterCount: try number(row[1]))
    }

    /// Returns a number; one below 0 is as wrong as the largest.
    private func number(_ field: Substring) throws(KeychainError) -> UInt64 {
        guard let number = Int64(field) else {
            throw PostgreSQLTransport.nonsense
        }
        return UInt64(number < 0 ? .max : number)
    }

    private func bytes(_ field: Substring) throws(KeychainError) -> [UInt8] {
        guard let bytes = Hexadecimal.decode(field.utf8) else {
            throw PostgreSQLTransport.nonsense
        }
        return bytes
    }
}
