import LanyardCryptography
import LanyardSecrets
import SyncConformance
import Testing

@testable import SyncEngine

/// A server, or a member, that makes it look as if an honest member's device lied.
@Suite("Hostile member: blame for another one") struct BlamedMemberTests {
    let team: HostileTeam
    /// A second honest member.
    let kay: TestDevice

    init() throws {
        team = try HostileTeam()
        kay = try team.join(4) {}
        try kay.add("kay's first")
        try team.ada.exchange()
        try team.grace.exchange()
    }

    private var devices: [TestDevice] { [team.ada, team.grace, kay] }

    private func headRecord(of device: DeviceIdentity) -> Identifier {
        DeviceHead.record(of: device.id, team: team.team)
    }

    /// Exchanges until nothing is left to do, and returns who was blamed.
    private func blamed(_ rounds: Int = 3) throws -> Set<String> {
        var blamed: Set<String> = []
        for _ in 0..<rounds {
            for device in devices {
                for finding in try device.exchange().findings {
                    switch finding {
                    case .changeContradicts(let card), .numberIsUsedTwice(let card),
                        .changesAreMissing(let card):
                        blamed.insert(card.person)
                    default: break
                    }
                }
            }
        }
        return blamed
    }

    /// The server says that another device was first, and shows what it did not take after that.
    @Test func aPutThatWasRefusedIsShownLater() throws {
        for record in [team.record, try Identifier.random()] {
            var refused: [ServerRecord] = []
            team.server.onPut = { puts in
                refused = puts
                team.server.onPut = nil
                return .conflict
            }
            try kay.set(record, "kay's")
            #expect(refused.count == 2)
            for put in refused {
                team.inject(put.content, as: put.id)
            }
            #expect(try blamed().isEmpty)
            for device in devices {
                #expect(try device.texts()[record] == "kay's")
            }
        }
    }

    /// Who was removed hides a change that another device's one replaces.
    @Test(arguments: [false, true])
    func aChangeThatAnotherNamesIsHidden(_ isRemoved: Bool) throws {
        let key =
            try isRemoved
            ? #require(team.keptKeys().last)
            : #require(team.ada.engine.replica.roster.keys(of: team.ada.identity).last)
        let record = try Identifier.random()
        let head = try #require(team.server.records[headRecord(of: kay.identity)]?.content)
        try kay.set(record, "kay's")
        try team.grace.exchange()
        try team.grace.set(record, "grace's")
        let item = try #require(try team.grace.engine.replica.item(record))
        try team.inject(.item(SharedItem(item.winner)), as: record, under: key)
        team.inject(head, as: headRecord(of: kay.identity))
        let findings = try team.ada.exchange().findings
        #expect(!findings.contains(.changeContradicts(team.grace.identity.card)))
        #expect(findings.contains(.changesAreMissing(team.grace.identity.card)))
        _ = try blamed()
        #expect(try blamed().isEmpty)
        #expect(try team.ada.texts()[record] == "grace's")
    }

    /// A member shows older heads of two devices, and of their changes the last one alone. The others can't tell that from a
    /// device which names changes that were never made: what they are told of it is so, and ends with its next exchange.
    @Test func aChangeThatAnotherNamesIsHiddenWithBothHeads() throws {
        let key = try #require(
            team.ada.engine.replica.roster.keys(of: team.ada.identity).last)
        try team.grace.add("grace's first")
        try team.ada.exchange()
        let truth = try team.ada.texts()
        let record = try Identifier.random()
        let heads = [kay, team.grace].map { headRecord(of: $0.identity) }
        let old = try heads.map { try #require(team.server.records[$0]?.content) }
        try kay.set(record, "kay's")
        try team.grace.exchange()
        try team.grace.set(record, "grace's")
        let item = try #require(try team.grace.engine.replica.item(record))
        try team.inject(.item(SharedItem(item.winner)), as: record, under: key)
        for (head, content) in zip(heads, old) {
            team.inject(content, as: head)
        }
        let report = try team.ada.exchange()
        let contradicts = SyncReport.Finding.changeContradicts(team.grace.identity.card)
        #expect(report.findings == [contradicts, .recordIsForged(record)])
        #expect(try team.ada.texts() == truth)
        try team.grace.exchange()
        let next = try team.ada.exchange()
        #expect(next.findings.isEmpty && next.heard.contains(team.grace.identity.id))
        #expect(try team.ada.texts()[record] == "grace's")
        #expect(try blamed().isEmpty)
    }

    /// A member names changes that a device is yet to make, which was a reader for a while.
    @Test func aVersionThatNamesComingChangesOfAFormerReader() throws {
        try team.ada.engine.setRole(of: kay.identity.id, to: .reader)
        try kay.exchange()
        try team.ada.engine.setRole(of: kay.identity.id, to: .member)
        try nameComingChanges(of: kay, 1 << 33, hasHead: false)
        let findings = try kay.exchange().findings
        try kay.set(team.record, "kay's")
        try team.ada.exchange()
        #expect(try kay.texts()[team.record] == "kay's")
        #expect(try team.ada.texts()[team.record] == "kay's")
        #expect(findings.contains(.changeContradicts(team.grace.identity.card)))
    }

