import LanyardCryptography
import LanyardSecrets
import SyncConformance
import Testing

@testable import SyncEngine

/// Entries of the roster that were signed rightly, and come beside each other: all devices take the same ones.
@Suite("Hostile server: forked roster") struct ForkedRosterTests {
    let team: HostileTeam
    let kay: TestDevice
    /// A second owner, who joined later than Ada.
    let olga: TestDevice
    let eve: TestDevice

    init() throws {
        team = try HostileTeam()
        kay = try team.join(4) {}
        olga = try team.ada.sponsor("olga", seed: 10, .owner, on: team.server)
        eve = try team.ada.sponsor("eve", seed: 9, .reader, on: team.server)
        for device in devices {
            try device.exchange()
        }
    }

    private var devices: [TestDevice] { [team.ada, team.grace, kay, olga] }

    private func overrules(_ device: TestDevice) -> SyncReport.Finding {
        .changeOfMembersIsOverruled(device.identity.card)
    }

    /// Exchanges until all have the same roster and items, so does a device that joins, and a member's new item is nothing
    /// for those who are no members.
    @discardableResult
    private func expectTheyAgree(
        _ name: String = "last", _ seed: UInt8 = 20
    ) throws -> TestDevice {
        let keys = try eve.engine.replica.roster.keys(of: eve.identity)
        for _ in 0..<3 {
            for device in devices {
                try device.exchange()
            }
        }
        let record = try kay.add("kay's")
        for device in devices {
            try device.exchange()
            #expect(try device.exchange().findings.isEmpty)
        }
        let content = try #require(team.server.records[record]).content
        #expect((try? RecordContent(content, of: record, team: team.team, under: keys)) == nil)
        let last = try team.ada.sponsor(name, seed: seed, on: team.server)
        for device in devices {
            try device.exchange()
        }
        for device in devices + [last] {
            #expect(
                device.engine.replica.roster.lastDigest == team.ada.engine.replica.roster.lastDigest
            )
            #expect(try device.texts()[record] == "kay's")
        }
        #expect(team.ada.engine.replica.roster.devices[eve.identity.id]?.role == nil)
        return last
    }

    /// A reader's leave is shown to Kay alone. An owner's entry takes its place, or is there beside it.
    @Test(arguments: [false, true]) func anOwnersEntryWinsOverALeave(_ stays: Bool) throws {
        let leave = eve.engine.replica.roster.entry(
            .leave, by: eve.identity, date: TestDevice.start
        ).bytes
        team.server.roster.append(leave)
        try kay.exchange()
        team.server.roster.removeLast()
        try team.ada.engine.remove([eve.identity.id])
        if stays {
            team.server.roster.insert(leave, at: team.server.roster.count - 1)
        }
        try team.ada.set(team.record, "ada's")
        try expectTheyAgree()
    }

    /// In place of the owner's entry, to a device that was away and to one that joins.
    @Test func aLeaveInPlaceOfARemoval() throws {
        let old = eve.engine.replica.roster
        let invitation = Invitation(to: team.ada.engine.replica.roster)
        try team.ada.engine.remove([eve.identity.id])
        try team.ada.exchange()
        let removal = team.server.roster.removeLast()
        team.server.roster.append(
            old.entry(.leave, by: eve.identity, date: TestDevice.start).bytes)
        try kay.exchange()
        let joining = try invitation.roster(from: team.server)
        team.server.roster[team.server.roster.count - 1] = removal
        try expectTheyAgree()
        let roster = try Roster(of: team.team, from: team.server, after: joining)
        #expect(roster.lastDigest == kay.engine.replica.roster.lastDigest)
    }

    @Test func twoLeavesOfOneDevice() throws {
        let roster = eve.engine.replica.roster
        for (number, device) in [kay, team.grace].enumerated() {
            let date = Timestamp(secondsSinceEpoch: Int64(number))
            let leave = roster.entry(.leave, by: eve.identity, date: date).bytes
            team.server.roster.append(leave)
            try device.exchange()
            team.server.roster.removeLast()
            if number == 0 {
                team.server.roster.append(leave)
                try team.ada.exchange()
                try team.ada.engine.removeLeavingDevices()
                team.server.roster.removeLast(2)
            }
        }
        try expectTheyAgree()
    }

    /// A member takes the first owner's entry away before the second one removes the same device.
    @Test func theRosterOfWhoJoinedFirstWins() throws {
        try eve.engine.leave()
        try team.ada.exchange()
        try team.ada.engine.removeLeavingDevices()
        team.server.roster.removeLast()
        try olga.exchange()
        try olga.engine.removeLeavingDevices()
        let lee = try olga.sponsor("lee", seed: 5, on: team.server)
        // What is stored under the key of Olga's roster is not lost.
        let stored = try team.grace.add("grace's")
        try kay.exchange()
        #expect(try team.ada.exchange().findings.contains(overrules(olga)))
        for device in devices {
            try device.exchange()
        }
        #expect(team.ada.engine.replica.roster.devices[lee.identity.id] == nil)
        for device in devices {
            #expect(try device.texts()[stored] == "grace's")
        }
        // Who joins has not that key: whoever has it stores that again under another one.
        let last = try expectTheyAgree()
        #expect(try last.texts()[stored] == "grace's")
        try olga.engine.add(try TestDevice.identity("max", 6).card, .member)
    }

    /// Olga's change does not count, and she made another one after it. Who does not know the first one needs it.
    @Test func anEntryThatDoesNotCountIsTakenAway() throws {
        let away = try team.ada.sponsor("away", seed: 40, on: team.server)
        try olga.exchange()
        try team.ada.engine.remove([eve.identity.id])
        team.server.roster.removeLast()
        let index = team.server.roster.count
        try olga.engine.remove([eve.identity.id])
        try olga.engine.add(try TestDevice.identity("lee", 5).card, .member)
        for device in devices + devices {
            try device.exchange()
        }
        for _ in 0..<2 {
            team.server.roster.remove(at: index)
            try team.grace.exchange()
            try away.exchange()
            try expectTheyAgree("last \(team.server.roster.count)", UInt8(team.server.roster.count))
        }
        #expect(away.engine.replica.roster.isOwner(olga.identity.id))
    }

    /// A removal that the server refused is shown after another one: both are the same owner's.
    @Test func aRefusedEntryIsShownLater() throws {
        let state = team.server.backup
        let copy = try SyncEngine(
            team.ada.engine.replica.copy(), team.ada.identity, team.server,
            now: { TestDevice.start }, wait: { _ in })
        try copy.add(try TestDevice.identity("lee", 5).card, .owner)
        let refused = try #require(team.server.roster.last)
        team.server.backup = state
        // She signed both.
        team.ada.engine.lastDate = try RosterEntry(refused).date
        try team.ada.engine.remove([eve.identity.id])
        team.server.roster.append(refused)
        try expectTheyAgree()
    }

    /// Olga was removed, and changes the past: with any digest, and as if she had removed Ada first.
    @Test func aRemovedOwnersRosterDoesNotCount() throws {
        let state = team.server.backup
        let copies = try (0..<2).map { _ in
            try SyncEngine(
                olga.engine.replica.copy(), olga.identity, team.server,
                now: { TestDevice.start }, wait: { _ in })
        }
        try olga.engine.add(try TestDevice.identity("lee", 5).card, .member)
        try team.ada.engine.remove([olga.identity.id, eve.identity.id])
        let truth = team.server.backup
        var forks: [[UInt8]] = []
        for (number, copy) in copies.enumerated() {
            team.server.backup = state
            if number == 1 {
                try copy.remove([team.ada.identity.id])
            }
            try copy.add(try TestDevice.identity("max", UInt8(30 + number)).card, .owner)
            forks += team.server.roster[state.roster.count...]
        }
        team.server.backup = truth
        for device in [team.ada, team.grace, kay] {
            try device.exchange()
        }
        let last = team.ada.engine.replica.roster.lastDigest
        team.server.roster += forks
        for device in [team.ada, team.grace, kay] {
            #expect(try device.exchange().findings == [.rosterHasForgedEntries])
            #expect(try device.exchange().findings.isEmpty)
            #expect(device.engine.replica.roster.lastDigest == last)
        }
        // Whom the server shows hers first, too, as long as that does not remove who removed her.
        team.server.roster =
            state.roster + forks.prefix(1) + truth.roster.dropFirst(state.roster.count)
        #expect(try Roster(of: team.team, from: team.server).lastDigest == last)
    }

    @Test func forgedEntriesAreCheckedOnce() throws {
        for number: UInt16 in 0..<5000 {
            var entry = team.entry(
                .setRole(kay.identity.id, .reader, last: .none), by: olga.identity)
            // No signature ends so.
            entry.replaceSubrange((entry.count - 3)..., with: number.bigEndianBytes + [0xFF])
            team.server.roster.append(entry)
        }
        try team.grace.exchange()
        #expect(team.grace.engine.replica.summary.looked.forgeries.digests.count >= 4999)
        let copy = try SyncEngine(
            team.grace.engine.replica.copy(), team.grace.identity, team.server,
            now: { TestDevice.start }, wait: { _ in })
        let old = team.server.records[team.record]!.content
        try team.ada.set(team.record, "ada's")
        team.inject(old, as: team.record)
        // Also of the whole roster, and in another process.
        _ = try copy.exchange()
        let forgeries = copy.replica.summary.looked.forgeries
        #expect(forgeries.insertions == forgeries.digests.count)
        try team.ada.engine.remove([eve.identity.id])
        try expectTheyAgree()
    }
}
