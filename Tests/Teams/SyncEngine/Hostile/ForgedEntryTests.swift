import LanyardSecrets
import SyncConformance
import Testing

@testable import SyncEngine

/// Entries of the roster that none of its owners signed: whoever can write to the server can add any number of them.
@Suite("Hostile server: forged entries of the roster") struct ForgedEntryTests {
    let team: HostileTeam

    init() throws {
        team = try HostileTeam()
    }

    /// Adds entries to the server's roster.
    private func flood(_ count: Int, size: Int = 200) {
        for number in 0..<count {
            // It looks like the owner's next one, but for the signature.
            var entry = team.entry(.leave, by: team.ada.identity) + [UInt8(number & 255)]
            entry += [UInt8](repeating: 1, count: size)
            team.server.roster.append(entry)
        }
    }

    /// Whether all devices have the same roster and items, and one that joins does.
    private func agree(_ devices: [TestDevice]) throws -> Bool {
        let kay = try team.join(7) {}
        for device in devices + [kay] {
            try device.exchange()
        }
        return try (devices + [kay]).allSatisfy { device in
            try device.exchange().isQuiet && device.texts() == team.truth
                && device.engine.replica.roster.lastDigest
                    == team.ada.engine.replica.roster.lastDigest
        }
    }

    @Test func theTeamIsChangedBesideThem() throws {
        flood(3)
        try team.grace.set(team.record, "grace's")
        let lee = try TestDevice.identity("lee", 5)
        flood(1)
        try team.ada.engine.add(lee.card, .member)
        flood(1)
        let device = try TestDevice(lee, joining: team.server, team: team.team)
        flood(1)
        try team.ada.engine.setRole(of: lee.id, to: .owner)
        flood(1)
        try device.exchange()
        try device.engine.leave()
        flood(1)
        #expect(try team.ada.exchange().findings == [.rosterHasForgedEntries])
        try team.ada.engine.removeLeavingDevices()
        let max = try TestDevice.identity("max", 6).card
        try team.server.requestToJoin(max, wait: { _ in })
        flood(1)
        #expect(try team.server.request(withCode: max.code, team.ada.engine.replica.roster) == max)
        try team.ada.engine.refuse(max.id)
        try team.ada.engine.remove([team.grace.identity.id])
        try team.ada.set(team.record, "present-secret")
        #expect(team.ada.engine.replica.roster.present.count == 1)
        #expect(try agree([team.ada]))
    }

    /// Also where the items can't be exchanged, because the server leaves some out.
    @Test func aRemovalNeedsNoItems() throws {
        flood(2)
        team.server.show = { changes in
            ServerChanges(
                head: changes.head, roster: changes.roster, records: [],
                hasMore: !changes.records.isEmpty)
        }
        team.inject([1], as: Identifier(digestOf: [3]))
        #expect(throws: KeychainError(.decode)) { try team.ada.exchange() }
        try team.ada.engine.remove([team.grace.identity.id])
        flood(1)
        team.server.show = { $0 }
        #expect(try team.isRefused(team.grace, .missingEntitlement))
        try team.ada.exchange()
        #expect(try agree([team.ada]))
    }

