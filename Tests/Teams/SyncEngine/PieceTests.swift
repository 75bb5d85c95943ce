import LanyardSecrets
import SyncConformance
import Testing

@testable import SyncEngine

/// Many items travel in pieces: each one is a whole exchange, whatever happens after it.
@Suite("Exchange in pieces") struct PieceTests {
    private let server: MemoryServer
    private let ada: TestDevice
    private let grace: TestDevice
    private let changes: [LocalChange]

    init() throws {
        server = MemoryServer()
        server.pieceCount = 3
        ada = try TestDevice(creating: server)
        grace = try ada.sponsor("grace", seed: 2, on: server)
        changes = try (0..<11).map { try LocalChange(adding: Secret("secret \($0)")) }
        ada.engine = try engine(ada.identity, ada.engine.replica)
    }

    /// An engine that gives four items at once.
    private func engine(
        _ identity: DeviceIdentity, _ replica: Replica
    ) throws -> SyncEngine {
        try SyncEngine(
            replica, identity, server, pieceCount: 4, now: { TestDevice.start }, wait: { _ in })
    }

    /// Does something after each put that the server stores.
    private func afterEachPut(_ body: @escaping (_ count: Int) -> Void) {
        var count = 0
        func onPut(_ puts: [ServerRecord]) -> PutResult {
            server.onPut = nil
            let result = try? server.put(puts, rosterCount: UInt64(server.roster.count))
            count += 1
            server.onPut = onPut
            body(count)
            return result ?? .conflict
        }
        server.onPut = onPut
    }

    @Test func eachPieceIsAWholeExchange() throws {
        var counts: [Int] = []
        var findings: Set<SyncReport.Finding> = []
        afterEachPut { [grace] _ in
            findings.formUnion((try? grace.exchange().findings) ?? [.serverIsOlder])
            counts.append((try? grace.engine.replica.items.count) ?? 0)
        }
        let report = try ada.engine.exchange(changes)
        #expect(counts == [4, 8, 11])
        #expect(findings.isEmpty)
        // A piece has this device's head, too.
        #expect((report.sent, report.waiting) == (14, 0))
        server.onPut = nil
        #expect(try ada.exchange().findings.isEmpty)
        let kay = try ada.sponsor("kay", seed: 3, on: server)
        #expect(try kay.texts() == ada.texts())
        #expect(try kay.texts().count == 11)
    }

    @Test(arguments: 1...2) func whatEndsBetweenPiecesGoesOn(_ last: Int) throws {
        let before = try ada.engine.replica.copy()
        afterEachPut { [server] count in server.isAway = count == last }
        #expect(throws: KeychainError(.notAvailable)) { try ada.engine.exchange(changes) }
        (server.isAway, server.onPut) = (false, nil)
        // Whoever comes in between sees nothing strange, and a device can join.
        #expect(try grace.exchange().findings.isEmpty)
        #expect(try grace.engine.replica.items.count == 4 * last)
        // The process starts again with the replica that it stored.
        ada.engine = try engine(ada.identity, before)
        let report = try ada.engine.exchange(changes)
        #expect(report.findings.isEmpty)
        #expect(report.sent == 11 - 4 * last + (last == 1 ? 2 : 1))
        try grace.exchange()
        #expect(try grace.texts() == ada.texts())
        #expect(try grace.texts().count == 11)
        // No item was given twice.
        #expect(changes.allSatisfy { server.records[$0.record]?.version == 1 })
    }

    @Test func aServerThatLostMuchGetsItBackInPieces() throws {
        let state = server.backup
        _ = try ada.engine.exchange(changes)
        try grace.exchange()
        server.backup = state
        afterEachPut { [server] count in server.isAway = count == 1 }
        #expect(throws: KeychainError(.notAvailable)) { try ada.exchange() }
        (server.isAway, server.onPut) = (false, nil)
        let report = try ada.exchange()
        #expect(report.findings == [.serverIsOlder])
        #expect(report.waiting == 0)
        #expect(changes.allSatisfy { server.records[$0.record] != nil })
        #expect(try ada.exchange().findings.isEmpty)
        let kay = try ada.sponsor("kay", seed: 3, on: server)
        #expect(try kay.texts() == ada.texts())
    }

    @Test func aBusyServerGetsTheRestLater() throws {
        var isFull = false
        // Only the first piece is stored, and then nothing more.
        server.onPut = { [server] puts in
            if isFull {
                return .conflict
            }
            isFull = true
            let own = server.onPut
            server.onPut = nil
            defer { server.onPut = own }
            return (try? server.put(puts, rosterCount: UInt64(server.roster.count))) ?? .conflict
        }
        #expect(throws: KeychainError(.notAvailable)) { try ada.engine.exchange(changes) }
        #expect(try ada.texts().isEmpty)
        // The last piece alone waits in the replica.
        let report = try ada.engine.exchange(Array(changes[4..<8]))
        #expect((report.sent, report.waiting) == (0, 5))
        #expect(try ada.texts().count == 8)
        server.onPut = nil
        #expect(try ada.engine.exchange(changes).waiting == 0)
        try grace.exchange()
        #expect(try grace.texts() == ada.texts())
        #expect(try grace.texts().count == 11)
    }

    // MARK: Hostile servers

    @Test func piecesThatLeadNowhereAreRefused() throws {
        let team = try HostileTeam()
        try team.ada.add("more")
        for rest in [true, false] {
            team.server.show = { changes in
                ServerChanges(
                    head: rest ? changes.head : team.grace.engine.replica.server,
                    roster: changes.roster, records: rest ? [] : changes.records, hasMore: true)
            }
            #expect(try team.isRefused(team.grace))
        }
    }

    @Test func piecesWithoutAnEndAreRefused() throws {
        let team = try HostileTeam()
        var count: UInt64 = 0
        team.server.show = { changes in
            count += 1
            let record = ServerRecord(id: team.record, version: count, content: [1])
            return ServerChanges(
                head: ServerHead(
                    sequence: team.server.sequence + count, rosterCount: changes.head.rosterCount),
                roster: changes.roster, records: [record], hasMore: true)
        }
        #expect(try team.isRefused(team.grace))
        #expect(count <= 2 * UInt64(SyncLimits.pieces))
    }

    /// Each one in time, but all of them not.
    @Test func piecesThatTakeTooLongAreRefused() throws {
        let team = try HostileTeam()
        team.server.pieceCount = 1
        try team.ada.add("more")
        team.grace.engine.timeLimit = 0
        #expect(try team.isRefused(team.grace, .notAvailable))
        team.grace.engine.timeLimit = SyncLimits.time
        #expect(try team.grace.exchange().received == 1)
    }

    @Test func aServerThatGoesBackBetweenPiecesIsRefused() throws {
        let team = try HostileTeam()
        team.server.pieceCount = 1
        try team.ada.add("more")
        try team.ada.add("still more")
        var isFirst = true
        team.server.show = { changes in
            defer { isFirst = false }
            return isFirst
                ? changes
                : ServerChanges(
                    head: ServerHead(sequence: 1, rosterCount: changes.head.rosterCount),
                    roster: [], records: [])
        }
        #expect(try team.isRefused(team.grace))
    }
}
