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
}
