import LanyardCryptography
import LanyardSecrets
import SyncConformance
import Testing

@testable import SyncEngine

/// Olga, an owner, signs that others know changes which devices are yet to make.
@Suite("Hostile owner: numbers of coming changes") struct OverstatedNumberTests {
    let team: HostileTeam
    let olga: TestDevice

    init() throws {
        team = try HostileTeam()
        olga = try team.ada.sponsor("olga", seed: 10, .owner, on: team.server)
    }

    private func key(of device: TestDevice) throws -> TeamKey {
        try #require(try device.engine.replica.roster.keys(of: device.identity).last)
    }

    /// Olga lets a version of her own device Eve count which names all changes that others will ever make.
    @Test func aVersionThatNamesAllChangesIsReplaced() throws {
        let others = [team.ada, team.grace].map(\.identity.id)
        var seed: UInt8 = 100
        while try TestDevice.identity("eve", seed).id < others.max()! {
            seed += 1
        }
        let eve = try olga.sponsor("eve", seed: seed, on: team.server)
        for device in [team.ada, team.grace, olga] {
            try device.exchange()
        }
        let roster = olga.engine.replica.roster
        var context = try #require(try olga.engine.replica.item(team.record)).context
        for other in others {
            context[other] = SyncLimits.number - 1
        }
        let version = try team.version(
            "eve's", of: team.record, by: eve.identity, 1, knowing: context,
            clock: SyncLimits.number - 1, under: key(of: olga))
        var sum = DigestSum()
        sum.add(DeviceHead.digest(team.record, eve.identity.id, 1))
        let renewal = try TeamKeyRenewal(
            DeviceIdentity.makeSeed(), generation: roster.generation + 1,
            previous: key(of: olga).key.copy(),
            to: [team.ada, team.grace, olga].map(\.identity.card))
        team.server.roster.append(
            roster.entry(
                .remove(
                    last: [
                        eve.identity.id: LastChanges(
                            counter: 1, changes: sum, tags: [version.tag], named: 0)
                    ], renewal), by: olga.identity, date: TestDevice.start
            ).bytes)
        try olga.exchange()
        var item = try #require(try olga.engine.replica.item(team.record))
        item.add(version)
        try team.inject(.item(item), as: team.record, under: key(of: olga))
        for device in [team.ada, team.grace] {
            try device.exchange()
        }
        try team.ada.engine.remove([olga.identity.id])
        for device in [team.ada, team.grace, team.ada] {
            try device.exchange()
        }
        var seen: [String?] = []
        for text in ["ada's", "ada's again", nil] {
            try team.ada.set(team.record, text)
            try team.grace.exchange()
            for device in [team.ada, team.grace] {
                seen.append(try device.texts()[team.record])
            }
        }
        try team.grace.set(team.record, "grace's")
        try team.ada.exchange()
        seen.append(try team.ada.texts()[team.record])
        #expect(seen == ["ada's", "ada's", "ada's again", "ada's again", nil, nil, "grace's"])
    }

    /// Olga makes Grace a reader, and says that others name her last possible change.
    @Test func notAllNumbersOfADeviceAreUsedUp() throws {
        try team.grace.exchange()
        let roster = olga.engine.replica.roster
        let last = try olga.engine.replica.lastChanges(of: team.grace.identity.id)
        let lie = LastChanges(
            counter: last.counter, changes: last.changes, tags: last.tags,
            named: SyncLimits.number - 1)
        team.server.roster.append(
            roster.entry(
                .setRole(team.grace.identity.id, .reader, last: lie), by: olga.identity,
                date: TestDevice.start
            ).bytes)
        try team.ada.exchange()
        try team.ada.engine.remove([olga.identity.id])
        try team.ada.exchange()
        try team.ada.engine.setRole(of: team.grace.identity.id, to: .member)
        try team.grace.exchange()
        let record = try team.grace.add("grace's")
        try team.ada.exchange()
        #expect(try team.ada.texts()[record] == "grace's")
    }
}
