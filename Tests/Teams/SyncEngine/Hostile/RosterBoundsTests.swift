import LanyardCryptography
import LanyardSecrets
import SyncConformance
import Testing

@testable import SyncEngine

/// Entries of the roster that cost memory or time, or stop an exchange.
@Suite("Hostile member: bounds of the roster") struct RosterBoundsTests {
    let team: HostileTeam

    init() throws {
        team = try HostileTeam()
    }

    private var devices: [TestDevice] { [team.ada, team.grace] }

    private func device(_ number: Int) throws -> DeviceIdentity {
        let name = Array("device \(number)".utf8)
        let seed = KeyedDigest.plain(name.span)
        return try DeviceIdentity(
            person: "p\(number)", name: "laptop", seed: Secret(copying: seed.span))
    }

    private func adding(_ device: DeviceIdentity, _ role: Role = .member) -> RosterEntry.Change {
        .add(device.card, role, key: [], seen: VersionVector())
    }

    /// Whether the devices go on, and one that joins does.
    private func agree(_ seed: UInt8 = 7) throws -> Bool {
        let kay = try team.join(seed) {}
        return try (devices + [kay]).allSatisfy { device in
            try device.exchange()
            return try device.texts() == team.truth
                && device.engine.replica.roster.lastDigest
                    == team.ada.engine.replica.roster.lastDigest
        }
    }