    /// Records without a key are enough: an entry needs the server as it was read.
    @Test func whoWritesAllTheTimeIsRemoved() throws {
        let id = try Identifier.random()
        let lee = try TestDevice.identity("lee", 5)
        team.server.onChanges = { [team] in team.inject([1], as: id) }
        #expect(throws: KeychainError(.notAvailable)) {
            try team.ada.engine.add(lee.card, .member)
        }
        try team.ada.engine.remove([team.grace.identity.id])
        team.server.onChanges = {}
        try team.ada.engine.add(lee.card, .member)
        #expect(try TestDevice(lee, joining: team.server, team: team.team).texts() == team.truth)
    }

    @Test func theServerGetsBackWhatItLostBesideThem() throws {
        let removal = team.server.roster.removeLast()
        flood(2)
        team.server.sequence -= 1
        #expect(
            try team.grace.exchange().findings == [.serverIsOlder, .rosterHasForgedEntries])
        #expect(team.server.roster.last == removal)
        #expect(team.server.roster.count == team.grace.engine.replica.roster.entries.count + 2)
        try team.ada.exchange()
        #expect(try agree([team.ada, team.grace]))
    }

    /// An answer of a server has no room for anything else.
    @Test func thoseThatFillAnAnswerHideNothing() throws {
        func fill() {
            for (count, size) in [
                (11, SyncLimits.givenSize - 500), (20, 300_000), (40, 10_000), (60, 200), (9, 0),
            ] {
                flood(count, size: size)
            }
        }
        fill()
        try team.ada.engine.setRole(of: team.grace.identity.id, to: .owner)
        // What is too large is shown as empty.
        flood(2, size: SyncLimits.givenSize)
        fill()
        try team.ada.exchange()
        try team.ada.engine.setRole(of: team.grace.identity.id, to: .member)
        try team.grace.exchange()
        #expect(try agree([team.ada, team.grace]))
    }

    @Test func veryManyCostSeconds() throws {
        flood(20_000)
        let start = ContinuousClock.now
        try team.ada.engine.remove([team.grace.identity.id])
        let kay = try team.join(7) {}
        #expect(try kay.texts() == team.truth)
        #expect(ContinuousClock.now - start < .seconds(60))
    }

    /// It is said, and ends once the server has them no more.
    @Test func noMoreThanALimitAreLookedAt() throws {
        let (state, eve) = (team.server.backup, try TestDevice.identity("eve", 66))
        team.grace.engine.replica.summary.looked.forgeries.limit = 50
        for number in 0..<60 {
            flood(1, size: number)
            team.server.roster.append(
                RosterEntry(
                    team: team.team.bytes, position: UInt64(number),
                    previous: [UInt8](repeating: UInt8(number), count: 32), date: TestDevice.start,
                    .leave, by: eve
                ).bytes)
        }
        for _ in 0..<2 {
            #expect(try team.grace.exchange().findings.contains(.rosterIsFlooded))
            let forgeries = team.grace.engine.replica.summary.looked.forgeries
            #expect(forgeries.insertions == 50 && forgeries.digests.count == 50)
        }
        team.server.backup = state
        #expect(try team.grace.exchange().findings == [.serverIsOlder])
        try team.ada.engine.add(try TestDevice.identity("lee", 5).card, .member)
        #expect(try team.grace.exchange().isQuiet)
        #expect(try agree([team.ada, team.grace]))
    }

    /// Entries that owners signed come again, too early, or twice.
    @Test func anEntryThatIsShownAgainChangesNothing() throws {
        for entry in team.server.roster.dropFirst() {
            team.server.roster.append(entry)
            #expect(try team.ada.exchange().findings.isEmpty)
            #expect(try team.grace.exchange().findings.isEmpty)
        }
        team.server.roster.insert(team.server.roster[3], at: 2)
        try team.join(8) {}.exchange()
        #expect(try agree([team.ada, team.grace]))
    }

    /// An owner signed it in a copy of the team that the server had. She knows that it is no lie of hers, and who knows nothing
    /// of the team can't tell.
    @Test func anOwnersEntryOfAnotherRosterIsNotSkipped() throws {
        let state = team.server.backup
        let copy = try TestDevice(
            team.ada.identity, joining: team.server, team: team.team)
        try copy.engine.add(try TestDevice.identity("lee", 5).card, .member)
        try copy.engine.add(try TestDevice.identity("max", 6).card, .member)
        let last = try #require(team.server.roster.last)
        team.server.backup = state
        for _ in 0..<2 {
            team.server.roster.append(last)
            #expect(
                try team.grace.exchange().findings
                    == [.changeOfMembersIsUnexplained(team.ada.identity.card)])
            #expect(try team.isRefused(team.ada))
            #expect(throws: KeychainError(.decode)) {
                try Replica(joining: team.team, from: team.server)
            }
        }
        team.server.roster = state.roster
        #expect(try agree([team.ada, team.grace]))
    }

    /// Whoever was in the team, in any role, can sign for good that it leaves: for the time when it was there.
    @Test(arguments: [Role.reader, .member, .owner], [0, 1, 2])
    func anEntryForAPositionOfThePastIsSkipped(_ role: Role, _ place: Int) throws {
        let server = MemoryServer()
        let ada = try TestDevice(creating: server)
        let record = try ada.add("one")
        let mallory = try ada.sponsor("mallory", seed: 3, role, on: server)
        let old = mallory.engine.replica.roster
        let grace = try ada.sponsor("grace", seed: 2, on: server)
        try ada.engine.remove([mallory.identity.id])
        for device in [ada, grace] {
            try device.exchange()
        }
        let leave = old.entry(.leave, by: mallory.identity, date: TestDevice.start).bytes
        let before = [server.roster[..<2], server.roster[..<2], server.roster[...]][place]
        server.roster = before + [leave] + [server.roster[2...], [], []][place]
        if place == 0 {
            _ = try Replica(joining: old.team, from: server)
        }
        try grace.set(record, "grace's")
        #expect(try ada.exchange().findings.subtracting([.serverIsOlder]).count <= 1)
        try ada.engine.remove([grace.identity.id])
        try ada.exchange()
        #expect(try ada.exchange().findings.isEmpty)
        #expect(try ada.sponsor("kay", seed: 7, on: server).texts() == [record: "grace's"])
    }

    /// A removed owner's changes of a time before its removal are no other roster.
    @Test(arguments: [1, 2, 3]) func aRemovedOwnersEntryForThePastIsSkipped(_ place: Int) throws {
        let lee = try team.ada.sponsor("lee", seed: 5, .owner, on: team.server)
        try team.grace.exchange()
        var old = lee.engine.replica.roster
        try team.ada.engine.remove([lee.identity.id])
        let entries: [[UInt8]] = try (0..<place).map { _ in
            let kay = try DeviceIdentity(
                person: "kay", name: "laptop", seed: try DeviceIdentity.makeSeed())
            let entry = old.entry(
                .add(kay.card, .owner, key: [], seen: VersionVector()), by: lee.identity,
                date: TestDevice.start)
            try old.append(entry)
            return entry.bytes
        }
        // Another one that it could not read, too.
        team.server.roster += [entries.last!, [2] + entries[0].dropFirst()]
        for device in [team.ada, team.grace] {
            #expect(try device.exchange().findings == [.rosterHasForgedEntries])
        }
        #expect(try agree([team.ada, team.grace]))
        // Before the true ones, only who knows these skips them.
        team.server.roster.insert(entries[0], at: team.server.roster.count - 3)
        team.server.sequence -= 1
        try team.grace.exchange()
    }

    /// A removed owner signs any number of them, each as if Ada had built on it: all are looked at, and few are kept.
    @Test func veryManyEntriesOfARemovedOwnerAreNotKept() throws {
        let lee = try team.ada.sponsor("lee", seed: 5, .owner, on: team.server)
        try team.grace.exchange()
        let old = lee.engine.replica.roster
        try team.ada.engine.remove([lee.identity.id])
        let kay = try TestDevice.identity("kay", 4)
        for number: UInt8 in 0..<200 {
            let entry = old.entry(
                .add(kay.card, .owner, key: [number], seen: VersionVector()), by: lee.identity,
                date: TestDevice.start)
            var next = old
            try next.append(entry)
            var forged = next.entry(.leave, by: team.ada.identity, date: TestDevice.start).bytes
            forged[forged.count - 1] ^= 1
            let claimed = next.entry(
                .add(lee.identity.card, .owner, key: [], seen: VersionVector()),
                by: team.ada.identity, date: TestDevice.start
            ).bytes
            team.server.roster += [
                entry.bytes, forged, claimed.dropLast() + [claimed[claimed.count - 1] ^ 1],
            ]
        }
        for device in [team.ada, team.grace] {
            #expect(try device.exchange().findings == [.rosterHasForgedEntries])
            #expect(try device.exchange().findings.isEmpty)
            #expect(device.engine.replica.roster.lost.count <= 64)
        }
        #expect(try agree([team.ada, team.grace]))
    }

    /// No key is needed for it.
    @Test func whatIsBeforeTheFirstEntryIsSkipped() throws {
        let other = try TestDevice(creating: MemoryServer())
        team.server.roster.insert([1, 2, 3], at: 0)
        team.server.roster.insert(other.engine.replica.roster.entries[0].bytes, at: 0)
        team.server.sequence -= 1
        #expect(try team.grace.exchange().findings == [.serverIsOlder, .rosterHasForgedEntries])
        try team.ada.engine.remove([team.grace.identity.id])
        #expect(try agree([team.ada]))
    }

    @Test func whatIsBeyondTheirNumberIsSkipped() throws {
        team.server.show = {
            ServerChanges(
                head: $0.head, roster: $0.roster + [[]], records: $0.records, hasMore: $0.hasMore)
        }
        try team.grace.exchange()
        try team.ada.engine.remove([team.grace.identity.id])
        #expect(try agree([team.ada]))
    }

    /// No key is needed for it: an owner's newest entry is another one while Kay looks, and comes back.
    @Test func whatWasInPlaceOfAnOwnersEntryIsReadAgain() throws {
        let kay = try team.join(4) {}
        let eve = try team.ada.sponsor("eve", seed: 9, .reader, on: team.server)
        for device in [team.ada, team.grace, kay] {
            try device.exchange()
        }
        let keys = try eve.engine.replica.roster.keys(of: eve.identity)
        try team.ada.engine.remove([eve.identity.id])
        try team.ada.exchange()
        let entry = team.server.roster.removeLast()
        team.server.roster.append([1, 2, 3])
        #expect(try kay.exchange().findings == [.rosterHasForgedEntries])
        #expect(try kay.exchange().isQuiet)
        team.server.roster[team.server.roster.count - 1] = entry
        let record = try kay.add("kay's")
        let content = try #require(team.server.records[record]).content
        // The removed device can't read it.
        #expect((try? RecordContent(content, of: record, team: team.team, under: keys)) == nil)
        try team.ada.engine.add(try TestDevice.identity("max", 6).card, .member)
        #expect(try kay.exchange().isQuiet)
        #expect(
            kay.engine.replica.roster.lastDigest == team.ada.engine.replica.roster.lastDigest)
    }
}
