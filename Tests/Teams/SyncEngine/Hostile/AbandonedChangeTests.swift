import LanyardSecrets
import SyncConformance
import Testing

@testable import SyncEngine

/// Entries of the roster that come late: those that their owner gave up, or that an owner signs for the past.
@Suite("Hostile server: late entries of the roster") struct AbandonedChangeTests {
    let team: HostileTeam
    let kay: TestDevice

    init() throws {
        team = try HostileTeam()
        kay = try team.join(4) {}
        try team.grace.exchange()
    }

    private var devices: [TestDevice] { [team.ada, team.grace, kay] }

    /// Returns the entry of a change of Ada's that the server did not take, as it says.
    private func givenUp(_ change: () throws -> Void) throws -> [UInt8] {
        var entry: [UInt8]?
        team.server.onPutRoster = { bytes throws(KeychainError) in
            entry = bytes
            throw KeychainError(.notAvailable)
        }
        #expect(throws: KeychainError(.notAvailable)) { try change() }
        team.server.onPutRoster = nil
        return try #require(entry)
    }

    private func expectTheyAgree() throws {
        for device in devices + devices {
            try device.exchange()
        }
        for device in devices {
            #expect(try device.exchange().findings.isEmpty)
            #expect(
                device.engine.replica.roster.lastDigest == team.ada.engine.replica.roster.lastDigest
            )
        }
    }

    /// Ada removed Grace, gave that up, and changed the team in another way: that counts, whenever the removal comes.
    @Test(arguments: [false, true]) func aRemovalThatWasGivenUpDoesNotCount(_ isFirst: Bool) throws
    {
        let removal = try givenUp { try team.ada.engine.remove([team.grace.identity.id]) }
        try team.ada.engine.add(try TestDevice.identity("lee", 5).card, .member)
        let count = team.server.roster.count
        team.server.roster.insert(removal, at: isFirst ? count - 1 : count)
        try expectTheyAgree()
        #expect(team.ada.engine.replica.roster.devices[team.grace.identity.id]?.role == .member)
        #expect(team.ada.engine.replica.roster.present.count == 4)
    }

    /// Each removes another member, and the last one adds one.
    @Test func whatWasSignedLastCounts() throws {
        let first = try givenUp {
            try team.ada.engine.remove([team.grace.identity.id, kay.identity.id])
        }
        let second = try givenUp { try team.ada.engine.remove([kay.identity.id]) }
        try team.ada.engine.add(try TestDevice.identity("lee", 5).card, .member)
        for entry in [second, first] {
            team.server.roster.append(entry)
            try expectTheyAgree()
        }
        #expect(team.ada.engine.replica.roster.present.count == 4)
    }

    /// Olga was removed, and adds Kay for the past: Kay is a device of the team still, and what Grace signs of her
    /// changes is checked.
    @Test func aDeviceThatAnOverruledEntryAddsIsChecked() throws {
        let olga = try team.ada.sponsor("olga", seed: 10, .owner, on: team.server)
        let lee = try TestDevice.identity("lee", 5)
        let old = olga.engine.replica.roster
        try team.ada.engine.add(lee.card, .member)
        try team.ada.engine.remove([olga.identity.id])
        team.server.roster.append(
            old.entry(
                .add(lee.card, .member, key: [], seen: VersionVector()), by: olga.identity,
                date: TestDevice.start
            ).bytes)
        for device in devices {
            try device.exchange()
        }
        var context = try #require(try team.ada.engine.replica.item(team.record)).context
        context[lee.id] = 7
        let key = try #require(team.grace.engine.replica.roster.keys(of: team.grace.identity).last)
        let version = try team.version(
            "grace's", of: team.record, by: team.grace.identity, team.grace.engine.counter + 1,
            knowing: context, under: key)
        try team.inject(.item(SharedItem(version)), as: team.record, under: key)
        let findings = try team.ada.exchange().findings
        #expect(findings.contains(.changeContradicts(team.grace.identity.card)))
        #expect(try team.ada.texts() == team.truth)
    }

    /// A present owner's entries behind a long chain that no one signed, as many as are looked at.
    @Test func chainsOfUnsignedEntriesAreReadOnce() throws {
        let olga = try team.ada.sponsor("olga", seed: 10, .owner, on: team.server)
        let eve = try TestDevice.identity("eve", 66)
        let roster = team.ada.engine.replica.roster
        var (previous, position) = (roster.lastDigest, UInt64(roster.entries.count))
        func entry(_ change: RosterEntry.Change, by author: DeviceIdentity) -> RosterEntry {
            RosterEntry(
                team: team.team.bytes, position: position, previous: previous,
                date: Timestamp(secondsSinceEpoch: .max), change, by: author)
        }
        for _ in 0..<8000 {
            let next = entry(.leave, by: eve)
            team.server.roster.append(next.bytes)
            (previous, position) = (next.digest, position + 1)
        }
        for number in 0..<256 {
            let card = try TestDevice.identity("max \(number)", 77).card
            team.server.roster.append(
                entry(
                    .add(card, .member, key: [], seen: VersionVector()), by: olga.identity
                ).bytes)
        }
        for device in devices {
            _ = try device.exchange()
        }
        try expectTheyAgree()
    }
}
