import LanyardCryptography
import LanyardSecrets
import SyncConformance
import Testing

@testable import SyncEngine

@Suite("Roster") struct RosterTests {
    private let server = MemoryServer()

    /// What counts of a reader's changes was decided when it became one. Later it has no right to make another, and who
    /// removes it may know less, or claim more.
    @Test func aReaderKeepsItsLastChangesWhenItIsRemoved() throws {
        let ada = try TestDevice(creating: server)
        let grace = try ada.sponsor("grace", seed: 2, on: server)
        let record = try grace.add("grace's")
        try ada.engine.setRole(of: grace.identity.id, to: .reader)
        let reader = grace.identity.id
        let tag = try #require(try ada.engine.replica.item(record)).winner.tag
        let later = Identifier(digestOf: [1])
        let before = ada.engine.replica.roster
        let last = try #require(before.devices[reader]?.last)
        #expect(last.tags == [tag])
        for claimed in [
            LastChanges.none,
            LastChanges(counter: 2, changes: DigestSum(), tags: [tag, later], named: 3),
        ] {
            var roster = before
            let renewal = try TeamKeyRenewal(
                try DeviceIdentity.makeSeed(), generation: 2,
                previous: try DeviceIdentity.makeSeed(), to: [ada.identity.card])
            try roster.append(
                roster.entry(
                    .remove(last: [reader: claimed], renewal), by: ada.identity,
                    date: TestDevice.start))
            #expect(roster.devices[reader]?.role == nil)
            #expect(roster.devices[reader]?.last == last)
            #expect(roster.allows(reader, tag))
            #expect(!roster.allows(reader, later))
        }
        try ada.engine.remove([reader])
        #expect(try ada.texts() == [record: "grace's"])
    }

    /// Of one that could make changes until then, the removal says which ones count.
    @Test func aMembersLastChangesAreThoseThatItsRemovalNames() throws {
        let ada = try TestDevice(creating: server)
        let grace = try ada.sponsor("grace", seed: 2, on: server)
        let record = try grace.add("grace's")
        try ada.exchange()
        let tag = try #require(try ada.engine.replica.item(record)).winner.tag
        try ada.engine.remove([grace.identity.id])
        let roster = ada.engine.replica.roster
        #expect(roster.devices[grace.identity.id]?.last?.tags == [tag])
        #expect(roster.allows(grace.identity.id, tag))
        #expect(!roster.allows(grace.identity.id, Identifier(digestOf: [1])))
    }

    /// Who lies can make more changes than an entry of the roster has room for, and can still be removed.
    @Test(arguments: [true, false]) func aRemovalNamesNoMoreChangesThanFit(
        _ isReader: Bool
    ) throws {
        let ada = try TestDevice(creating: server)
        let grace = try ada.sponsor("grace", seed: 2, on: server)
        let kay = try ada.sponsor("kay", seed: 3, on: server)
        let records = try (0..<6).map { try grace.add("grace's \($0)") }
        try grace.set(records[1], "grace's last")
        try kay.set(records[5], "kay's")
        ada.engine.lastChangesLimit = 3
        if isReader {
            try ada.engine.setRole(of: grace.identity.id, to: .reader)
            try grace.exchange()
        }
        // Two share the room, but what counts of a reader's changes was decided before.
        let lee = try ada.sponsor("lee", seed: 4, on: server)
        ada.engine.lastChangesLimit = 6
        try ada.engine.remove([grace.identity.id, lee.identity.id])
        let truth = [
            records[0]: "grace's 0", records[2]: "grace's 2", records[3]: "grace's 3",
            records[5]: "kay's",
        ]
        let max = try ada.sponsor("max", seed: 5, on: server)
        // Who knew the others hears that they do not count.
        let finding = SyncReport.Finding.changesAreDropped(
            grace.identity.card, by: ada.identity.card)
        #expect(try kay.exchange().findings == [finding])
        for device in [ada, max, kay, ada] {
            #expect(try device.exchange().findings.isEmpty)
            #expect(try device.texts() == truth)
        }
        for device in [kay, ada, max] {
            #expect(try device.exchange().isQuiet)
        }
    }

    @Test func whatARemovalHasNoRoomForIsCountedBefore() throws {
        let ada = try TestDevice(creating: server)
        let grace = try ada.sponsor("grace", seed: 2, on: server)
        let records = try (0..<6).map { try grace.add("grace's \($0)") }
        try grace.set(records[1], "grace's last")
        try ada.set(records[5], "ada's")
        let replica = ada.engine.replica
        let devices: Set = [grace.identity.id]
        #expect(try replica.lostItems(without: devices) == 0)
        #expect(try replica.lostItems(without: devices, limit: 6) == 0)
        #expect(try replica.lostItems(without: devices, limit: 4) == 2)
        #expect(try replica.lostItems(without: [ada.identity.id], limit: 0) == 1)
    }

