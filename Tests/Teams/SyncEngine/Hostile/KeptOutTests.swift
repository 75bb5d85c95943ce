import LanyardCryptography
import LanyardSecrets
import SyncConformance
import Testing

@testable import SyncEngine

/// Attempts to keep out devices that join.
@Suite("Hostile member: who joins is kept out") struct KeptOutTests {
    /// A record is overwritten where it is: the others have no reason to look at it until they are asked.
    @Test(arguments: [false, true]) func byARecordThatIsDamagedInPlace(
        _ isRemovedOnes: Bool
    ) throws {
        let team = try HostileTeam()
        var record = team.unseen
        if isRemovedOnes {
            let lee = try team.ada.sponsor("lee", seed: 5, on: team.server)
            record = try lee.add("lee's")
            try team.ada.exchange()
            try team.ada.engine.remove([lee.identity.id])
        }
        for device in [team.ada, team.grace, team.ada] {
            try device.exchange()
        }
        let truth = try team.ada.texts()
        let version = try #require(team.server.records[record]).version
        let kay = try TestDevice.identity("kay", 7)
        try team.ada.engine.add(kay.card, .member)
        team.server.records[record] = ServerRecord(id: record, version: version, content: [1])
        #expect(throws: KeychainError(.decode)) {
            try TestDevice(kay, joining: team.server, team: team.team)
        }
        for device in [team.grace, team.ada] {
            try device.exchange()
        }
        #expect(try TestDevice(kay, joining: team.server, team: team.team).texts() == truth)
        for device in [team.grace, team.ada] {
            #expect(try device.exchange().findings.isEmpty)
        }
    }

    /// Olga adds Max, who removes her. She says afterwards that she had left before, fills her share with other changes,
    /// and moves her change behind all.
    @Test(arguments: [0, 3000]) func byALargeEntryOfARemovedOwnerThatIsMoved(_ size: Int) throws {
        func device(_ number: UInt8) throws -> DeviceIdentity {
            try TestDevice.identity("p\(number)", number)
        }
        let (ada, olga, max) = (try device(1), try device(2), try device(3))
        var roster = try Roster(
            Roster.create(
                name: "team", by: ada, key: try DeviceIdentity.makeSeed(), date: TestDevice.start))
        func adding(_ device: DeviceIdentity, _ role: Role) throws -> RosterEntry.Change {
            var seen = VersionVector()
            for number in 0..<size {
                seen[Identifier(digestOf: Array("\(number)".utf8))] = 1
            }
            return .add(device.card, role, key: [], seen: seen)
        }
        func append(_ change: RosterEntry.Change, _ author: DeviceIdentity) throws -> [UInt8] {
            let entry = roster.entry(change, by: author, date: TestDevice.start)
            try roster.append(entry)
            return entry.bytes
        }
        _ = try append(adding(olga, .owner), ada)
        let before = roster
        let moved = try append(adding(max, .owner), olga)
        let renewal = try TeamKeyRenewal(
            try DeviceIdentity.makeSeed(), generation: 2, previous: try DeviceIdentity.makeSeed(),
            to: [ada.card, max.card])
        let removal = try append(.remove(last: [olga.id: .none], renewal), max)
        let last = try append(adding(device(4), .member), max)
        let server = MemoryServer()
        server.roster = before.entries.map(\.bytes)
        server.roster.append(before.entry(.leave, by: olga, date: TestDevice.start).bytes)
        for number: UInt8 in 10..<110 {
            let card = try device(number).card
            let change = RosterEntry.Change.add(card, .owner, key: [], seen: VersionVector())
            let entry = before.entry(change, by: olga, date: TestDevice.start)
            server.roster.append(entry.bytes)
        }
        server.roster += [removal, last, moved]
        let joining = try Invitation(to: roster).roster(from: server)
        #expect(joining.lastDigest == roster.lastDigest)
        // Unknown devices' share is full, too.
        for number: UInt8 in 110..<210 {
            let unknown = try device(number)
            let entry = before.entry(.leave, by: unknown, date: TestDevice.start)
            server.roster.insert(entry.bytes, at: 2)
        }
        #expect(
            try Invitation(to: roster).roster(from: server).lastDigest == roster.lastDigest)
    }

    /// Olga signs more than her share, on which her removal builds, and the server shows that behind a fork: who was away follows
    /// the others.
    @Test func byAChainOfAnOwnerThatIsMoved() throws {
        func device(_ number: UInt8) throws -> DeviceIdentity {
            try TestDevice.identity("p\(number)", number)
        }
        let (ada, olga) = (try device(1), try device(2))
        var roster = try Roster(
            Roster.create(
                name: "team", by: ada, key: try DeviceIdentity.makeSeed(), date: TestDevice.start))
        func append(_ change: RosterEntry.Change, _ author: DeviceIdentity) throws -> [UInt8] {
            let entry = roster.entry(change, by: author, date: TestDevice.start)
            try roster.append(entry)
            return entry.bytes
        }
        func adding(_ number: UInt8, _ size: Int) throws -> RosterEntry.Change {
            .add(
                try device(number).card, .member, key: [UInt8](repeating: 1, count: size),
                seen: VersionVector())
        }
        _ = try append(
            .add(olga.card, .owner, key: [], seen: VersionVector()), ada)
        let before = roster
        let chain = try (0..<8).map { number in
            try append(adding(10 + number, 5_700_000), olga)
        }
        let staying = roster.present.map(\.card).filter { $0.id != olga.id }
        let renewal = try TeamKeyRenewal(
            try DeviceIdentity.makeSeed(), generation: 2, previous: try DeviceIdentity.makeSeed(),
            to: staying)
        let removal = try append(.remove(last: [olga.id: .none], renewal), ada)
        let fork = before.entry(try adding(30, 0), by: olga, date: TestDevice.start).bytes
        let server = MemoryServer()
        server.roster = before.entries.map(\.bytes) + [fork] + chain + [removal]
        let known = try Roster(of: roster.team, from: server, after: before)
        #expect(known.lastDigest == roster.lastDigest)
        #expect(try Invitation(to: before).roster(from: server).lastDigest == roster.lastDigest)
    }

    /// A version names a change of a device that an owner added who was removed beside that. Her other changes take the place of
    /// the one that explains it.
    @Test func byForksThatHideWhyADeviceDoesNotCount() throws {
        let team = try HostileTeam()
        let olga = try team.ada.sponsor("olga", seed: 10, .owner, on: team.server)
        let lee = try team.ada.sponsor("lee", seed: 5, on: team.server)
        let devices = [team.ada, team.grace, lee]
        for device in devices + [olga] {
            try device.exchange()
        }
        let (one, other) = (try lee.add("lee's first"), try lee.add("lee's first"))
        let (old, state) = (olga.engine.replica.roster, team.server.backup)
        // Later than what the others store at the same time.
        let base = ItemBase(of: try #require(try lee.engine.replica.item(other))).bytes
        let change = LocalChange(
            other, Secret("lee's"),
            base: try ItemBase(Array(base.dropLast(8)) + UInt64(50).bigEndianBytes))
        let max = try olga.sponsor("max", seed: 6, on: team.server)
        for record in [team.record, one, other] {
            try max.set(record, "max's")
        }
        try team.grace.exchange()
        for record in [team.record, one, other] {
            try team.grace.set(record, "grace's")
        }
        try lee.exchange()
        try lee.set(one, "lee's")
        _ = try lee.engine.exchange([change])
        let present = team.server.backup
        team.server.backup = state
        try team.ada.engine.remove([olga.identity.id])
        let removal = try #require(team.server.roster.last)
        team.server.backup = present
        team.server.roster.insert(removal, at: state.roster.count)
        for device in devices + devices + devices {
            try device.exchange()
        }
        let truth = [
            team.record: "grace's", team.unseen: "unseen-secret", one: "lee's", other: "lee's",
        ]
        for device in devices {
            #expect(try device.texts() == truth)
            #expect(try device.exchange().isQuiet)
        }
        let forks = try (0..<64 as Range<UInt8>).map { number in
            old.entry(
                .add(
                    try TestDevice.identity("fork \(number)", 100 + number).card, .member, key: [],
                    seen: VersionVector()),
                by: olga.identity, date: TestDevice.start
            ).bytes
        }
        team.server.roster.insert(contentsOf: forks, at: state.roster.count + 1)
        let kay = try team.join(7) {}
        for device in devices + [kay] + devices + [kay] {
            let findings = try device.exchange().findings
            #expect(findings.subtracting([.rosterHasForgedEntries]).isEmpty)
            #expect(try device.texts() == truth)
            let item = try #require(try device.engine.replica.item(other))
            #expect(try item.conflicts.map { try device.text(of: $0, other) } == ["grace's"])
        }
    }

    /// Also its first one.
    @Test func byEntriesThatAreMoved() throws {
        let team = try HostileTeam()
        let kay = try TestDevice.identity("kay", 7)
        try team.ada.engine.add(kay.card, .member)
        let invitation = Invitation(to: team.ada.engine.replica.roster)
        team.server.roster.reverse()
        let roster = try invitation.roster(from: team.server)
        #expect(roster.lastDigest == team.ada.engine.replica.roster.lastDigest)
        #expect(try TestDevice(kay, joining: team.server, team: team.team).texts() == team.truth)
        #expect(try team.ada.exchange().findings.isEmpty)
    }
}