    /// Of an unknown device, and of an owner who did not sign them.
    @Test(arguments: [false, true]) func largeEntriesTakeNoMemory(_ isOwners: Bool) async throws {
        await #expect(processExitsWith: .success) { [isOwners = isOwners as Bool] in
            let ada = try TestDevice.identity("ada", 1)
            let author = try TestDevice.identity(isOwners ? "ada" : "eve", isOwners ? 1 : 9)
            let roster = try Roster(
                Roster.create(
                    name: "team", by: ada, key: try DeviceIdentity.makeSeed(),
                    date: TestDevice.start))
            var reading = RosterReading(roster)
            reading.take(roster.entries[0].bytes)
            var entry = RosterEnvelope(
                team: roster.team.bytes, position: 7, previous: roster.lastDigest,
                date: TestDevice.start, [UInt8](repeating: 1, count: 4 << 20), by: author
            ).bytes
            for _ in 0..<60 {
                entry[entry.count - 1] &+= 1
                reading.take(entry)
            }
            #expect(try reading.finish().roster.entries.count == 1)
            let peak = try PeakMemory.ofProcess
            #expect(peak < 160 << 20, "\(peak)")
        }
    }

    /// No program of an owner makes a larger one than each way to a server takes.
    @Test func anEntryLargerThanAnyIsNotRead() throws {
        let entry = RosterEnvelope(
            team: team.team.bytes, position: 0, previous: [UInt8](repeating: 0, count: 32),
            date: TestDevice.start, [UInt8](repeating: 1, count: SyncLimits.givenSize),
            by: team.ada.identity)
        #expect(throws: KeychainError(.decode)) { try RosterEnvelope(entry.bytes) }
    }

    @Test func eachAuthorHasAShare() throws {
        let (ada, eve) = (team.ada.identity, try device(1))
        let roster = team.ada.engine.replica.roster
        var others = OtherEntries()
        var entries: [RosterEnvelope] = []
        for number in 0..<65 {
            entries.append(
                RosterEnvelope(
                    team: roster.team.bytes, position: UInt64(number),
                    previous: entries.last?.digest ?? roster.lastDigest, date: TestDevice.start, [],
                    by: eve))
        }
        for (number, entry) in entries.enumerated() {
            let isKept = others.insert(entry, of: .unknown, within: .others)
            #expect(isKept == (number < 64))
        }
        #expect(others.passedOver(before: [entries[64].digest]) == [entries[64].digest])
        #expect(others.passedOver(before: [entries[63].digest]).isEmpty)
        // Another one's is not smaller for that.
        let isKept = others.insert(entries[64], of: .present(ada.id), within: .others)
        let large = RosterEnvelope(
            team: roster.team.bytes, position: 0, previous: roster.lastDigest,
            date: TestDevice.start, [UInt8](repeating: 1, count: 1 << 20), by: eve)
        let isLargeKept = [OtherEntries.Share.others, .owners].map { share in
            others.insert(large, of: .present(eve.id), within: share)
        }
        #expect(isKept && isLargeKept == [false, true])
    }

    /// A removed owner signs a long chain for the past, as if Ada had built on its end.
    @Test func aClaimedChainOfARemovedOwnerIsNotFollowed() throws {
        let lee = try team.ada.sponsor("lee", seed: 5, .owner, on: team.server)
        try team.grace.exchange()
        var old = lee.engine.replica.roster
        try team.ada.engine.remove([lee.identity.id])
        for number in 0..<300 {
            let entry = old.entry(
                adding(try device(number)), by: lee.identity, date: TestDevice.start)
            try old.append(entry)
            team.server.roster.append(entry.bytes)
        }
        var claim = old.entry(.leave, by: team.ada.identity, date: TestDevice.start).bytes
        claim[claim.count - 1] ^= 1
        team.server.roster.append(claim)
        for device in devices {
            #expect(try device.exchange().findings == [.rosterHasForgedEntries])
            #expect(try device.exchange().findings.isEmpty)
            #expect(device.engine.replica.roster.lost.count <= 64)
        }
        #expect(try agree())
    }

    /// However many owners were removed: all have one share.
    @Test func forksOfManyRemovedOwnersAreNotKept() throws {
        let owners = try (0..<4 as Range<UInt8>).map { number in
            try team.ada.sponsor("owner \(number)", seed: 50 + number, .owner, on: team.server)
        }
        try team.grace.exchange()
        let old = try #require(owners.last).engine.replica.roster
        try team.ada.engine.remove(Set(owners.map(\.identity.id)))
        for device in devices {
            try device.exchange()
        }
        for (place, owner) in owners.enumerated() {
            for number in 0..<64 {
                let change = adding(try device(place * 64 + number))
                let entry = old.entry(change, by: owner.identity, date: TestDevice.start)
                team.server.roster.append(entry.bytes)
            }
        }
        for device in devices {
            #expect(try device.exchange().findings == [.rosterHasForgedEntries])
            #expect(try device.exchange().findings.isEmpty)
            #expect(device.engine.replica.roster.lost.count <= 64)
        }
        #expect(try agree())
    }

    /// A present owner lies: she is named, and can be removed.
    @Test func veryManyForksOfAnOwnerAreNotKept() throws {
        let olga = try team.ada.sponsor("olga", seed: 10, .owner, on: team.server)
        try team.grace.exchange()
        let old = olga.engine.replica.roster
        try team.ada.engine.add(try device(0).card, .member)
        let overruled = SyncReport.Finding.changeOfMembersIsOverruled(olga.identity.card)
        for number in 1...1000 {
            let change = adding(try device(number))
            let entry = old.entry(change, by: olga.identity, date: TestDevice.start)
            team.server.roster.append(entry.bytes)
        }
        for device in devices {
            #expect(try device.exchange().findings == [overruled, .rosterIsFlooded])
            #expect(try device.exchange().findings == [.rosterIsFlooded])
            #expect(device.engine.replica.roster.lost.count <= 256)
        }
        try team.ada.engine.remove([olga.identity.id])
        #expect(try agree())
    }

    /// She signs one that follows an entry which never was. The others go on, also with changes of the team.
    @Test func anOwnersEntryThatFollowsNoneIsSetAside() throws {
        let olga = try team.ada.sponsor("olga", seed: 10, .owner, on: team.server)
        try team.grace.exchange()
        let roster = olga.engine.replica.roster
        var writer = ByteWriter()
        adding(try device(1), .owner).append(to: &writer)
        team.server.roster.append(
            RosterEnvelope(
                team: team.team.bytes, position: UInt64(roster.entries.count),
                previous: [UInt8](repeating: 9, count: 32), date: TestDevice.start, writer.bytes,
                by: olga.identity
            ).bytes)
        let unexplained = SyncReport.Finding.changeOfMembersIsUnexplained(olga.identity.card)
        for device in devices + devices {
            #expect(try device.exchange().findings == [unexplained])
        }
        // One that none signed is still named, once.
        team.server.roster.append(team.server.roster[3].dropLast() + [0])
        #expect(try team.grace.exchange().findings == [unexplained, .rosterHasForgedEntries])
        #expect(try team.grace.exchange().findings == [unexplained])
        try team.grace.set(team.record, "present-secret")
        let last = try Invitation(to: team.ada.engine.replica.roster).roster(from: team.server)
        #expect(last.lastDigest == team.ada.engine.replica.roster.lastDigest)
        try team.ada.engine.remove([olga.identity.id])
        #expect(try team.ada.exchange().findings.subtracting([.rosterHasForgedEntries]).isEmpty)
        #expect(try agree())
    }

    /// Whoever adds an entry between any two looks at the server is removed.
    @Test func whoAppendsToTheRosterAllTheTimeIsRemoved() throws {
        var number = 0
        team.server.onChanges = { [server = team.server] in
            number += 1
            server.roster.append(Array("\(number)".utf8))
        }
        try team.ada.engine.remove([team.grace.identity.id])
        team.server.onChanges = {}
        #expect(throws: KeychainError(.missingEntitlement)) { try team.grace.exchange() }
        try team.ada.exchange()
        #expect(try team.join(7) {}.texts() == team.truth)
    }

    /// Also if it takes away what the devices give back.
    @Test func whoAppendsWhileTheRosterIsGivenBackIsRemoved() throws {
        let removal = team.server.roster.removeLast()
        var number = 0
        team.server.onChanges = { [server = team.server] in
            number += 1
            server.roster.append(Array("\(number)".utf8))
        }
        try team.ada.engine.remove([team.grace.identity.id])
        #expect(team.server.roster.contains(removal))
    }

    /// All that a removed owner can do who writes to the server: the others go on, and so does one that joins.
    @Test func whoWasRemovedAddsRubbishAlone() throws {
        let lee = try team.ada.sponsor("lee", seed: 5, .owner, on: team.server)
        try team.grace.exchange()
        let old = lee.engine.replica.roster
        let key = try #require(try old.keys(of: lee.identity).last)
        try team.ada.engine.remove([lee.identity.id])
        for device in devices {
            try device.exchange()
        }
        var rubbish: [[UInt8]] = [[], [1, 2, 3]]
        for number in 0..<100 {
            let friend = try device(number)
            let entry = old.entry(adding(friend, .owner), by: lee.identity, date: TestDevice.start)
            rubbish += [entry.bytes, entry.bytes.dropLast() + [0]]
            var next = old
            try next.append(entry)
            let claim = next.entry(.leave, by: team.ada.identity, date: TestDevice.start).bytes
            let leave = next.entry(.leave, by: friend, date: TestDevice.start).bytes
            rubbish += [leave, claim.dropLast() + [0]]
            let previous = [UInt8](repeating: UInt8(number), count: 32)
            rubbish.append(
                RosterEnvelope(
                    team: team.team.bytes, position: 99, previous: previous,
                    date: TestDevice.start, [UInt8](repeating: 1, count: 10_000),
                    by: lee.identity
                ).bytes)
        }
        let known = team.server.roster
        team.server.roster = known.prefix(2) + rubbish + known.dropFirst(2)
        for (record, stored) in team.server.records {
            team.inject([1], as: record)
            if record == team.record {
                team.inject(stored.content, as: try Identifier.random())
            }
        }
        let version = try team.version(
            "lee's", of: team.record, by: lee.identity, 1, knowing: VersionVector(),
            under: key)
        try team.inject(.item(SharedItem(version)), as: team.record, under: key)
        for device in devices {
            #expect(try device.exchange().findings.contains(.rosterHasForgedEntries))
            #expect(try device.texts() == team.truth)
        }
        for device in devices + devices {
            #expect(try device.exchange().findings.isEmpty)
        }
        // Hers, and those of her friends.
        #expect(team.ada.engine.replica.roster.lost.count <= 2 * 64)
        #expect(try agree())
        try team.ada.engine.remove([team.grace.identity.id])
        #expect(throws: KeychainError(.missingEntitlement)) { try team.grace.exchange() }
    }
}
