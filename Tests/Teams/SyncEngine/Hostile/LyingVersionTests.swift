import LanyardCryptography
import LanyardSecrets
import SyncConformance
import Testing

@testable import SyncEngine

/// A member whose device signs versions that contradict what it signed before, or what others did.
@Suite("Hostile member: made-up versions") struct LyingVersionTests {
    let team: HostileTeam
    /// A second honest member.
    let kay: TestDevice

    init() throws {
        team = try HostileTeam()
        kay = try team.join(4) {}
        try team.grace.set(team.record, "grace's")
        try team.ada.exchange()
        // Ada's version replaces Grace's.
        try team.ada.set(team.record, "ada's")
        try kay.exchange()
        try team.grace.exchange()
    }

    private var key: TeamKey {
        get throws { try team.grace.engine.replica.roster.keys(of: team.grace.identity).last! }
    }

    /// Everybody but Grace goes on, sees her name, and can remove her; then she can do no more.
    private func expectTheOthersGoOn(
        _ lie: SharedItem, _ finding: SyncReport.Finding, isMember: Bool = true
    ) throws {
        for round in 0..<2 {
            try team.inject(.item(lie), as: team.record, under: key)
            let change = try LocalChange(adding: Secret("\(round)"))
            let report = try team.ada.engine.exchange([change])
            #expect(report.findings.contains(finding) == (isMember && round == 0))
            try kay.exchange()
            for device in [team.ada, kay] {
                #expect(try device.texts()[team.record] == "ada's")
                #expect(try device.texts()[change.record] == "\(round)")
            }
            if isMember, round == 0 {
                try team.ada.engine.remove([team.grace.identity.id])
                try team.ada.exchange()
            }
        }
        try kay.set(team.record, "kay's")
        try team.ada.exchange()
        #expect(try team.ada.texts()[team.record] == "kay's")
        #expect(try team.ada.exchange().findings.isEmpty)
        _ = try team.ada.sponsor("lee", seed: 5, on: team.server)
    }

    /// Each replaces the other: nothing would be current, and older versions are too large to be kept.
    private func circle() throws -> SharedItem {
        let known = try #require(try team.ada.engine.replica.item(team.record))
        let number = known.context[team.grace.identity.id]
        #expect(known.winner.context[team.grace.identity.id] == number)
        let version = try team.version(
            String(repeating: "x", count: 70_000), of: team.record, by: team.grace.identity, number,
            knowing: known.context, under: key)
        var item = known
        item.add(version)
        return item
    }

    @Test func aVersionThatHidesAllOthers() throws {
        try expectTheOthersGoOn(circle(), .numberIsUsedTwice(team.grace.identity.card))
    }

    @Test func aVersionThatHidesAllOthersAfterARemoval() throws {
        let item = try circle()
        try team.ada.engine.remove([team.grace.identity.id])
        try expectTheOthersGoOn(
            item, .numberIsUsedTwice(team.grace.identity.card), isMember: false)
    }

    /// Alone: nothing but this version tells of its number.
    @Test func aVersionThatReplacesItsReplacement() throws {
        let version = try circle().versions.first { $0.content?.count ?? 0 > 60_000 }
        try expectTheOthersGoOn(
            SharedItem(try #require(version)), .numberIsUsedTwice(team.grace.identity.card))
    }

    @Test(arguments: [1, 1 << 33, SyncLimits.number - 1])
    func aVersionThatUsesUpTheNumbersOfAnother(_ more: UInt64) throws {
        let known = try #require(try team.ada.engine.replica.item(team.record))
        var context = known.context
        let ada = team.ada.identity.id
        context[ada] = min(team.ada.engine.counter + more, SyncLimits.number - 1)
        let version = try team.version(
            "grace's", of: team.record, by: team.grace.identity,
            team.grace.engine.counter + 1, knowing: context, under: key)
        var item = known
        item.add(version)
        let counter = team.ada.engine.counter
        try expectTheOthersGoOn(item, .changeContradicts(team.grace.identity.card))
        #expect(team.ada.engine.counter == counter + 2)
        #expect(kay.engine.replica.seen[ada] == counter + 2)
    }

    /// A reader makes no changes, whatever its device signs: all judge a version that names one in the same way.
    @Test func aVersionThatNamesAReadersChange() throws {
        let lee = try team.ada.sponsor("lee", seed: 5, .reader, on: team.server)
        try kay.exchange()
        let (replica, id) = (lee.engine.replica, lee.identity.id)
        let head = DeviceHead(
            counter: 2, changes: DigestSum(), seen: VersionVector(), replica.roster,
            by: lee.identity)
        let record = DeviceHead.record(of: id, team: team.team)
        try team.inject(.head(head), as: record, under: key)
        var item = try #require(try team.ada.engine.replica.item(team.record))
        var context = item.context
        context[id] = 2
        item.add(
            try team.version(
                "grace's", of: team.record, by: team.grace.identity,
                team.grace.engine.counter + 1, knowing: context, under: key))
        try team.inject(.item(item), as: team.record, under: key)
        let report = try team.ada.exchange()
        #expect(report.findings.contains(.changeContradicts(team.grace.identity.card)))
        #expect(try team.ada.texts()[team.record] == "ada's")
    }

    /// The process that gave it ended before it stored its replica, and what it gave was overwritten before anyone saw it.
    @Test func aFirstChangeThatIsLostStopsNotItsDevice() throws {
        let identity = try TestDevice.identity("lee", 5)
        try team.ada.engine.add(identity.card, .member)
        let lee = try TestDevice(identity, joining: team.server, team: team.team)
        let lost = try lee.add("lost")
        team.inject([UInt8](repeating: 1, count: 100), as: lost)
        let again = try TestDevice(identity, joining: team.server, team: team.team)
        let record = try again.add("again")
        for device in [team.ada, kay, again, team.ada, kay] {
            try device.exchange()
        }
        for device in [team.ada, kay, again] {
            #expect(try device.texts()[record] == "again")
            #expect(try device.exchange().findings.isEmpty)
        }
        _ = try team.ada.sponsor("new", seed: 6, on: team.server)
    }

    /// Two versions of others' making are no match for one of a device that knew neither.
    @Test func aCircleOfLiarsHasAVersion() throws {
        let devices = try (7...9).map { try TestDevice.identity("d\($0)", $0) }
        let versions = try devices.indices.map { index in
            var context = VersionVector()
            context[devices[(index + 1) % 3].id] = 1
            return try team.version(
                String(repeating: "x", count: 70_000), of: team.record, by: devices[index], 1,
                knowing: context, under: key)
        }
        let item = versions.dropFirst().reduce(into: SharedItem(versions[0])) { $0.add($1) }
        #expect(!item.versions.isEmpty)
        var writer = ByteWriter()
        item.append(to: &writer)
        #expect(try SharedItem(writer.bytes) == item)
    }
}