    /// The same while that device is a reader: all believe it, and go on with devices that join after its author's removal.
    @Test func aVersionThatNamesComingChangesOfAReader() throws {
        try team.ada.engine.setRole(of: kay.identity.id, to: .reader)
        try nameComingChanges(of: kay, 1_000)
        try team.ada.exchange()
        try team.ada.engine.remove([team.grace.identity.id])
        try team.ada.engine.setRole(of: kay.identity.id, to: .member)
        try team.ada.exchange()
        try kay.exchange()
        let max = try team.ada.sponsor("max", seed: 6, on: team.server)
        #expect(try max.texts() == team.ada.texts())
        for device in [max, kay] {
            try device.set(team.record, "last")
            for other in [team.ada, kay, max] {
                #expect(try other.exchange().findings.isEmpty)
                #expect(try other.texts()[team.record] == "last")
            }
        }
    }

    /// Kay's large version takes over what Grace's one names: changes that a former member is yet to make.
    @Test(arguments: [1 << 31, 1 << 61])
    func aLargeVersionThatNamesComingChangesOfAReader(_ count: UInt64) throws {
        let lee = try team.ada.sponsor("lee", seed: 15, on: team.server)
        try lee.add("lee's")
        try team.ada.exchange()
        try team.ada.engine.setRole(of: lee.identity.id, to: .reader)
        for device in devices + [lee] {
            try device.exchange()
        }
        let change = try kay.change(team.record, String(repeating: "k", count: 600_000))
        try nameComingChanges(of: lee, count, String(repeating: "x", count: 5 << 20), clock: 50)
        _ = try kay.engine.exchange([change])
        #expect(try blamed().isSubset(of: ["grace"]))
        try team.ada.engine.remove([team.grace.identity.id])
        for device in [team.ada, kay, lee] {
            try device.exchange()
        }
        try team.ada.engine.setRole(of: lee.identity.id, to: .member)
        for device in [kay, team.ada, lee] {
            try device.exchange()
        }
        try kay.set(team.record, "kay's")
        for device in [team.ada, lee, kay] {
            #expect(try device.exchange().findings.isEmpty)
            #expect(try device.texts()[team.record] == "kay's")
        }
        _ = try team.ada.sponsor("max", seed: 6, on: team.server)
    }

    /// Whose head said so as long as it was a member's.
    @Test func aVersionThatNamesWhatAReaderClaimed() throws {
        let lee = try team.ada.sponsor("lee", seed: 15, on: team.server)
        let replica = lee.engine.replica
        let head = DeviceHead(
            counter: 1 << 40, changes: DigestSum(), seen: replica.seen, replica.roster,
            by: lee.identity)
        let key = try #require(replica.roster.keys(of: lee.identity).last)
        try team.inject(.head(head), as: headRecord(of: lee.identity), under: key)
        try nameComingChanges(of: lee, 1 << 40)
        for device in [team.ada, kay] {
            #expect(try device.exchange().findings.isEmpty)
            #expect(try device.texts()[team.record] == "grace's")
        }
        try team.ada.engine.setRole(of: lee.identity.id, to: .reader)
        let max = try team.ada.sponsor("max", seed: 6, on: team.server)
        #expect(try blamed().isEmpty)
        #expect(try max.texts() == team.ada.texts())
    }

    /// Kay's version names a change that the owner did not see before its device became a reader.
    @Test func aChangeThatIsHiddenBeforeItsDeviceBecomesAReader() throws {
        let record = try team.grace.add("grace's")
        for device in devices {
            try device.exchange()
        }
        let records = [record, headRecord(of: kay.identity), headRecord(of: team.grace.identity)]
        let old = records.map { team.server.records[$0]!.content }
        try team.grace.set(record, "hidden")
        try kay.exchange()
        try kay.set(record, "kay's first")
        for (id, content) in zip(records, old) {
            team.inject(content, as: id)
        }
        try team.ada.engine.setRole(of: team.grace.identity.id, to: .reader)
        try kay.exchange()
        try team.ada.exchange()
        try team.ada.engine.setRole(of: team.grace.identity.id, to: .member)
        try kay.exchange()
        try team.ada.exchange()
        _ = try team.ada.sponsor("lee", seed: 15, on: team.server)
        try kay.set(record, "kay's")
        #expect(try blamed().isEmpty)
        #expect(try team.ada.texts()[record] == "kay's")
        _ = try team.ada.sponsor("max", seed: 6, on: team.server)
    }

    /// Lets Grace's device sign a version which says that it knows changes that another one is yet to make.
    private func nameComingChanges(
        of device: TestDevice, _ count: UInt64, _ text: String = "grace's",
        clock: UInt64 = SyncLimits.number - 1, hasHead: Bool = true
    ) throws {
        try team.grace.exchange()
        let (replica, grace) = (team.grace.engine.replica, team.grace.identity)
        let key = try #require(try replica.roster.keys(of: grace).last)
        var item = try #require(try replica.item(team.record))
        var (context, sum) = (item.context, replica.summary.changes[grace.id] ?? DigestSum())
        let counter = team.grace.engine.counter + 1
        if context[grace.id] > 0 {
            sum.subtract(DeviceHead.digest(team.record, grace.id, context[grace.id]))
        }
        sum.add(DeviceHead.digest(team.record, grace.id, counter))
        context[device.identity.id] = count
        item.add(
            try team.version(
                text, of: team.record, by: grace, counter, knowing: context, clock: clock,
                under: key))
        var seen = replica.seen
        seen[grace.id] = counter
        let head = DeviceHead(
            counter: counter, changes: sum, seen: seen, replica.roster, by: grace)
        if hasHead {
            try team.inject(.head(head), as: headRecord(of: grace), under: key)
        }
        try team.inject(.item(item), as: team.record, under: key)
    }
}
