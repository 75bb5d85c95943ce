import LanyardSecrets
import SyncConformance
import Testing

@testable import SyncEngine

/// Old states shown as the present one, and parts left out.
///
/// A server that shows a device nothing new, or a whole older state to a device that never saw a later one,
/// can't be noticed by construction: only the words of another member help.
@Suite("Hostile server: rollback, replay and drop") struct RollbackTests {
    let team: HostileTeam

    init() throws {
        team = try HostileTeam()
    }

    @Test("DL01 transaction replay would show an old secret as the present one")
    func transactionReplay() throws {
        team.inject(team.before.records[team.record]!.content, as: team.record)
        let report = try team.grace.exchange()
        #expect(report.findings.contains(.serverIsOlder) && report.sent > 0)
        #expect(try team.grace.texts() == team.truth)
        try team.ada.exchange()
        #expect(try team.ada.texts() == team.truth)
    }

    @Test("1P02 item dropping and duplication would take items away, or show them twice")
    func dropping() throws {
        let copy = Identifier(digestOf: [3])
        team.inject(team.server.records[team.record]!.content, as: copy)
        #expect(try team.graceFindsForgery(of: copy))
        team.server.records[copy] = nil
        // A joining device gets everything that its sponsor knew, or nothing.
        for (seed, record) in zip(11..., [team.record, team.unseen]) {
            let state = team.server.backup
            #expect(throws: KeychainError(.decode)) {
                try team.join(UInt8(seed)) {
                    team.server.records[record] = nil
                }
            }
            let roster = team.server.roster
            team.server.backup = state
            team.server.roster = roster
        }
    }

    @Test func anItemThatWasDroppedComesBack() throws {
        team.server.records[team.record] = nil
        team.server.sequence += 1
        // Nothing shows it until something else changes; then the server gets it back.
        let other = try team.ada.add("other")
        try team.grace.exchange()
        team.server.backup = team.before
        #expect(try team.grace.exchange().findings.contains(.serverIsOlder))
        #expect(team.server.records[team.record] != nil && team.server.records[other] != nil)
    }

    @Test func whatWasStoredAndIsNotThereIsGivenAgain() throws {
        let change = try LocalChange(team.record, Secret("newer"), in: team.grace.engine.replica)
        team.server.onPut = { _ in .stored }
        #expect(try team.grace.engine.exchange([change]).waiting == 0)
        team.server.onPut = nil
        let report = try team.grace.exchange()
        #expect(report.findings == [.serverIsOlder] && report.sent > 0)
        try team.ada.exchange()
        #expect(try team.ada.texts()[team.record] == "newer")
    }

    @Test func whatWaitsIsGivenByTheNextExchange() throws {
        let change = try LocalChange(team.record, Secret("newer"), in: team.grace.engine.replica)
        team.server.onPut = { _ in .conflict }
        let report = try team.grace.engine.exchange([change])
        #expect(report.waiting > 0 && report.sent == 0)
        #expect(try team.grace.texts()[team.record] == "newer")
        #expect(try team.grace.exchange().waiting > 0)
        team.server.onPut = nil
        let next = try team.grace.exchange()
        #expect(next.waiting == 0 && next.sent > 0 && next.findings.isEmpty)
        try team.ada.exchange()
        #expect(try team.ada.texts()[team.record] == "newer")
    }

    @Test func aServerWithAsManyChangesButOthersIsNoticed() throws {
        // It goes back by Ada's changes, and has as many new ones before Grace asks again.
        try team.ada.add("lost")
        try team.grace.exchange()
        let sequence = team.server.sequence
        team.server.backup = team.before
        team.server.roster = team.grace.engine.replica.roster.entries.map(\.bytes)
        team.server.sequence = sequence
        let report = try team.grace.exchange()
        #expect(report.findings.contains(.serverIsOlder))
        #expect(
            try Set(team.grace.engine.replica.items.keys).isSubset(of: team.server.records.keys))
    }

    /// The server takes back Grace's last change, with the head that tells of it, and shows what others changed since. The
    /// last record that she saw before is her own head, or Ada's.
    @Test(arguments: [true, false]) func anOwnChangeThatIsTakenBackIsGivenAgain(
        lastIsOwn: Bool
    ) throws {
        try team.grace.set(team.record, "new")
        let state = team.server.backup
        try team.grace.set(team.record, "newer")
        if !lastIsOwn {
            try team.ada.add("another")
            try team.grace.exchange()
        }
        let head = DeviceHead.record(of: team.grace.identity.id, team: team.team)
        for record in [team.record, head] {
            team.server.records[record] = state.records[record]
            team.server.sequences[record] = state.sequences[record]
        }
        let other = try team.ada.add("other")
        #expect(team.server.sequence > state.sequence)
        let report = try team.grace.exchange()
        #expect(report.findings == [.serverIsOlder] && report.sent > 0)
        try team.ada.exchange()
        for device in [team.ada, team.grace] {
            #expect(try device.texts()[team.record] == "newer")
            #expect(try device.texts()[other] == "other")
        }
    }

    @Test func anOwnOlderHeadIsNotTakenOver() throws {
        let head = DeviceHead.record(of: team.grace.identity.id, team: team.team)
        try team.grace.set(team.record, "new")
        let old = try #require(team.server.records[head])
        try team.grace.set(team.record, "newer")
        let known = try #require(team.grace.engine.replica.heads[team.grace.identity.id])
        team.inject(old.content, as: head)
        let report = try team.grace.exchange()
        #expect(report.findings == [.serverIsOlder] && report.sent > 0)
        #expect(team.grace.engine.given == known.counter)
        // Others take it over from her, and not the one that the server showed.
        try team.ada.exchange()
        #expect(team.ada.engine.replica.heads[team.grace.identity.id] == known)
    }

    @Test func anOlderRosterIsNoHarmToAJoiningDevice() throws {
        // The entry that adds Kay is left out, or one before it: she joins nothing.
        #expect(throws: KeychainError.self) {
            try team.join(4) { team.server.roster.removeLast() }
        }
        #expect(throws: KeychainError.self) {
            try team.join(5) { team.server.roster.remove(at: 2) }
        }
    }

    @Test func aRosterThatCanNotBeRestoredEndsTheExchange() throws {
        // The server takes no entry, and pretends that other devices write.
        let server = TirelessServer(team.server)
        let engine = try SyncEngine(
            team.grace.engine.replica, team.grace.identity, server,
            now: { TestDevice.start }, wait: { _ in })
        team.server.roster.removeLast()
        #expect(throws: KeychainError(.decode)) { try engine.exchange() }
        #expect(server.count < 100)
    }

    @Test func aRemovalThatTheServerLosesAtOnceIsGivenBack() throws {
        let server = ForgetfulServer(team.server)
        let engine = try SyncEngine(
            team.ada.engine.replica, team.ada.identity, server, now: { TestDevice.start },
            wait: { _ in })
        try engine.remove([team.grace.identity.id])
        _ = try engine.exchange()
        #expect(engine.replica.roster.devices[team.grace.identity.id]?.role == nil)
        #expect(team.server.roster.count == engine.replica.roster.entries.count)
        #expect(try team.isRefused(team.grace, .missingEntitlement))
    }

    @Test func aHeadOfARemovedDeviceChangesNothing() throws {
        // Mallory signs that she knew changes of Ada that are not there: all would wait for them for ever.
        var seen = VersionVector()
        seen[team.ada.identity.id] = 1_000_000
        let replica = try team.mallory.engine.replica.copy()
        for counter: UInt64 in [1, 2, 99] {
            let head = DeviceHead(
                counter: counter,
                changes: try #require(replica.heads[team.mallory.identity.id])
                    .changes, seen: seen, replica.roster, by: team.mallory.identity)
            let record = DeviceHead.record(of: team.mallory.identity.id, team: team.team)
            try team.inject(.head(head), as: record, under: try team.keptKeys()[0])
            let report = try team.grace.exchange()
            #expect(counter == 1 || report.findings == [.recordIsForged(record)])
            #expect(try team.grace.texts() == team.truth)
        }
        // Kay joins, and gets the truth.
        let kay = try team.join(4) {}
        #expect(try kay.texts() == team.truth)
    }

    @Test func aHeadOfADeviceThatNeverWasIsForged() throws {
        let eve = try TestDevice.identity("eve", 66)
        let head = DeviceHead(
            counter: 5, changes: try #require(team.ada.engine.replica.heads.values.first).changes,
            seen: VersionVector(), team.ada.engine.replica.roster, by: eve)
        let record = DeviceHead.record(of: eve.id, team: team.team)
        try team.inject(.head(head), as: record, under: try team.keptKeys()[0])
        #expect(try team.graceFindsForgery(of: record))
    }
}

