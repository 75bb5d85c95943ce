import LanyardSecrets
import SyncConformance
import Testing

@testable import SyncEngine

/// Large versions, which leave others no room in an item.
@Suite("Hostile member: large versions") struct CrowdedItemTests {
    let team: HostileTeam
    /// Two devices of a member who lies.
    let eve: TestDevice
    let max: TestDevice

    init() throws {
        team = try HostileTeam()
        eve = try team.ada.sponsor("eve", seed: 9, on: team.server)
        max = try team.ada.sponsor("max", seed: 8, on: team.server)
        try team.grace.exchange()
    }

    private func text(_ count: Int) -> String { String(repeating: "x", count: count) }

    /// Stores a version that knows only some of the changes before it.
    private func store(
        _ count: Int, in record: Identifier, by device: DeviceIdentity, _ counter: UInt64,
        knowing context: VersionVector
    ) throws {
        let key = try #require(team.ada.engine.replica.roster.keys(of: team.ada.identity).last)
        let version = try team.version(
            text(count), of: record, by: device, counter, knowing: context, clock: 100 + counter,
            under: key)
        var item = try #require(try team.ada.engine.replica.item(record))
        item.add(version)
        try team.inject(.item(item), as: record, under: key)
        try team.ada.exchange()
    }

    /// Only Ada's version tells that Grace's was replaced, which is too large to be stored.
    private func replacedByAda() throws -> Identifier {
        let record = try team.grace.add(text(1_100_000))
        try team.ada.exchange()
        try team.ada.set(record, text(500_000))
        let item = try #require(try team.ada.engine.replica.item(record))
        #expect(item.dropped.count == 1)
        return record
    }

    private func expectOneCanJoin(_ record: Identifier, _ count: Int) throws {
        for device in [team.ada, team.grace, team.ada] {
            try device.exchange()
        }
        let kay = try team.ada.sponsor("kay", seed: 7, on: team.server)
        for device in [team.ada, team.grace, kay] {
            try device.exchange()
            #expect(try device.texts()[record]?.count == count)
        }
    }

