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
            let isKept = others.insert(entry, of: nil, within: .others)
            #expect(isKept == (number < 64))
        }
        #expect(others.passedOver(before: [entries[64].digest], size: 1000) == [entries[64].digest])
        #expect(others.passedOver(before: [entries[63].digest], size: 1000).isEmpty)
        #expect(others.passedOver(before: [entries[64].digest], size: 10).isEmpty)
        // Another one's is not smaller for that.
        let isKept = others.insert(entries[64], of: ada.id, within: .others)
        let large = RosterEnvelope(
            team: roster.team.bytes, position: 0, previous: roster.lastDigest,
            date: TestDevice.start, [UInt8](repeating: 1, count: 1 << 20), by: eve)
        let isLargeKept = [OtherEntries.Share.others, .owners].map { share in
            others.insert(large, of: eve.id, within: share)
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
}
