import Foundation
import TestSupport
import LanyardSecrets
import SyncConformance
import SyncEngine
@testable import SyncPlugins
import Testing

@Suite(
    "PostgreSQL as a team's server",
    .enabled(if: ScratchPostgreSQL.programs != nil, "there is no PostgreSQL server"))
struct PostgreSQLTransportTests {
    private let server: ScratchPostgreSQL
    private let team: Identifier

    init() throws {
        server = try ScratchPostgreSQL.shared.get()
        team = try Identifier.random()
        try connect().create()
    }

    private static let right = "ri:g\\ht"

    static func connect(
        _ address: String, _ team: Identifier, password: String? = right
    ) throws(KeychainError) -> PostgreSQLTransport {
        try PostgreSQLTransport(
            SyncAddress(
                address, team: team, folder: "/nonexistent", password: password.map { Secret($0) }))
    }

    private func connect(
        _ address: String? = nil, password: String? = right
    ) throws(KeychainError) -> PostgreSQLTransport {
        try Self.connect(address ?? server.address(), team, password: password)
    }

    @Test(arguments: TransportCase.allCases) func conforms(_ rule: TransportCase) throws {
        try rule.run { try connect() }
    }

    /// What a few bytes of the server unpack to: a member's account may store any.
    @Test func fewBytesThatUnpackToManyCostNothing() async throws {
        let transport = try connect()
        try TransportCase.begin(transport)
        #expect(try transport.put([TransportCase.put(1, 0, [1])], rosterCount: 1) == .stored)
        try server.sql(
            """
            INSERT INTO lanyard_records VALUES (decode('\(team.text)', 'hex'),
            decode('\(TransportCase.id(2).text)', 'hex'), 1, 2,
            decode(repeat('00', 200000000), 'hex'));
            UPDATE lanyard_heads SET sequence = 2 WHERE team = decode('\(team.text)', 'hex')
            """, database: "team")
        let arguments = (server.address(), team.text)
        await #expect(processExitsWith: .success) {
            [address = arguments.0 as String, team = arguments.1 as String] in
            let team = try #require(Identifier(team))
            do {
                let transport = try Self.connect(address, team)
                #expect(
                    try transport.changes(since: .start).records.map(\.content) == [[1], []])
                #expect(try transport.record(TransportCase.id(2))?.content == [])
                #expect(
                    try transport.put([TransportCase.put(2, 1, [2])], rosterCount: 1) == .stored)
                #expect(try transport.record(TransportCase.id(2))?.content == [2])
            }
            let peak = try PeakMemory.ofProcess
            #expect(peak < 160 << 20, "\(peak)")
            #expect(PeakMemory.ofChildren < 160 << 20, "\(PeakMemory.ofChildren)")
        }
    }

    /// Numbers that a member's account sets, by the table and the change.
    private static let wrong = [
        ("heads", "sequence = 9223372036854775807"), ("heads", "sequence = -7"),
        ("heads", "roster = 1000000"), ("heads", "roster = -1"), ("records", "sequence = -1"),
        ("records", "sequence = 9223372036854775807"), ("records", "version = 9223372036854775807"),
        ("records", "version = -1"), ("records", "version = 0, sequence = 77"),
    ]

    @Test(arguments: wrong) func numbersThatNoPutMadeEndNothing(
        _ table: String, _ change: String
    ) throws {
        let transport = try connect()
        try TransportCase.begin(transport)
        for number in 1...3 {
            #expect(
                try transport.put([TransportCase.put(number, 0, [1])], rosterCount: 1) == .stored)
        }
        let team = "decode('\(team.text)', 'hex')"
        for number in ["1", "1000000", "9223372036854775807", "-1"] {
            try server.sql(
                "INSERT INTO lanyard_roster VALUES (\(team), \(number), '')", database: "team")
        }
        try server.sql(
            "UPDATE lanyard_\(table) SET \(change) WHERE team = \(team)", database: "team")
        let shown = try transport.changes(since: .start)
        #expect(Set(shown.records.map(\.id)).count == 3)
        #expect(shown.roster.first == [1])
        // A version that can't be counts as none.
        let puts = shown.records.map { record in
            ServerRecord(
                id: record.id, version: SyncLimits.isVersion(record.version) ? record.version : 0,
                content: [2])
        }
        #expect(try transport.put(puts, rosterCount: shown.head.rosterCount) == .stored)
        let next = try transport.changes(since: shown.head)
        #expect(next.records.map(\.content) == [[2], [2], [2]])
        #expect(try transport.putRoster([5], at: next.head) == .stored)
        #expect(try transport.changes(since: next.head).roster.last == [5])
        #expect(try transport.head().rosterCount == 3)
    }

    /// A member's account may overwrite what devices change, but neither delete a row nor take it away.
    @Test func anAccountHasTheRightsOfADeviceAlone() throws {
        try server.sql("CREATE ROLE kim LOGIN PASSWORD '\(Self.right)'")
        try connect().create(for: ["kim"])
        for rule in TransportCase.allCases {
            let team = try Identifier.random()
            try rule.run { try Self.connect(server.address(account: "kim"), team) }
        }
        for change in [
            "UPDATE lanyard_heads SET team = ''", "UPDATE lanyard_records SET team = ''",
            "UPDATE lanyard_records SET id = ''", "UPDATE lanyard_roster SET entry = ''",
            "DELETE FROM lanyard_heads", "DELETE FROM lanyard_records",
            "DELETE FROM lanyard_roster", "TRUNCATE lanyard_heads",
        ] {
            let error = #expect(throws: ScratchPostgreSQL.ShellFailure.self) {
                try server.sql("SET ROLE kim; \(change)", database: "team")
            }
            #expect(error?.description.contains("permission denied") == true, "\(change)")
        }
    }

    @Test func conformsWhereTransactionsAreSerializable() throws {
        try server.sql(
            """
            CREATE DATABASE strict OWNER ada;
            ALTER DATABASE strict SET default_transaction_isolation = serializable;
            """)
        for rule in TransportCase.allCases {
            let team = try Identifier.random()
            let address = server.address(database: "strict")
            try Self.connect(address, team).create()
            try rule.run { try Self.connect(address, team) }
        }
    }

    @Test(arguments: ["team", "serial"]) func processesLoseNothing(_ database: String) async throws
    {
        if database == "serial" {
            try server.sql(
                """
                CREATE DATABASE serial OWNER ada;
                ALTER DATABASE serial SET default_transaction_isolation = serializable;
                """)
        }
        let address = server.address(database: database)
        let transport = try connect(address)
        try transport.create()
        try TransportCase.begin(transport)
        await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask { [team] in
                    await #expect(processExitsWith: .success) {
                        [address = address as String, team = team.text as String] in
                        var writer = RacingWriter(
                            try Self.connect(address, try #require(Identifier(team))))
                        for _ in 0..<4 {
                            try writer.add()
                        }
                    }
                }
            }
        }
        #expect(try RacingWriter.sum(transport) == 32)
    }

    @Test func manyRecordsAreOnePut() throws {
        let transport = try connect()
        try TransportCase.begin(transport)
        var puts: [ServerRecord] = []
        for _ in 0..<500 {
            puts.append(
                ServerRecord(
                    id: try Identifier.random(), version: 0,
                    content: [UInt8](repeating: 7, count: 1000)))
        }
        #expect(try transport.put(puts, rosterCount: 1) == .stored)
        #expect(try transport.changes(since: TransportCase.start).records.count == 500)
        let next = puts.map { ServerRecord(id: $0.id, version: 1, content: [1]) }
        #expect(try transport.put(next + [puts[0]], rosterCount: 1) == .conflict)
        #expect(try transport.put(next, rosterCount: 1) == .stored)
    }

    // MARK: Logins

    @Test func aWrongPasswordIsALoginRefused() throws {
        for (address, password) in [
            (server.address(), "wrong"), (server.address(), nil),
            (server.address(account: "mallory"), "wrong"),
        ] {
            let error = #expect(throws: KeychainError.self) {
                try connect(address, password: password).head()
            }
            #expect(error?.status == .authFailed, "\(error?.reason ?? "")")
            #expect(error?.reason.contains("wrong") == false)
        }
    }

    @Test func thePasswordIsInNoArgumentAndNoVariable() throws {
        let transport = try connect()
        _ = try transport.head()
        var count = 0
        for name in try FileManager.default.contentsOfDirectory(atPath: "/proc") {
            guard let id = Int32(name),
                let stat = try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8),
                stat.contains("(psql) "), stat.contains(" \(getpid()) ")
            else {
                continue
            }
            count += 1
            for file in ["cmdline", "environ"] {
                let bytes = FileManager.default.contents(atPath: "/proc/\(id)/\(file)") ?? Data()
                #expect(bytes.firstRange(of: Data("g\\".utf8)) == nil)
                #expect(bytes.firstRange(of: Data("ri:".utf8)) == nil)
            }
        }
        #expect(count > 0)
    }

    @Test func aCertificateOfAnotherAuthorityIsRefused() throws {
        let other = try ScratchFolder()
        try server.shell(
            """
            openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=localhost -keyout "$3/k" -out "$3/c"
            """, other.path)
        let right = server.address(
            "?sslmode=verify-full&sslrootcert=\(server.path)/certificate.pem")
        #expect(try connect(right).head() == TransportCase.start)
        let wrong = server.address("?sslmode=verify-full&sslrootcert=\(other.path)/c")
        let error = #expect(throws: KeychainError.self) { try connect(wrong).head() }
        #expect(error?.status == .notAvailable)
        #expect(error?.hint?.contains("root.crt") == true)
    }

    @Test func aServerThatIsAwayIsNotAvailable() throws {
        #expect(throws: KeychainError(.notAvailable)) {
            try connect("postgres://ada@127.0.0.1:1/team").head()
        }
        #expect(throws: KeychainError(.notAvailable)) {
            try connect(server.address(database: "nowhere")).head()
        }
    }

    @Test func aSilentServerIsLeftInTime() throws {
        let silent = WrongServer()
        let transport = try connect("postgres://ada@127.0.0.1:\(silent.port)/team")
        transport.timeLimit = 300
        let error = #expect(throws: KeychainError.self) { try transport.head() }
        #expect(error?.reason == "the PostgreSQL server did not answer in time")
    }

    /// Numbers without an end, that no limit of the statement makes fewer.
    @Test func endlessRecordsEnd() throws {
        let transport = try connect()
        try TransportCase.begin(transport)
        try server.sql(
            """
            CREATE SCHEMA endless; GRANT USAGE ON SCHEMA endless TO ada;
            CREATE VIEW endless.lanyard_records AS
            SELECT decode('\(team.text)', 'hex') AS team,
            decode(lpad(to_hex(number), 32, '0'), 'hex') AS id, 1 AS version, number AS sequence,
            '\\x00'::bytea AS content FROM generate_series(1, 100000000000) AS number;
            CREATE VIEW endless.lanyard_heads AS SELECT * FROM public.lanyard_heads;
            CREATE VIEW endless.lanyard_roster AS SELECT * FROM public.lanyard_roster;
            GRANT SELECT ON ALL TABLES IN SCHEMA endless TO ada;
            CREATE ROLE eve LOGIN PASSWORD 'ri:g\\ht' IN ROLE ada;
            ALTER ROLE eve SET search_path = endless; ALTER ROLE eve SET statement_timeout = '20s'
            """, database: "team")
        let hostile = try connect(server.address(account: "eve"))
        hostile.timeLimit = 2000
        #expect(throws: KeychainError(.notAvailable)) { try hostile.changes(since: .start) }
    }

    @Test func anEndlessAnswerEnds() throws {
        let endless = WrongServer(sending: "", then: "E\u{7F}AAAAAAAA")
        let transport = try connect("postgres://ada@127.0.0.1:\(endless.port)/team")
        #expect(throws: KeychainError(.notAvailable)) { try transport.head() }
    }

    // MARK: Rights

    @Test func fewRightsSuffice() throws {
        let grace = server.address(account: "grace")
        #expect(throws: KeychainError(.writePermissions)) {
            try connect(grace, password: "other").head()
        }
        // Only who owns the tables gives rights, and only to an account.
        for (account, status) in [("nobody", Status.param), ("a\"b", .param), ("", .param)] {
            #expect(throws: KeychainError(status)) { try connect().create(for: [account]) }
        }
        #expect(throws: KeychainError(.writePermissions)) {
            try connect(grace, password: "other").create(for: ["ada"])
        }
        try connect().create(for: ["grace"])
        try connect().create(for: ["grace"])
        let transport = try connect(grace, password: "other")
        try transport.create()
        try TransportCase.begin(transport)
        #expect(try transport.put([TransportCase.put(1, 0, [1])], rosterCount: 1) == .stored)
        #expect(try transport.put([TransportCase.put(1, 1, [2])], rosterCount: 1) == .stored)
        #expect(try transport.record(TransportCase.id(1))?.content == [2])
    }

    @Test func aDatabaseWithoutTablesSaysSo() throws {
        try server.sql("CREATE DATABASE bare OWNER ada")
        let transport = try connect(server.address(database: "bare"))
        #expect(throws: KeychainError(.noSuchKeychain)) { try transport.head() }
        try transport.create()
        #expect(try transport.head() == TransportCase.start)
        // Again, and who may not create tables.
        try transport.create()
    }

    // MARK: Crashes

    @Test func aKilledServerLosesNothing() throws {
        let server = try ScratchPostgreSQL()
        let transport = try Self.connect(server.address(), team)
        try transport.create()
        try TransportCase.begin(transport)
        var writer = RacingWriter(transport)
        for _ in 0..<3 {
            for _ in 0..<5 {
                try writer.add()
            }
            try server.kill()
            #expect(throws: KeychainError(.notAvailable)) { try transport.head() }
            try server.start()
            #expect(try RacingWriter.sum(transport) == writer.acknowledged)
        }
    }

    /// A server that is only a standby now stores nothing, and says why.
    @Test func aReadOnlyServerSaysSo() throws {
        try server.sql(
            """
            CREATE DATABASE standby OWNER ada;
            """)
        let address = server.address(database: "standby")
        try connect(address).create()
        try server.sql("ALTER DATABASE standby SET default_transaction_read_only = on")
        #expect(throws: KeychainError(.readOnly)) { try TransportCase.begin(connect(address)) }
    }
}