    /// Two large versions leave no room for it, and small ones replace these.
    @Test func aVersionThatExplainsAnotherIsForgotten() throws {
        let record = try replacedByAda()
        var context = VersionVector()
        let ada = team.ada.identity.id
        context[ada] = try #require(try team.ada.engine.replica.item(record)).context[ada]
        for (counter, size) in [(1, 2_700_000), (2, 10)] as [(UInt64, Int)] {
            try store(size, in: record, by: eve.identity, counter, knowing: context)
            try store(size + 1, in: record, by: max.identity, counter, knowing: context)
        }
        let winner = try team.ada.texts()[record]?.count
        try expectOneCanJoin(record, try #require(winner))
    }

    /// It is kept beside later ones, as many as they are, although its device made later ones, too.
    @Test func aVersionThatExplainsAnotherIsKept() throws {
        let record = try team.grace.add(text(1_100_000))
        try team.ada.exchange()
        try team.ada.set(record, "explains")
        let ada = team.ada.identity.id
        var context = VersionVector()
        let first = try #require(try team.ada.engine.replica.item(record))
        context[ada] = first.context[ada]
        var item = first
        let key = try #require(team.ada.engine.replica.roster.keys(of: team.ada.identity).last)
        for counter: UInt64 in 1...20 {
            item.add(
                try team.version(
                    "\(counter)", of: record, by: eve.identity, counter, knowing: context,
                    clock: 100 + counter, under: key))
            context[ada] = first.context[ada] + counter
            item.add(
                try team.version(
                    "\(counter)", of: record, by: team.ada.identity, context[ada],
                    knowing: VersionVector(), clock: 100 + counter, under: key))
        }
        #expect(item.dropped.allSatisfy(item.explainsDropping))
        #expect(item.versions.contains(first.winner))
    }

    /// One that is not kept pushes out no other, and one that is kept as its device's latest leaves the small ones their room.
    @Test func aLargeVersionPushesOutNoSmallOne() throws {
        let record = try team.ada.add("first")
        try team.ada.set(record, "second")
        try team.grace.exchange()
        try team.grace.set(record, text(300_000))
        try team.ada.exchange()
        for size in [2_000_000, 10] {
            try eve.exchange()
            try eve.set(record, text(size))
            try max.exchange()
            try max.set(record, text(20))
        }
        try team.ada.exchange()
        try team.ada.set(record, "last")
        let item = try #require(try team.ada.engine.replica.item(record))
        let texts = try item.versions.compactMap { try team.ada.text(of: $0, record) }
        #expect(texts.contains("first") && texts.contains("second"))
        #expect(texts.contains { $0.count == 300_000 })
    }

    /// Two devices fill an item: one version wins, and the other one, or what it replaces, would leave no room for Grace's.
    @Test(arguments: [false, true]) func largeVersionsLeaveRoomForALogin(_ replaces: Bool) throws {
        let record = try team.ada.add("first")
        try team.grace.exchange()
        try team.grace.set(record, text(5000))
        try team.ada.exchange()
        let known = try #require(try team.ada.engine.replica.item(record)).context
        let context = replaces ? known : VersionVector()
        try store(SyncLimits.contentSize - 100, in: record, by: eve.identity, 1, knowing: context)
        let item = try #require(try team.ada.engine.replica.item(record))
        let rest = SyncLimits.givenItemSize - item.winner.size - 4400
        try store(rest - rest % 4096, in: record, by: max.identity, 1, knowing: context)
        for device in [team.ada, team.grace, eve, team.ada] {
            try device.exchange()
        }
        for device in [team.ada, team.grace] {
            let item = try #require(try device.engine.replica.item(record))
            let texts = try item.versions.compactMap { try device.text(of: $0, record)?.count }
            #expect(texts.contains(5000), "\(texts)")
            #expect(item.size <= SyncLimits.givenItemSize)
        }
        try expectOneCanJoin(record, SyncLimits.contentSize - 100)
    }

    /// No device makes a version that is larger than the largest content.
    @Test func aVersionLargerThanAnyContentIsSetAside() throws {
        let record = try team.grace.add("grace's")
        try team.ada.exchange()
        let context = try #require(try team.ada.engine.replica.item(record)).context
        let key = try #require(team.ada.engine.replica.roster.keys(of: team.ada.identity).last)
        let version = try team.version(
            text(SyncLimits.contentSize + (80 << 10)), of: record, by: eve.identity, 1,
            knowing: context, under: key)
        try team.inject(.item(SharedItem(version)), as: record, under: key)
        let lie = SyncReport.Finding.changeContradicts(eve.identity.card)
        #expect(try team.ada.exchange().findings.contains(lie))
        #expect(try team.ada.texts()[record] == "grace's")
        // The largest content is no lie.
        try team.grace.exchange()
        try team.grace.set(record, text(SyncLimits.contentSize))
        #expect(try team.ada.exchange().findings.isEmpty)
        #expect(try team.ada.texts()[record]?.count == SyncLimits.contentSize)
    }

    /// A new version that leaves no room for all of them takes that of the large ones.
    @Test func aLargeChangeReplacesTheLargeOnes() throws {
        let record = try team.ada.add("first")
        try team.grace.exchange()
        let change = try team.grace.change(record, text(SyncLimits.contentSize - 200))
        try store(2_000_000, in: record, by: eve.identity, 1, knowing: VersionVector())
        try store(5000, in: record, by: max.identity, 1, knowing: VersionVector())
        _ = try team.grace.engine.exchange([change])
        let item = try #require(try team.grace.engine.replica.item(record))
        let lost = try item.conflicts.compactMap { try team.grace.text(of: $0, record)?.count }
        #expect(lost.contains(5000) && !lost.contains(2_000_000), "\(lost)")
    }
}
