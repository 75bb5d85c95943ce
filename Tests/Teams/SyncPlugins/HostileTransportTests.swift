import SyncPlugins
import TestSupport
import LanyardSecrets
import SyncConformance
import SyncEngine
import Testing

@Suite("Hostile server: git and PostgreSQL") struct HostileTransportTests {
    private static let team = TransportCase.id(99)
    private let scratch: ScratchFolder

    init() throws {
        scratch = try ScratchFolder()
    }

    @Test(
        .enabled(if: ScratchGitServer.isServable, "there is no lighttpd"),
        arguments: HostileServerCase.allCases)
    func git(_ lie: HostileServerCase) throws {
        try #require(ScratchGitServer.knowsPassword)
        let server = try ScratchGitServer(isRemote: true)
        var count = 0
        func connect() throws -> GitTransport {
            count += 1
            return try GitTransport(
                SyncAddress(
                    server.address, team: Self.team, folder: "\(scratch.path)/\(count)",
                    password: nil))
        }
        try lie.run(HostileServer(try connect()) { try server.makeBackup() }, connect)
    }

    @Test(
        .enabled(if: ScratchPostgreSQL.programs != nil, "there is no PostgreSQL server"),
        arguments: HostileServerCase.allCases)
    func postgreSQL(_ lie: HostileServerCase) throws {
        let server = try ScratchPostgreSQL.shared.get()
        let team = try Identifier.random()
        func connect() throws -> PostgreSQLTransport {
            try PostgreSQLTransportTests.connect(server.address(), team)
        }
        let transport = try connect()
        try transport.create()
        try lie.run(HostileServer(transport) { try server.makeBackup(of: team) }, connect)
    }
}

/// A server whose store goes back.
private final class HostileServer: RestorableServer {
    private let transport: any SyncTransport
    private let backup: () throws -> () throws -> Void

    init(_ transport: any SyncTransport, _ backup: @escaping () throws -> () throws -> Void) {
        (self.transport, self.backup) = (transport, backup)
    }

    func makeBackup() throws -> () throws -> Void { try backup() }
    func head() throws(KeychainError) -> ServerHead { try transport.head() }
    func changes(since head: ServerHead) throws(KeychainError) -> ServerChanges {
        try transport.changes(since: head)
    }
    func record(_ id: Identifier) throws(KeychainError) -> ServerRecord? {
        try transport.record(id)
    }
    func put(_ records: [ServerRecord], rosterCount: UInt64) throws(KeychainError) -> PutResult {
        try transport.put(records, rosterCount: rosterCount)
    }
    func putRoster(_ entry: [UInt8], at head: ServerHead) throws(KeychainError) -> PutResult {
        try transport.putRoster(entry, at: head)
    }
}

extension ScratchGitServer {
    /// Notes where the branch is.
    ///
    /// - Returns: What puts it back there.
    fileprivate func makeBackup() throws -> () throws -> Void {
        let branch = "refs/heads/lanyard"
        let commit = try git("for-each-ref", "--format=%(objectname)", branch)
        return {
            if commit.isEmpty {
                try self.git("update-ref", "-d", branch)
            } else {
                try self.git("update-ref", branch, commit)
            }
        }
    }
}

extension ScratchPostgreSQL {
    /// Copies a team's rows.
    ///
    /// - Returns: What makes them the rows again.
    fileprivate func makeBackup(of team: Identifier) throws -> () throws -> Void {
        let name = try Identifier.random().text
        let tables = ["heads", "records", "roster"]
        func run(_ statement: (_ table: String, _ copy: String, _ condition: String) -> String)
            throws
        {
            let text = tables.map {
                statement(
                    "lanyard_\($0)", "\($0)_\(name)",
                    "WHERE team = decode('\(team.text)', 'hex')")
            }
            try sql("BEGIN; \(text.joined()) COMMIT;", database: "team")
        }
        try run { "CREATE TABLE \($1) AS SELECT * FROM \($0) \($2);" }
        return {
            try run { "DELETE FROM \($0) \($2); INSERT INTO \($0) SELECT * FROM \($1);" }
        }
    }
}