/// Takes no entry of the roster, and always has something new.
final class TirelessServer: SyncTransport {
    private let server: MemoryServer
    private(set) var count = 0

    init(_ server: MemoryServer) {
        self.server = server
    }

    func head() throws(KeychainError) -> ServerHead {
        count += 1
        server.sequence += 1
        return try server.head()
    }

    func changes(since head: ServerHead) throws(KeychainError) -> ServerChanges {
        try server.changes(since: head)
    }

    func record(_ id: Identifier) throws(KeychainError) -> ServerRecord? {
        try server.record(id)
    }

    func put(
        _ puts: [ServerRecord], rosterCount: UInt64
    ) throws(KeychainError) -> PutResult {
        try server.put(puts, rosterCount: rosterCount)
    }

    func putRoster(_ entry: [UInt8], at head: ServerHead) throws(KeychainError) -> PutResult {
        .conflict
    }
}

/// Goes back to what it was before, once, right after it took an entry of the roster.
private final class ForgetfulServer: SyncTransport {
    private let server: MemoryServer
    private var hasForgotten = false

    init(_ server: MemoryServer) {
        self.server = server
    }

    func head() throws(KeychainError) -> ServerHead {
        try server.head()
    }

    func changes(since head: ServerHead) throws(KeychainError) -> ServerChanges {
        try server.changes(since: head)
    }

    func record(_ id: Identifier) throws(KeychainError) -> ServerRecord? {
        try server.record(id)
    }

    func put(
        _ puts: [ServerRecord], rosterCount: UInt64
    ) throws(KeychainError) -> PutResult {
        try server.put(puts, rosterCount: rosterCount)
    }

    func putRoster(_ entry: [UInt8], at head: ServerHead) throws(KeychainError) -> PutResult {
        let backup = server.backup
        let result = try server.putRoster(entry, at: head)
        if !hasForgotten {
            hasForgotten = true
            server.backup = backup
        }
        return result
    }
}