    /// Ways to a server would pass it on as empty.
    @Test func anEntryThatIsTooLargeIsNotStored() throws {
        let ada = try TestDevice(creating: server)
        let grace = try ada.sponsor("grace", seed: 2, on: server)
        try grace.add("grace's")
        let count = server.roster.count
        ada.engine.entrySizeLimit = 100
        #expect(throws: KeychainError(.dataTooLarge)) {
            try ada.engine.remove([grace.identity.id])
        }
        #expect(throws: KeychainError(.dataTooLarge)) {
            try ada.engine.add(try TestDevice.identity("kay", 3).card, .member)
        }
        #expect(server.roster.count == count)
        ada.engine.entrySizeLimit = SyncLimits.givenSize
        try ada.engine.remove([grace.identity.id])
        #expect(ada.engine.replica.roster.present.count == 1)
    }

    /// With the new key for a thousand devices: ways to a server take no larger entry.
    @Test func aRemovalOfVeryManyChangesFits() throws {
        let ada = try TestDevice(creating: server)
        let grace = try ada.sponsor("grace", seed: 2, on: server).identity.id
        let zeros = [UInt8](repeating: 0, count: Identifier.size - 8)
        let tags = try (0..<UInt64(SyncLimits.lastChanges)).map {
            try Identifier(zeros + $0.bigEndianBytes)
        }
        let renewal = try TeamKeyRenewal(
            try DeviceIdentity.makeSeed(), generation: 2,
            previous: try DeviceIdentity.makeSeed(), to: [ada.identity.card])
        let last = LastChanges(
            counter: UInt64(tags.count), changes: DigestSum(), tags: Set(tags), named: 0)
        var roster = ada.engine.replica.roster
        let bytes = roster.entry(
            .remove(last: [grace: last], renewal), by: ada.identity, date: TestDevice.start
        ).bytes
        let box = Identifier.size + 4 + (renewal.boxes[ada.identity.id]?.count ?? 0)
        #expect(bytes.count + 1000 * box < SyncLimits.givenSize)
        try roster.append(try RosterEntry(bytes))
        #expect(roster.allows(grace, tags[tags.count - 1]))
        #expect(!roster.allows(grace, Identifier(digestOf: [1])))
    }

    /// By the date of an owner's latest change, devices choose between rosters: it says nothing if one is earlier than another
    /// before it.
    @Test func datesRise() throws {
        let ada = try TestDevice(creating: server)
        let roster = ada.engine.replica.roster
        let kay = try TestDevice.identity("kay", 3).card
        for (seconds, isRight) in [(-1, false), (0, false), (1, true)] as [(Int64, Bool)] {
            var next = roster
            let date = TestDevice.start.secondsSinceEpoch + seconds
            let entry = RosterEntry(
                team: roster.team.bytes, position: 1, previous: roster.lastDigest,
                date: Timestamp(secondsSinceEpoch: date),
                .add(kay, .member, key: [], seen: VersionVector()), by: ada.identity)
            #expect(((try? next.append(entry)) != nil) == isRight)
        }
        // Whatever the clock says.
        var dates = [TestDevice.start]
        for number: UInt8 in 4...6 {
            try ada.engine.add(try TestDevice.identity("p", number).card, .member)
            dates.append(try #require(ada.engine.replica.roster.entries.last).date)
        }
        #expect(zip(dates, dates.dropFirst()).allSatisfy { $0 < $1 })
    }

    /// Also by an entry that its own program would not make.
    @Test func anOwnerStays() throws {
        let ada = try TestDevice(creating: server)
        let grace = try ada.sponsor("grace", seed: 2, on: server)
        let before = ada.engine.replica.roster
        let none: [RosterEntry.Change] = [
            .leave, .setRole(ada.identity.id, .member, last: .none),
            .remove(
                last: [ada.identity.id: .none],
                try TeamKeyRenewal(
                    try DeviceIdentity.makeSeed(), generation: 2,
                    previous: try DeviceIdentity.makeSeed(), to: [grace.identity.card])),
        ]
        for change in none {
            var roster = before
            let entry = roster.entry(change, by: ada.identity, date: TestDevice.start)
            #expect(throws: KeychainError(.decode)) { try roster.append(entry) }
        }
    }
}
